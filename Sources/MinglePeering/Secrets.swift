// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleWire

/// One person's keys on one node in one event.
package struct Secrets: Sendable {
    /// The event's key to the door.
    package let psk: Secret
    /// Who the person is.
    package let identity: SigningKey
    /// Signs this device's journals.
    package private(set) var signing: SigningKey
    /// Opens this device's slots.
    package private(set) var agreement: AgreementKey
    /// The seed of the invitation that the person came by, which this node can pass on.
    package let cameBy: Secret?
    /// Seeds of the invitations that this node made, newest last.
    package private(set) var issued: [Secret]
    /// What the event id was made from; the founder's first device only.
    package let foundingSalt: Bytes32?
    /// Whether this device is a relay, which carries everything and reads nothing.
    package let isRelay: Bool
    /// Addresses that members were last met at.
    package var hints: [String]

    /// Draws the keys of a person who is new in an event.
    package init(
        psk: Secret,
        cameBy: Secret?,
        foundingSalt: Bytes32?,
        hints: [String],
        isRelay: Bool = false,
        randomness: Randomness
    ) {
        self.psk = psk
        self.cameBy = cameBy
        self.foundingSalt = foundingSalt
        (self.hints, self.isRelay) = (hints, isRelay)
        issued = []
        identity = SigningKey(seed: randomness.secret())
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Takes keys that were drawn before.
    package init(
        psk: Secret,
        identity: SigningKey,
        signing: SigningKey,
        agreement: AgreementKey,
        cameBy: Secret?,
        issued: [Secret],
        foundingSalt: Bytes32?,
        hints: [String],
        isRelay: Bool = false
    ) {
        (self.psk, self.identity, self.signing, self.agreement) = (psk, identity, signing, agreement)
        (self.cameBy, self.issued, self.foundingSalt, self.hints) = (cameBy, issued, foundingSalt, hints)
        self.isRelay = isRelay
    }

    /// The person.
    package var person: PersonID { PersonID(identity.publicKey) }

    /// Becomes a new device of the same person: the keys of the old one were used elsewhere.
    package mutating func replaceDevice(_ randomness: Randomness) {
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Remembers an invitation that this node made.
    package mutating func add(issued seed: Secret) { issued.append(seed) }

    /// This node in `event`.
    package func ownDevice(in event: EventID) -> OwnDevice {
        OwnDevice(
            person: person,
            name: certificate(in: event).deviceName(in: event),
            signing: signing,
            agreement: agreement,
            invitation: cameBy.map { InvitationKeys(seed: $0) },
            isRelay: isRelay
        )
    }

    /// The certificate that begins this device's fabric journal.
    package func certificate(in event: EventID) -> Certificate {
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
