// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

extension Node {
    /// Makes a new invitation to a level below one's own; hosts and the founder can.
    ///
    /// Who comes by one that `asks` waits until a host lets them in. One for a door is for attendees, and has no limit.
    package func invite(
        as word: String? = nil,
        expires: Int?,
        uses: Int?,
        asks: Bool = false,
        isForDoor: Bool = false,
        in event: String?
    ) throws -> API.Invitation {
        let session = try session(event)
        let level = try word.map(RequestValidation.level) ?? .attendee
        try session.requireGoverning(level, "invite somebody as \(level.phrase)")
        guard uses.map({ (1...100_000).contains($0) }) ?? true, expires.map({ (1...315_360_000).contains($0) }) ?? true
        else {
            throw API.Problem(.badRequest, "An invitation allows 1 to 100 000 uses and lasts 1 second to 10 years.")
        }
        guard !isForDoor || level == .attendee && uses == nil && expires == nil && !asks else {
            throw API.Problem(
                .badRequest,
                "A link for a door has no expiry, no limit of uses and no approval, and its guests are attendees. For a door "
                    + "at which people only look: mingle invite --new --level guest."
            )
        }
        let seed = Randomness.system.secret()
        let now = clock.now()
        do {
            // First, as an invitation without a link would be open and nobody could come by it.
            try session.change { $0.add(issued: seed) }
            let authored = try session.replica.invite(
                InvitationKeys(seed: seed),
                as: level,
                expires: expires.map { Timestamp(milliseconds: now.milliseconds + Int64($0) * 1000) },
                uses: uses.map { UInt32($0) },
                asks: asks,
                isForDoor: isForDoor,
                at: now,
                randomness: .system
            )
            session.tell(authored.outcome, own: authored.runs)
        } catch {
            session.attempt("forget the link of an invitation that was not made") {
                try session.change { $0.takeBack(issued: seed) }
            }
            throw error
        }
        return try show(seed, in: session)
    }

    /// The invitation of an id, or the one that this node shows to everybody.
    ///
    /// That is one for attendees rather than for guests, and the newest of its own that is open rather than the one that it
    /// came by. One that makes hosts is never shown unasked, and one that lets in whoever is nearby never is: it ends with that.
    package func invitation(_ id: String? = nil, event: String?) throws -> API.Invitation {
        let session = try session(event)
        let openings = try session.replica.namedOpenings()
        let candidates = try session.seeds.compactMap { seed in
            try session.replica.invitation(InvitationKeys(seed: seed).id).map { (seed, $0) }
        }
        .filter { !openings.contains($0.1.terms.id) }
        if let id {
            guard let (seed, _) = candidates.first(where: { $0.1.terms.id.description == id }) else {
                throw API.Problem(.notFound, "This node has no link for the invitation \(id.prefix(60)).")
            }
            return try show(seed, in: session)
        }
        for level in [Level.attendee, .guest] {
            let open = candidates.filter {
                $0.1.terms.level == level && !$0.1.terms.isForDoor && $0.1.isOpen(at: clock.now())
            }
            // What one person is to come by is not for everybody.
            let forAll = open.filter { !$0.1.terms.asks }
            if let (seed, _) = forAll.first(where: { $0.1.terms.uses != 1 }) ?? forAll.first ?? open.first {
                return try show(seed, in: session)
            }
        }
        throw API.Problem(.notFound, "This node has no open invitation to show. A host of the event can make one.")
    }

    /// All invitations of the event, oldest first.
    package func invitations(event: String?) throws -> API.Envelope.Invitations {
        let session = try session(event)
        let openings = try session.replica.namedOpenings()
        let listed = try session.replica.invitations().map { try list($0, openings, in: session) }
        return API.Envelope.Invitations(invitations: listed)
    }

