// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
package import MingleReplica
package import MingleSync
package import MingleWire

/// What a greeting led to.
package struct Judgement: Sendable {
    /// Whether the peer comes in.
    package var verdict: Verdict
    /// What its certificates changed here, once they were merged.
    package var outcome: MergeOutcome?
    /// Of the peer's own fabric journal what was merged whole, where this node is one of those who let people in: all others lack that.
    package var greeted: [Run] = []
    /// The peer's person, if admitted.
    package var person: PersonID?
    /// Whether the peer is a relay.
    package var isRelay = false
    /// Whose device the peer has proved to be, whether it comes in or not.
    package var claimant: PersonID?

    /// Whether the peer has shown that it is the device that it says; who is refused may not have.
    package var hasProvedDevice: Bool { verdict == .admitted || verdict == .fabricOnly }
}

extension Responder {
    /// The greeting for one session: this device's fabric journal, its signature of the session, and the invitation
    /// that its person came by.
    package func hello(in session: Session) throws -> Hello {
        replica.own.hello(in: session, certificates: try replica.ownFabric())
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
        else { return try judgement(.refused("the greeting does not prove its sender"), of: hello) }
        var judgement = try judge(hello, of: certificate.person, runs, session, at: now)
        judgement.claimant = certificate.person
        return judgement
    }

    /// The same for a greeting that proves whose it is.
    private func judge(
        _ hello: Hello,
        of person: PersonID,
        _ runs: [Run],
        _ session: Session,
        at now: Timestamp
    ) throws -> Judgement {
        if hello.device == replica.own.name { return try judgement(.sameDevice, of: hello) }
        if try replica.admittedPerson(of: hello.device) != nil { return try judgement(.admitted, of: hello) }
        if let verdict = try exclusion(of: hello.device, person) { return try judgement(verdict, of: hello) }
        // A further device of somebody known needs no more than its certificate.
        let (isKnown, isMember) = try (replica.isAdmitted(person), replica.isAdmitted(replica.own.person))
        if !isKnown, isMember {
            if let reason = try refusal(of: hello, person: person, session, at: now) {
                return try judgement(.refused(reason), of: hello)
            }
        }
        let merged = try replica.merge(runs.map { (tag: $0, content: .run($0)) })
        let isAdmitted = try replica.admittedPerson(of: hello.device) != nil
        let verdict = try isAdmitted ? .admitted : exclusion(of: hello.device, person) ?? .fabricOnly
        var judgement = try judgement(verdict, of: hello, merged.outcome)
        // A newcomer itself lacks everybody, and those who come first know each other.
        if isMember { judgement.greeted = merged.answers.compactMap { $0.passedOn(by: hello.device, merged.outcome) } }
        return judgement
    }

    /// Whether this device may have lost those who came, with the invitation by which somebody did: it made that itself, or it is the
    /// founder's and has begun anew without so much as the event's key, or with what there was before anybody came.
    ///
    /// Then it has to hear people before it can refuse them. Where nobody has come yet there is nothing to keep from who knows the
    /// event's key.
    private func mayHaveLost(_ invitation: InvitationID?, shownBy person: PersonID) throws -> Bool {
        if let invitation, try issued.contains(invitation) && !replica.hasOwn(invitation) {
            // Its closing may come before it does.
            if try isOpenAsFarAsKnown(invitation, for: person) { return true }
        }
        guard try replica.level(of: replica.own.person) == .founder else { return false }
        if try !replica.hasKey() { return true }
        guard try !replica.hasMetOthers() else { return false }
        return try replica.devices(of: replica.own.person).count > 1 || hasLostInvitations()
    }

    /// Whether nobody has closed an invitation whose terms are not here, or the person stays who came by it.
    ///
    /// A host's word is taken for it: few lead so high that it would not count.
    private func isOpenAsFarAsKnown(_ invitation: InvitationID, for person: PersonID) throws -> Bool {
        try replica.isOpen(invitation, at: .attendee, for: person)
    }

    /// Whether an invitation that this device made is not here any more, as after a repair that took the log's end.
    private func hasLostInvitations() throws -> Bool { try issued.contains { try !replica.hasOwn($0) } }

    /// What a device is told whose person was removed, declined or has left, or retired it; nil for all others.
    private func exclusion(of device: DeviceName, _ person: PersonID) throws -> Verdict? {
        if try replica.hasLeft(person) { return .left }
        if let removal = try replica.removal(of: person) {
            // The person must not learn the names of others any more.
            let maker = removal.maker.level == .founder ? "the founder" : "a host"
            return removal.person.isDeclined
                ? .declined("\(maker) did not let you in") : .refused("\(maker) removed you from the event")
        }
        return try replica.isRetired(device, of: person) ? .retired : nil
    }

