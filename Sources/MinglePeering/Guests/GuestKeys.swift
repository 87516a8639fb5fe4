// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel

/// A guest's keys while they are open.
package struct GuestKeys: Sendable {
    private static let length = 32

    /// Certifies the guest's devices.
    package let identity: SigningKey
    /// Signs what the guest writes.
    package let signing: SigningKey
    /// Is said in the certificate; nothing is opened with it here.
    package let agreement: AgreementKey

    /// The guest.
    package var person: PersonID { PersonID(identity.publicKey) }

    /// Draws the keys of a new person, or of a new device of one.
    package init(_ randomness: Randomness, identity: SigningKey? = nil) {
        self.identity = identity ?? SigningKey(seed: randomness.secret())
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Reads what ``bytes`` wrote; nil for another length.
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
    package func secrets(at door: Secrets) -> Secrets {
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