    /// Closes an invitation: who came by it stays, and nobody else comes in.
    package func closeInvitation(_ text: String, event: String?) throws -> API.ListedInvitation {
        let session = try session(event)
        guard let id = InvitationID(text: text),
            let invitation = try session.replica.invitation(id)
        else { throw API.Problem(.notFound, "The event has no invitation with the id \(text.prefix(60)).") }
        try session.requireGoverning(invitation.terms.level, "close that invitation")
        let openings = try session.replica.namedOpenings()
        guard !invitation.isClosed else { return try list(invitation, openings, in: session) }
        try close(id, in: session)
        return try list(try session.replica.invitation(id) ?? invitation, openings, in: session)
    }

    /// Closes an invitation, and makes a new key.
    func close(_ id: InvitationID, in session: EventSession) throws {
        let authored = try session.replica.close(id, at: clock.now(), randomness: .system)
        session.tell(authored.outcome, own: authored.runs)
    }

    private func show(_ seed: Secret, in session: EventSession) throws -> API.Invitation {
        let id = InvitationKeys(seed: seed).id
        let known = try session.replica.invitation(id)
        return API.Invitation(
            id: id.description,
            link: link(seed, known?.terms, in: session),
            level: (known?.terms.level ?? .attendee).word,
            expires: known?.terms.expires.map { Date(milliseconds: $0.milliseconds) },
            uses: known?.terms.uses.map { Int($0) },
            used: known?.used ?? 0,
            approval: known?.terms.asks ?? false,
            door: known?.terms.isForDoor ?? false
        )
    }

    /// - Parameter openings: Those for anyone nearby, be they over.
    private func list(
        _ invitation: ShownInvitation,
        _ openings: Set<InvitationID>,
        in session: EventSession
    ) throws -> API.ListedInvitation {
        let id = invitation.terms.id
        let isOpening = openings.contains(id)
        // No link for those nearby: whoever has it comes from anywhere, and guests would come as attendees.
        let seed = isOpening ? nil : session.seeds.first { InvitationKeys(seed: $0).id == id }
        return API.ListedInvitation(
            id: id.description,
            link: seed.map { link($0, invitation.terms, in: session) },
            level: invitation.terms.level.word,
            expires: invitation.terms.expires.map { Date(milliseconds: $0.milliseconds) },
            uses: invitation.terms.uses.map { Int($0) },
            used: invitation.used,
            closed: invitation.isClosed,
            approval: invitation.terms.asks,
            nearby: isOpening,
            door: invitation.terms.isForDoor,
            maker: API.Person(invitation.maker, here: session.roster.present)
        )
    }

    private func link(_ seed: Secret, _ terms: InvitationTerms?, in session: EventSession) -> String {
        InvitationLink(
            event: session.event,
            psk: session.secrets.withLock { $0.psk },
            seed: seed,
            hints: hints(of: session),
            kind: terms?.level == .relay ? .relay : terms?.isForDoor == true ? .door : .people
        )
        .text
    }

    /// Where a newcomer looks: at two relays first, which may be all that it can reach, and then at this machine.
    private func hints(of session: EventSession) -> [String] {
        let seen = state.withLock { $0.dialling.relays(of: session.event) }
        let relays = seen + session.relayAddresses.filter { !seen.contains($0) }
        return relays.prefix(2) + LocalAddresses.hints(port: peerPort)
    }
}

extension EventSession {
    /// Seeds of the invitations that this node can pass on: its own, the newest first, and the one that it came by.
    fileprivate var seeds: [Secret] {
        let secrets = secrets.withLock { $0 }
        return secrets.issued.reversed() + (secrets.cameBy.map { [$0] } ?? [])
    }

    /// Changes this device's keys, on the disk first.
    ///
    /// Under the lock, since two writers would take each other's file away.
    fileprivate func change(_ body: (inout Secrets) -> Void) throws {
        try secrets.withLock { secrets in
            var changed = secrets
            body(&changed)
            try files.write(changed)
            secrets = changed
        }
    }

    /// Refuses what only those may do who decide who is at `level`.
    func requireGoverning(_ level: Level, _ deed: String) throws {
        let own = try ownLevel()
        guard own?.governs(level) ?? false else {
            let word = own?.phrase ?? "not let in yet"
            let able = (level.governor ?? .founder).phrase
            throw API.Problem(.notAllowed, "You are \(word) and cannot \(deed). Ask \(able) of the event.")
        }
    }
}