    private func judgement(_ verdict: Verdict, of hello: Hello, _ outcome: MergeOutcome? = nil) throws -> Judgement {
        let person = try replica.admittedPerson(of: hello.device)
        let isRelay = try person.map { try replica.level(of: $0) == .relay } ?? false
        return Judgement(verdict: verdict, outcome: outcome, person: person, isRelay: isRelay)
    }

    private static let isClosed = "the invitation is closed: ask for a new one"

    /// Why a newcomer's invitation does not open the door; nil if it does.
    private func refusal(
        of hello: Hello,
        person: PersonID,
        _ session: Session,
        at now: Timestamp
    ) throws -> String? {
        let shown = session.invitation(shownIn: hello, by: person)
        guard let id = shown, let invitation = try replica.invitation(id) else {
            if try mayHaveLost(shown, shownBy: person) { return nil }
            guard let shown else { return "you are not a participant and showed no invitation" }
            return try isOpenAsFarAsKnown(shown, for: person)
                ? "the invitation is not known here: try again later, or ask for a new one" : Self.isClosed
        }
        // Who waits for a host's word may wait inside, and hears at once when it comes.
        let isAsking = invitation.terms.asks && !invitation.isClosed
        if isAsking, try replica.isWaiting(person) { return nil }
        if let expires = invitation.terms.expires, expires < now {
            // A machine whose clock runs ahead shuts the door before time, and somebody has to see that.
            let hours = (now.milliseconds - expires.milliseconds) / 3_600_000
            let since = hours > 0 ? ", \(hours) hours ago by the clock here" : ""
            return "the invitation has expired\(since): ask for a new one"
        }
        if let uses = invitation.terms.uses, invitation.used >= Int(uses) {
            return "the invitation is used up: ask for a new one"
        }
        if try !isAsking && !replica.isOpen(id, at: invitation.terms.level, for: person) {
            return try replica.isWaiting(person)
                ? "you wait to be let in: ask a host of the event" : Self.isClosed
        }
        return nil
    }

    /// Looks again at peers that greeted before, when admissions have changed, and returns those for whom something has.
    ///
    /// In one look at the replica: a relay meets a thousand, each time that somebody comes in.
    package func judgeAgain(_ peers: [GreetedPeer]) throws -> [(peer: GreetedPeer, judgement: Judgement)] {
        let persons = try replica.admittedPersons(of: peers.map(\.device))
        return try zip(peers, persons).compactMap { peer, person in
            try judgement(of: peer, admittedAs: person).map { (peer, $0) }
        }
    }

    /// What has changed for a peer whose person is admitted by now, or is nobody who is; nil if nothing has.
    private func judgement(of peer: GreetedPeer, admittedAs person: PersonID?) throws -> Judgement? {
        guard person != peer.person else {
            // Who waits outside may turn out to be somebody who left or was removed.
            guard person == nil, let owner = try replica.owner(of: peer.device) else { return nil }
            return try exclusion(of: peer.device, owner).map { Judgement(verdict: $0) }
        }
        let refusal =
            try peer.person.flatMap { try exclusion(of: peer.device, $0) }
            ?? .refused("you no longer take part: ask a host of the event")
        let isRelay = try person.map { try replica.level(of: $0) == .relay } ?? false
        return Judgement(verdict: person == nil ? refusal : .admitted, person: person, isRelay: isRelay)
    }
}

/// A peer that has shown which device it is.
package struct GreetedPeer: Sendable {
    /// The connection.
    package let id: PeerID
    /// The device.
    package let device: DeviceName
    /// Whose it was when it was last looked at; nil: it was not admitted.
    package let person: PersonID?

    /// Describes a peer that greeted.
    package init(_ id: PeerID, device: DeviceName, person: PersonID?) {
        (self.id, self.device, self.person) = (id, device, person)
    }
}

extension Replica {
    /// This device's fabric journal as it stands in a greeting, its certificate first.
    package func ownFabric() throws -> [[UInt8]] {
        try serve(own.name, .fabric, after: [], byteLimit: 8 << 10).runs.map { $0.encoded() }
    }
}

extension OwnDevice {
    /// What this device says of itself in one session, with its fabric journal as encoded runs.
    package func hello(in session: Session, certificates: [[UInt8]]) -> Hello {
        var hello = Hello(
            device: name,
            certificates: certificates,
            signature: signing.sign(session.statement(isInitiator: session.isInitiator)).bytes
        )
        if let invitation {
            let statement = session.statement(isInitiator: session.isInitiator, person: person)
            hello.invitation = invitation.id
            hello.invitationProof = invitation.signing.sign(statement).bytes
        }
        return hello
    }
}

extension Session {
    /// The invitation of which a greeting proves that its person holds the key; nil if it names none, or the proof is wrong.
    fileprivate func invitation(shownIn hello: Hello, by person: PersonID) -> InvitationID? {
        guard let id = hello.invitation, let proof = Signature(hello.invitationProof) else { return nil }
        return proof.isValid(for: statement(isInitiator: !isInitiator, person: person), by: id.raw) ? id : nil
    }

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
