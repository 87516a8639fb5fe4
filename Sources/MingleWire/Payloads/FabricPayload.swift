// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleCrypto
package import MingleModel
import SwiftProtobuf

/// The first delta of a fabric journal: whose device it is, and its keys.
package struct Certificate: Hashable, Sendable {
    /// The person's identity key.
    package let person: PersonID
    /// The device's Ed25519 key.
    package let signingKey: Bytes32
    /// The device's X25519 key.
    package let agreementKey: Bytes32
    /// The identity key's signature of the device's name.
    package let signature: Signature
    /// What the event id was made from, in the founder's first certificate.
    package let foundingSalt: Bytes32?

    /// Certifies a device.
    package init(
        person: PersonID,
        signingKey: Bytes32,
        agreementKey: Bytes32,
        signature: Signature,
        foundingSalt: Bytes32? = nil
    ) {
        (self.person, self.signingKey, self.agreementKey) = (person, signingKey, agreementKey)
        (self.signature, self.foundingSalt) = (signature, foundingSalt)
    }

    /// The name of a device of `event`: nobody else can ever claim it.
    package static func deviceName(
        event: EventID,
        person: PersonID,
        signingKey: Bytes32,
        agreementKey: Bytes32
    ) -> DeviceName {
        DeviceName(Blake2b.hash(.device, event.bytes + person.bytes + signingKey.bytes + agreementKey.bytes))
    }

    /// The name of the device that this certifies in `event`.
    package func deviceName(in event: EventID) -> DeviceName {
        Self.deviceName(event: event, person: person, signingKey: signingKey, agreementKey: agreementKey)
    }

    /// Whether the person signed it; what `known` remembers is not checked again.
    package func isValid(in event: EventID, known: KnownSignatures? = nil) -> Bool {
        signature.isValid(for: deviceName(in: event).bytes, by: person.raw, known: known)
    }

    /// Whether it makes its person the founder of `event`.
    package func isFounding(_ event: EventID) -> Bool {
        foundingSalt.map { Self.eventID(founder: person, salt: $0) == event } ?? false
    }

    /// The id of the event that `founder` founds with 32 random bytes.
    package static func eventID(founder: PersonID, salt: Bytes32) -> EventID {
        EventID(Blake2b.hash(.event, founder.bytes + salt.bytes))
    }
}

/// What a fabric delta says, readable by whoever carries it.
package enum FabricPayload: Hashable, Sendable {
    /// Whose device this journal is.
    case certificate(Certificate)
    /// An invitation is open.
    case invitation(InvitationTerms)
    /// The device's person came by an invitation.
    case admission(invitation: InvitationID, signature: Signature)
    /// A key, sealed for those who may have it.
    case epoch(EpochSlots)
    /// A person is at a level.
    case grant(person: PersonID, level: Level)
    /// Of those who came by an invitation, only these count; at most 1000 of them.
    case closing(invitation: InvitationID, admitted: [PersonID])
    /// What a person wrote past some deltas counts for less, or for nothing.
    case cut(CutTerms)
    /// A slot that a device wrote for this one does not open.
    case wrongSlots(by: DeviceName)

    /// The protocol buffer.
    package func encoded() throws -> [UInt8] {
        var message = ProtoFabric()
        switch self {
        case .certificate(let certificate): message.certificate = ProtoCertificate(certificate)
        case .invitation(let terms): message.invitation = ProtoInvitation(terms)
        case .admission(let invitation, let signature):
            message.admission.invitation = .init(invitation.bytes)
            message.admission.signature = .init(signature.bytes)
        case .epoch(let epoch): message.epoch = ProtoEpoch(epoch)
        case .grant(let person, let level):
            message.grant.person = .init(person.bytes)
            message.grant.level = level.rawValue
        case .closing(let invitation, let admitted):
            message.closing.invitation = .init(invitation.bytes)
            message.closing.admitted = admitted.map { .init($0.bytes) }
        case .cut(let terms): message.cut = ProtoCut(terms)
        case .wrongSlots(let device): message.wrongSlots = .init(device.bytes)
        }
        return try message.serializedBytes()
    }

    /// Reads the protocol buffer; throws for what this version does not know, too.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard let message = try? ProtoFabric(serializedBytes: bytes) else { throw .invalid("fabric payload") }
        switch message.content {
        case .certificate(let certificate): self = .certificate(try Certificate(certificate))
        case .invitation(let terms): self = .invitation(try InvitationTerms(terms))
        case .admission(let admission):
            guard let invitation = InvitationID(bytes: admission.invitation),
                let signature = Signature(admission.signature)
            else { throw .invalid("admission") }
            self = .admission(invitation: invitation, signature: signature)
        case .epoch(let epoch): self = .epoch(try EpochSlots(epoch))
        case .grant(let grant):
            guard let person = PersonID(bytes: grant.person), let level = Level(rawValue: grant.level), level < .founder
            else { throw .invalid("grant") }
            self = .grant(person: person, level: level)
        case .closing(let closing): self = try Self.closing(closing)
        case .cut(let cut): self = .cut(try CutTerms(cut))
        case .wrongSlots(let name):
            guard let device = DeviceName(bytes: name) else { throw .invalid("device") }
            self = .wrongSlots(by: device)
        case nil: throw .invalid("fabric payload")
        }
    }

    private static func closing(_ message: ProtoClosing) throws(WireError) -> FabricPayload {
        guard message.admitted.count <= Limits.admissionsPerClosing else { throw .tooLarge("admissions") }
        let admitted = message.admitted.compactMap { PersonID(bytes: $0) }
        guard let invitation = InvitationID(bytes: message.invitation), admitted.count == message.admitted.count else {
            throw .invalid("closing")
        }
        return .closing(invitation: invitation, admitted: admitted)
    }

    /// What an admission signs with the invitation's key: that this person came by it to this event.
    package static func admissionStatement(event: EventID, person: PersonID) -> [UInt8] {
        Blake2b.hash(.admission, event.bytes + person.bytes).bytes
    }
}

extension ProtoCertificate {
    fileprivate init(_ certificate: Certificate) {
        self.init()
        person = .init(certificate.person.bytes)
        signingKey = .init(certificate.signingKey.bytes)
        agreementKey = .init(certificate.agreementKey.bytes)
        signature = .init(certificate.signature.bytes)
        if let salt = certificate.foundingSalt { foundingSalt = .init(salt.bytes) }
    }
}

extension Certificate {
    fileprivate init(_ message: ProtoCertificate) throws(WireError) {
        guard let person = PersonID(bytes: message.person), let signingKey = Bytes32(message.signingKey),
            let agreementKey = Bytes32(message.agreementKey), let signature = Signature(message.signature),
            message.foundingSalt.isEmpty || message.foundingSalt.count == 32
        else { throw .invalid("certificate") }
        self.init(
            person: person,
            signingKey: signingKey,
            agreementKey: agreementKey,
            signature: signature,
            foundingSalt: Bytes32(message.foundingSalt)
        )
    }
}
