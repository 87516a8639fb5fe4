// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

/// This node's keys in one event, as they stand in `secrets.json` (mode 0600).
struct Secrets: Sendable {
    /// The event's key to the door.
    let psk: Secret
    /// Who the person is.
    let identity: SigningKey
    /// Signs this device's journals.
    private(set) var signing: SigningKey
    /// Opens this device's slots.
    private(set) var agreement: AgreementKey
    /// The seed of the invitation that the person came by, which this node can pass on.
    let cameBy: Secret?
    /// Seeds of the invitations that this node made, newest last.
    private(set) var issued: [Secret]
    /// What the event id was made from; the founder's first device only.
    let foundingSalt: Bytes32?
    /// Addresses that members were last met at.
    var hints: [String]

    /// Draws the keys of a person who is new in an event.
    init(psk: Secret, cameBy: Secret?, foundingSalt: Bytes32?, hints: [String], randomness: Randomness) {
        self.psk = psk
        self.cameBy = cameBy
        self.foundingSalt = foundingSalt
        self.hints = hints
        issued = []
        identity = SigningKey(seed: randomness.secret())
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// The person.
    var person: PersonID { PersonID(identity.publicKey) }

    /// Becomes a new device of the same person: the keys of the old one were used elsewhere.
    mutating func replaceDevice(_ randomness: Randomness) {
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Remembers an invitation that this node made.
    mutating func add(issued seed: Secret) { issued.append(seed) }

    /// This node in `event`.
    func ownDevice(in event: EventID) -> OwnDevice {
        OwnDevice(
            person: person,
            name: certificate(in: event).deviceName(in: event),
            signing: signing,
            agreement: agreement,
            invitation: cameBy.map { InvitationKeys(seed: $0) }
        )
    }

    /// The certificate that begins this device's fabric journal.
    func certificate(in event: EventID) -> Certificate {
        let name = Certificate.deviceName(
            event: event,
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey
        )
        return Certificate(
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey,
            signature: identity.sign(name.bytes),
            foundingSalt: foundingSalt
        )
    }
}

extension Secrets {
    /// The file's form; base32 words.
    private struct Stored: Codable {
        var psk, identity, signing, agreement: String
        var cameBy: String?
        var issued: [String]
        var foundingSalt: String?
        var hints: [String]
    }

    /// Reads `secrets.json`.
    init(contentsOf path: String) throws {
        guard let data = FileManager.default.contents(atPath: path),
            let stored = try? JSONDecoder().decode(Stored.self, from: data),
            let psk = Self.secret(stored.psk), let identity = Self.secret(stored.identity),
            let signing = Self.secret(stored.signing), let agreement = Self.secret(stored.agreement)
        else { throw DataFolderError.unusable(path, detail: "the event's keys cannot be read") }
        self.psk = psk
        self.identity = SigningKey(seed: identity)
        self.signing = SigningKey(seed: signing)
        self.agreement = AgreementKey(secret: agreement)
        cameBy = stored.cameBy.flatMap(Self.secret)
        issued = stored.issued.compactMap(Self.secret)
        foundingSalt = stored.foundingSalt.flatMap { Base32.decode($0) }.flatMap { Bytes32($0) }
        hints = stored.hints
    }

    /// Writes `secrets.json`.
    func write(to path: String) throws {
        let stored = Stored(
            psk: Base32.encode(psk.exposed()),
            identity: Base32.encode(identity.seed.exposed()),
            signing: Base32.encode(signing.seed.exposed()),
            agreement: Base32.encode(agreement.secret.exposed()),
            cameBy: cameBy.map { Base32.encode($0.exposed()) },
            issued: issued.map { Base32.encode($0.exposed()) },
            foundingSalt: foundingSalt.map { Base32.encode($0.bytes) },
            hints: hints
        )
        try SafeFile.write([UInt8](JSONEncoder().encode(stored)), to: path)
    }

    private static func secret(_ text: String) -> Secret? {
        guard let bytes = Base32.decode(text), bytes.count == 32 else { return nil }
        return Secret(bytes)
    }
}
