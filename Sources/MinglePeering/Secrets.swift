// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleWire

/// One person's keys on one node in one event.
package struct Secrets: Sendable {
    /// The event's key to the door.
    package let psk: Secret
    /// What certifies the person's devices; nil on a device that another one of the person's has linked.
    package let identity: SigningKey?
    /// The person.
    package let person: PersonID
    /// The device that linked this one, as that said; nil on one with the identity.
    package private(set) var linkedBy: DeviceName?
    /// Whether this device waits for a certificate from another one of its person's.
    package private(set) var isUncertified: Bool
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
    /// Whether this device shows the event to people who have no node, and so reads nothing that is not for everybody.
    package let isDoor: Bool
    /// Devices of the person's that this one has certified, whether they ever came or not.
    package private(set) var certified: [DeviceName] = []
    /// Addresses that members were last met at.
    package var hints: [String]

    /// Draws the keys of a person who is new in an event.
    package init(
        psk: Secret,
        cameBy: Secret?,
        foundingSalt: Bytes32?,
        hints: [String],
        isRelay: Bool = false,
        isDoor: Bool = false,
        randomness: Randomness
    ) {
        self.psk = psk
        self.cameBy = cameBy
        self.foundingSalt = foundingSalt
        (self.hints, self.isRelay, self.isDoor) = (hints, isRelay, isDoor)
        issued = []
        let identity = SigningKey(seed: randomness.secret())
        (self.identity, person, linkedBy, isUncertified) = (identity, PersonID(identity.publicKey), nil, false)
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Draws the keys of a further device of a person's, which asks another one for a certificate.
    package init(linking person: PersonID, psk: Secret, hints: [String], randomness: Randomness) {
        (self.psk, self.person, self.hints) = (psk, person, hints)
        (identity, linkedBy, isUncertified) = (nil, nil, true)
        (cameBy, issued, foundingSalt, isRelay, isDoor) = (nil, [], nil, false, false)
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Takes keys of a linked device that were drawn before.
    package init(
        psk: Secret,
        linked person: PersonID,
        by linkedBy: DeviceName?,
        isUncertified: Bool,
        signing: SigningKey,
        agreement: AgreementKey,
        issued: [Secret],
        hints: [String]
    ) {
        (self.psk, self.person, self.linkedBy, self.isUncertified) = (psk, person, linkedBy, isUncertified)
        (self.signing, self.agreement, self.issued, self.hints) = (signing, agreement, issued, hints)
        (identity, cameBy, foundingSalt, isRelay, isDoor) = (nil, nil, nil, false, false)
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
        isRelay: Bool = false,
        isDoor: Bool = false,
        certified: [DeviceName] = []
    ) {
        self.certified = certified
        (self.psk, self.identity, self.signing, self.agreement) = (psk, identity, signing, agreement)
        (person, linkedBy, isUncertified) = (PersonID(identity.publicKey), nil, false)
        (self.cameBy, self.issued, self.foundingSalt, self.hints) = (cameBy, issued, foundingSalt, hints)
        (self.isRelay, self.isDoor) = (isRelay, isDoor)
    }

    /// Becomes a new device of the same person: the keys of the old one were used elsewhere.
    ///
    /// - Throws: ``SecretsError`` on a linked device, which cannot certify another one.
    package mutating func replaceDevice(_ randomness: Randomness) throws(SecretsError) {
        guard identity != nil else { throw .noIdentity }
        signing = SigningKey(seed: randomness.secret())
        agreement = AgreementKey(secret: randomness.secret())
    }

    /// Remembers an invitation that this node made.
    package mutating func add(issued seed: Secret) { issued.append(seed) }

    /// Forgets an invitation that could not be made.
    package mutating func takeBack(issued seed: Secret) {
        let id = InvitationKeys(seed: seed).id
        issued.removeAll { InvitationKeys(seed: $0).id == id }
    }

    /// Remembers a device that this one certifies.
    package mutating func note(certified device: DeviceName) { certified.append(device) }

    /// Notes that this device has its certificate, and which device made it.
    package mutating func noteCertificate(by device: DeviceName?) { (linkedBy, isUncertified) = (device, false) }

    /// This node in `event`.
    ///
    /// - Parameter seesOnlyOwn: Whether the person sees only records of the person's own.
    package func ownDevice(in event: EventID, seesOnlyOwn: Bool = false) -> OwnDevice {
        OwnDevice(
            person: person,
            name: deviceName(in: event),
            signing: signing,
            agreement: agreement,
            invitation: cameBy.map { InvitationKeys(seed: $0) },
            isRelay: isRelay,
            isDoor: isDoor,
            seesOnlyOwn: seesOnlyOwn
        )
    }

    private func deviceName(in event: EventID) -> DeviceName {
        Certificate.deviceName(
            event: event,
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey
        )
    }

    /// The certificate that begins this device's fabric journal.
    ///
    /// - Throws: ``SecretsError`` on a linked device: another one makes it.
    package func certificate(in event: EventID) throws(SecretsError) -> Certificate {
        guard let identity else { throw .noIdentity }
        return certificate(signed: identity.sign(deviceName(in: event).bytes))
    }

    /// The same, with a signature that comes from another device of the person's; who takes it checks that it is valid.
    package func certificate(signed signature: Signature) -> Certificate {
        Certificate(
            person: person,
            signingKey: signing.publicKey,
            agreementKey: agreement.publicKey,
            signature: signature,
            foundingSalt: foundingSalt
        )
    }
}

/// Why keys do not do for something.
package enum SecretsError: Error, CustomStringConvertible {
    /// The device was linked by another one of the person's, which has the key that certifies devices.
    case noIdentity

    package var description: String {
        "This device was linked by another one of yours, and cannot become a new device by itself. Leave the event here (mingle "
            + "event leave ID --now). Make a link on the other device (mingle devices link), and join by it here. What only this "
            + "device had is lost."
    }
}
