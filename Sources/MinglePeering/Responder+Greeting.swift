// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleSync
import MingleWire

/// What a greeting led to.
package struct Judgement: Sendable {
    /// Whether the peer comes in.
    package var verdict: Verdict
    /// What its certificates changed here, once they were merged.
    package var outcome: MergeOutcome?
    /// The peer's person, if admitted.
    package var person: PersonID?
    /// Whether the peer is a relay.
    package var isRelay = false

    /// Whether the peer has shown that it is the device that it says; who is refused may not have.
    package var hasProvedDevice: Bool { verdict == .admitted || verdict == .fabricOnly }
}

extension Responder {
    /// The greeting for one session: this device's fabric journal, its signature of the session, and the invitation
    /// that its person came by.
    package func hello(in session: Session) throws -> Hello {
        let own = replica.own
        var hello = Hello(
            device: own.name,
            certificates: try replica.ownFabric(),
            signature: own.signing.sign(session.statement(isInitiator: session.isInitiator)).bytes
        )
        if let invitation = own.invitation {
            let statement = session.statement(isInitiator: session.isInitiator, person: own.person)
            hello.invitation = invitation.id
            hello.invitationProof = invitation.signing.sign(statement).bytes
        }
        return hello
    }

    /// Decides who comes in: members, and newcomers with an invitation that is open at `now`.
    package func judge(_ hello: Hello, _ session: Session, at now: Timestamp) throws -> Judgement {
        let runs = hello.certificates.compactMap { try? Run(decoding: $0[...], event: replica.event) }
        guard let certificate = runs.lazy.compactMap({ $0.certificate(in: replica) }).first,
            certificate.deviceName(in: replica.event) == hello.device,
            let signature = Signature(hello.signature),
            signature.isValid(
                for: session.statement(isInitiator: !session.isInitiator),
                by: certificate.signingKey
            )
        else { return try judgement(.refused("the greeting does not prove whose it is"), of: hello) }
        if hello.device == replica.own.name { return try judgement(.sameDevice, of: hello) }
        if try replica.admittedPerson(of: hello.device) != nil { return try judgement(.admitted, of: hello) }
        if let removed = try removal(of: certificate.person) { return try judgement(.refused(removed), of: hello) }
        // A further device of somebody known needs no more than its certificate.
        let isKnown = try replica.isAdmitted(certificate.person)
        if !isKnown, try replica.isAdmitted(replica.own.person), try !hasLostAll() {
            if let reason = try refusal(of: hello, person: certificate.person, session, at: now) {
                return try judgement(.refused(reason), of: hello)
            }
        }
        let outcome = try replica.merge(runs)
        let isIn = try replica.admittedPerson(of: hello.device) != nil
        return try judgement(isIn ? .admitted : .fabricOnly, of: hello, outcome)
    }

    /// Whether this is the founder's node, begun anew after its data was lost: it knows no invitation by which anybody came, and
    /// has to hear of them before it can refuse somebody.
    private func hasLostAll() throws -> Bool {
        try replica.level(of: replica.own.person) == .founder && !replica.hasKey()
    }

    /// What somebody is told who was removed; nil for everybody else.
    private func removal(of person: PersonID) throws -> String? {
        guard let removal = try replica.removal(of: person) else { return nil }
        // What others are called is no longer for the person to know.
        return "\(removal.maker.level == .founder ? "the founder" : "a host") removed you from the event"
    }

    private func judgement(_ verdict: Verdict, of hello: Hello, _ outcome: MergeOutcome? = nil) throws -> Judgement {
        let person = try replica.admittedPerson(of: hello.device)
        let isRelay = try person.map { try replica.level(of: $0) == .relay } ?? false
        return Judgement(verdict: verdict, outcome: outcome, person: person, isRelay: isRelay)
    }

    /// Why a newcomer's invitation does not open the door; nil if it does.
    private func refusal(
        of hello: Hello,
        person: PersonID,
        _ session: Session,
        at now: Timestamp
    ) throws -> String? {
        guard let id = hello.invitation, let proof = Signature(hello.invitationProof),
            proof.isValid(
                for: session.statement(isInitiator: !session.isInitiator, person: person),
                by: id.raw
            )
        else { return "not a member, and no invitation shown" }
        guard let invitation = try replica.invitation(id) else {
            return "the invitation is not known here: it is of another event, or was made while apart"
        }
        // Who waits for a host's word may wait inside, and hears at once when it comes.
        let isAsking = invitation.terms.asks && !invitation.isClosed
        if isAsking, try replica.isWaiting(person) { return nil }
        if let expires = invitation.terms.expires, expires < now {
            return "the invitation has expired: ask for a new one"
        }
        if let uses = invitation.terms.uses, invitation.used >= Int(uses) {
            return "the invitation is used up: ask for a new one"
        }
        if try !isAsking && !replica.isOpen(id, at: invitation.terms.level, for: person) {
            return try replica.isWaiting(person)
                ? "you wait to be let in: ask a host of the event" : "the invitation is closed: ask for a new one"
        }
        return nil
    }

    /// Looks again at a peer that greeted before, when admissions have changed; nil if nothing has for this one.
    package func judgeAgain(_ device: DeviceName, admittedAs known: PersonID?) throws -> Judgement? {
        let person = try replica.admittedPerson(of: device)
        guard person != known else { return nil }
        let reason = try known.flatMap { try removal(of: $0) } ?? "you are not let in any more: ask a host of the event"
        let refusal = Verdict.refused(reason)
        let isRelay = try person.map { try replica.level(of: $0) == .relay } ?? false
        return Judgement(verdict: person == nil ? refusal : .admitted, person: person, isRelay: isRelay)
    }
}

extension Replica {
    /// This device's fabric journal as it stands in a greeting, its certificate first.
    package func ownFabric() throws -> [[UInt8]] {
        try serve(own.name, .fabric, after: [], byteLimit: 64 * 1024).runs.map { $0.encoded() }
    }
}

extension Session {
    /// What a device signs to show that it holds one end of this session.
    fileprivate func statement(isInitiator: Bool, person: PersonID? = nil) -> [UInt8] {
        var bytes = handshakeHash.bytes
        bytes.append(isInitiator ? 1 : 0)
        return Blake2b.hash(.session, bytes + (person?.bytes ?? [])).bytes
    }
}

extension Run {
    /// The certificate with which a fabric journal begins, if the person signed it.
    fileprivate func certificate(in replica: Replica) -> Certificate? {
        let (event, known) = (replica.event, replica.knownSignatures)
        guard first.header.journal == .fabric, first.header.sequence == 1, let payload = first.payload,
            case .certificate(let certificate)? = try? FabricPayload(decoding: payload),
            certificate.deviceName(in: event) == first.header.device, certificate.isValid(in: event, known: known),
            isProved(by: certificate.signingKey, known: known)
        else { return nil }
        return certificate
    }
}
