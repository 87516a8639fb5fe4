// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering

/// What a door keeps of a guest: who it is, and the guest's keys, which only the guest's browser opens.
struct StoredGuest: Codable, Sendable {
    /// The person, as ``PersonID/description``.
    let person: String
    /// The guest's device here.
    let device: String
    /// The door's own device when the guest's was made: a door that is a new device makes a new one for the guest, too.
    let door: String
    /// Identity, signing key and agreement key, sealed; base32.
    private let keys: String
    /// What they were sealed with, once.
    private let nonce: String

    /// Seals a guest's keys under what the browser keeps.
    init(
        _ keys: GuestKeys,
        _ device: DeviceName,
        of browser: Browser,
        at door: DeviceName,
        _ randomness: Randomness
    ) {
        (person, self.device, self.door) = (keys.person.description, device.description, door.description)
        let nonce = randomness.bytes(Sealing.nonceLength)
        let sealed = Sealing.seal(
            keys.bytes,
            key: browser.key,
            nonce: nonce,
            associatedData: Array((person + self.device + self.door).utf8)
        )
        (self.keys, self.nonce) = (Base32.encode(sealed), Base32.encode(nonce))
    }

    /// Opens the keys.
    ///
    /// - Throws: `CryptoError` for another browser, and where somebody changed what is kept.
    func open(by browser: Browser) throws -> GuestKeys {
        guard let sealed = Base32.decode(keys), let nonce = Base32.decode(nonce) else { throw CryptoError.wrongLength }
        let bytes = try Sealing.open(
            sealed,
            key: browser.key,
            nonce: nonce,
            associatedData: Array((person + device + door).utf8)
        )
        guard let keys = GuestKeys(bytes: bytes), keys.person.description == person else {
            throw CryptoError.notAuthentic
        }
        return keys
    }
}

/// A guest's keys while they are open.
struct GuestKeys: Sendable {
    private static let length = 32

    /// Certifies the guest's devices.
    let identity: SigningKey
    /// Signs what the guest writes.
    let signing: SigningKey
    /// Is said in the certificate; nothing is opened with it here.
    let agreement: AgreementKey

    var person: PersonID { PersonID(identity.publicKey) }

    /// Draws the keys of a new person, or of a new device of one.
    init(_ randomness: Randomness, identity: SigningKey? = nil) {
        self.identity = identity ?? SigningKey(seed: randomness.secret())
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 3 * Self.length else { return nil }
        let parts = stride(from: 0, to: bytes.count, by: Self.length).map {
            Secret(Array(bytes[$0..<($0 + Self.length)]))
        }
        (identity, signing) = (SigningKey(seed: parts[0]), SigningKey(seed: parts[1]))
        agreement = AgreementKey(secret: parts[2])
    }

    var bytes: [UInt8] { identity.seed.exposed() + signing.seed.exposed() + agreement.secret.exposed() }

    /// The same as a node keeps them: a person who came by the invitation of the door.
    func secrets(at door: Secrets) -> Secrets {
        Secrets(
            psk: door.psk,
            identity: identity,
            signing: signing,
            agreement: agreement,
            cameBy: door.cameBy,
            issued: [],
            foundingSalt: nil,
            hints: [],
            isDoor: true
        )
    }
}
