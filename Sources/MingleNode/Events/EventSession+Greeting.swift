// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleSync
import MingleWire

extension EventSession {
    /// Greets a peer: this device's fabric journal, its signature of the session, and an invitation while not admitted.
    func makeHello(for peer: PeerID, _ session: Session) {
        attempt("greet a peer") { feed(.hello(peer, try hello(in: session))) }
    }

    /// The greeting for one session.
    func hello(in session: Session) throws -> Hello {
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

    /// Decides who comes in: members, and newcomers with an invitation that is open.
    func authenticate(_ peer: PeerID, _ hello: Hello, _ session: Session) {
        do {
            let verdict = try verdict(on: hello, session)
            if verdict == .admitted || verdict == .fabricOnly {
                // Who is refused has not proved whose device it is.
                roster.greet(peer, device: hello.device, person: try replica.admittedPerson(of: hello.device))
            }
            feed(.verdict(peer, verdict))
            changes.publish(kinds: ["peers", "people"])
        } catch {
            pauseIfFull(error)
            feed(.verdict(peer, .unanswered))
        }
    }

    private func verdict(on hello: Hello, _ session: Session) throws -> Verdict {
        let runs = hello.certificates.compactMap { try? Run(decoding: $0[...], event: event) }
        guard let certificate = runs.lazy.compactMap({ $0.certificate(in: self.event) }).first,
            certificate.deviceName(in: event) == hello.device,
            let signature = Signature(hello.signature),
            signature.isValid(
                for: session.statement(isInitiator: !session.isInitiator),
                by: certificate.signingKey
            )
        else { return .refused("the greeting does not prove whose it is") }
        if hello.device == replica.own.name {
            reportKeyUsedElsewhere()
            return .sameDevice
        }
        if try replica.admittedPerson(of: hello.device) != nil { return .admitted }
        // A further device of somebody known needs no more than its certificate.
        let isKnown = try replica.isAdmitted(certificate.person)
        if !isKnown, try replica.isAdmitted(replica.own.person) {
            if let reason = try refusal(of: hello, person: certificate.person, session) { return .refused(reason) }
        }
        tell(try replica.merge(runs))
        return try replica.admittedPerson(of: hello.device) == nil ? .fabricOnly : .admitted
    }

    /// Why a newcomer's invitation does not open the door; nil if it does.
    private func refusal(of hello: Hello, person: PersonID, _ session: Session) throws -> String? {
        guard let id = hello.invitation, let proof = Signature(hello.invitationProof),
            proof.isValid(
                for: session.statement(isInitiator: !session.isInitiator, person: person),
                by: id.raw
            )
        else { return "not a member, and no invitation shown" }
        guard let invitation = try replica.invitation(id) else {
            return "the invitation is not known here: it is of another event, or was made while apart"
        }
        if let expires = invitation.terms.expires, expires < clock.now() {
            return "the invitation has expired: ask for a new one"
        }
        if let uses = invitation.terms.uses, invitation.used >= Int(uses) {
            return "the invitation is used up: ask for a new one"
        }
        return nil
    }

    /// Looks again at peers when admissions have changed: at those that could not be judged before, and at those whose
    /// admission counts no more.
    func reconsiderPeers() {
        for (peer, entry) in roster.all {
            guard let device = entry.device else { continue }
            attempt("look at admissions") {
                let person = try replica.admittedPerson(of: device)
                guard person != entry.person else { return }
                roster.greet(peer, device: device, person: person)
                feed(.verdict(peer, person == nil ? .refused("is not admitted any more") : .admitted))
            }
        }
    }
}

extension Replica {
    /// This device's fabric journal as it stands in a greeting, its certificate first.
    func ownFabric() throws -> [[UInt8]] {
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
    fileprivate func certificate(in event: EventID) -> Certificate? {
        guard first.header.journal == .fabric, first.header.sequence == 1, let payload = first.payload,
            case .certificate(let certificate)? = try? FabricPayload(decoding: payload),
            certificate.deviceName(in: event) == first.header.device, certificate.isValid(in: event),
            isProved(by: certificate.signingKey)
        else { return nil }
        return certificate
    }
}
