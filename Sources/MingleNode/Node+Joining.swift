// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
package import MingleWire
import Synchronization

extension Node {
    /// How long joining waits for another member after one has refused, or did not know what the event is called.
    static let refusalGrace = Duration.seconds(2)
    /// How many times the wait for an answer joining takes where a member has let this person in, and not all has come.
    private static let patience = 4

    /// How coming to an event ended.
    private enum Entry {
        /// The event can be read.
        case open
        /// A host has to let this person in, or the founder.
        case asking
        /// Nobody let it in.
        case closed
    }

    /// Joins an event by its link; waits until a member let this person in and the event can be read, or until it is known
    /// that a host has to say so.
    ///
    /// - Parameter asDevice: whether the link may make this node a further device of the person who made it; nobody is to become
    ///   that who meant to join a party.
    package func join(link text: String, asDevice: Bool = false) async throws -> API.Event {
        let link = try Self.readJoinLink(text, asDevice: asDevice)
        guard state.withLock({ $0.entering.insert(link.event).inserted }) else {
            throw API.Problem(.unavailable, "This node is joining that event already. Wait until it has joined.")
        }
        defer { state.withLock { _ = $0.entering.remove(link.event) } }
        if case .device = link.kind { return try await join(asDeviceBy: link) }
        if let known = state.withLock({ $0.sessions[link.event] }) { return try await comeBack(to: known, by: link) }
        return try await enter(link)
    }

    /// Joins an event again whose folder is here.
    private func comeBack(to known: EventSession, by link: InvitationLink) async throws -> API.Event {
        guard !known.isLeaving else {
            throw API.Problem(
                .conflict,
                "You are leaving that event, and nobody else knows it yet. Wait until another participant knows it, or forget "
                    + "the event at once (mingle event leave \(known.event) --now). Then join again as a new person."
            )
        }
        let isByAnother = known.replica.own.invitation.map { $0.id != InvitationKeys(seed: link.seed).id } ?? false
        let other = API.Problem(
            .conflict,
            "You joined that event by another link, and nobody has let you in yet. Leave the event (mingle event leave "
                + "\(known.event) --now), then join by this link."
        )
        do {
            // A stop may have come before an earlier try was let in.
            if try await letIn(known) == .asking {
                if isByAnother { throw other }
                return try wait(in: known)
            }
        } catch let problem as API.Problem where problem.name == .badInvitation && isByAnother {
            // What was said of the other link is not so of this one.
            throw other
        }
        if let reason = known.reasonToStayOut {
            throw API.Problem(
                .notAllowed,
                "You joined that event before, and the others do not let you in now: \(reason). \(known.wayBackIn)"
            )
        }
        guard try known.ownLevel() != nil else {
            throw API.Problem(
                .notAllowed,
                "You joined that event before and wait for a host. Ask a host to let you in, or leave the event (mingle "
                    + "event leave \(known.event)) and join by another link."
            )
        }
        try updateSettings { $0.current = known.event.description }
        return try show(known)
    }

    private func enter(_ link: InvitationLink) async throws -> API.Event {
        let secrets = Secrets.joining(link, .system)
        let session = try makeSession(link.event, secrets) { replica in
            _ = try replica.enter(secrets: secrets, at: clock.now(), randomness: .system)
        }
        do {
            try begin(session, isCurrent: false)
            for hint in link.hints { learn([hint], of: link.event) }
            if try await letIn(session) == .asking { return try wait(in: session) }
        } catch {
            try? await forget(link.event)
            doubtNearby(link.event)
            throw error
        }
        try updateSettings { $0.current = link.event.description }
        introduce(in: session)
        return try show(session)
    }

    /// Keeps an event that somebody has to let this person into.
    private func wait(in session: EventSession) throws -> API.Event {
        _ = session.isEntering.exchange(true)
        try updateSettings { $0.current = session.event.description }
        return try show(session)
    }

    /// Says the name that was chosen before, at once or as soon as that is possible.
    func introduce(in session: EventSession) {
        _ = session.isEntering.exchange(true)
        greet(in: session)
    }

    /// Says the name of somebody who has come in and has not said it yet.
    func greet(in session: EventSession) {
        guard session.isEntering.isSet else { return }
        session.attempt("share the name of a person who was let in") {
            guard let level = try session.ownLevel(), try session.replica.hasKey() else { return }
            // A door that may do more than its link is for leaves, and is not introduced.
            guard !configuration.isDoor || level == .guest || takesPart(session) else { return }
            // First of all: who chooses another name meanwhile says it alone.
            _ = session.isEntering.exchange(false)
            let person = try session.replica.person(session.replica.own.person)
            let isDoor = configuration.isDoor && level == .attendee
            guard let name = state.withLock({ $0.settings.name }), person.name != name || person.isDoor != isDoor
            else { return }
            do {
                try session.service.rename(to: name, asDoor: isDoor)
            } catch {
                // The key is being renewed, or the disk is full: it is said with a later look.
                let passes = [.unavailable, .noSpace].contains(API.Problem(error).name)
                if passes { _ = session.isEntering.exchange(true) }
                if API.Problem(error).name != .unavailable { throw error }
            }
        }
    }

    /// Waits until the event can be read, somebody has to say so, its members refuse, or nobody answers.
    private func letIn(_ session: EventSession) async throws -> Entry {
        let entry = try await awaitEntry(to: session)
        guard entry == .closed else { return entry }
        let waiting = try session.waiting()
        // Whoever refused may not have heard of the invitation.
        if waiting?.mayEnd == true { return .asking }
        if let reason = session.refusalReason {
            throw API.Problem(.badInvitation, "The event's members do not let you in: \(reason).")
        }
        if waiting == .forHost(isClosed: true) {
            throw API.Problem(.badInvitation, "The event's members do not let you in: the invitation is closed.")
        }
        if session.isLetIn {
            throw API.Problem(
                .unavailable,
                "A participant let you in, but did not send the event's key. Try again near another participant."
            )
        }
        throw API.Problem(
            .unavailable,
            "No participant of the event answered within \(configuration.joinTimeout.components.seconds) seconds. Use the "
                + "same network as a participant whose Mingle is running. If the network keeps devices apart, start with "
                + "--peer HOST:PORT. `mingle doctor` says more."
        )
    }

    /// Waits for the first sign of how an entry goes on, and a little longer where others may know better.
    private func awaitEntry(to session: EventSession) async throws -> Entry {
        try await withThrowingTaskGroup(of: Entry.self) { group in
            group.addTask { [changes] in
                let isOpen = try await changes.wait(until: {
                    // The link may be a relay's and say otherwise: then no key ever comes.
                    if try session.ownLevel() == .relay { throw API.Problem.relayLink }
                    return try session.replica.hasKey() && session.replica.title() != nil
                })
                return isOpen ? .open : .closed
            }
            group.addTask { [changes] in
                _ = try await changes.wait(until: { try session.isNameless() })
                // Another member may know what the event is called.
                try await Task.sleep(for: Self.refusalGrace)
                return .open
            }
            group.addTask { [changes] in
                repeat {
                    _ = try await changes.wait(until: { try session.waiting()?.mayEnd == true })
                    // Somebody may be there to let this person in at once, or say that the invitation is closed.
                    try await Task.sleep(for: Self.refusalGrace)
                } while try session.waiting()?.mayEnd != true
                return .asking
            }
            group.addTask { [changes] in
                repeat {
                    _ = await changes.wait(until: { session.shutOut != nil })
                    // Another member may know more than the first who answered.
                    try await Task.sleep(for: Self.refusalGrace)
                } while session.shutOut == nil
                return .closed
            }
            group.addTask { [timeout = configuration.joinTimeout] in
                // To whom a member has opened, all is on its way, however slow the network is.
                for _ in 0..<Self.patience {
                    try await Task.sleep(for: timeout)
                    let isIn = try session.ownLevel() != nil && session.replica.hasKey()
                    guard !isIn, session.isLetIn, try session.waiting() == nil else { break }
                }
                // What the event is called may be long in coming: who is in is in.
                return try session.ownLevel() != nil && session.replica.hasKey() ? .open : .closed
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .closed
        }
    }

    // MARK: - Links

    /// Reads a link to take part by, or says what to do with it; `asDevice` as in ``join(link:asDevice:)``.
    @discardableResult
    package static func readJoinLink(_ text: String, asDevice: Bool) throws -> InvitationLink {
        let link = try read(text)
        switch link.kind {
        case .relay: throw API.Problem.relayLink
        case .door: throw API.Problem.doorLink
        case .device where !asDevice: throw API.Problem.unmeantDeviceLink
        case .people where asDevice: throw API.Problem.unmeantInvitation
        case .people, .device: return link
        }
    }

    static func read(_ text: String) throws -> InvitationLink {
        do {
            return try InvitationLink(text)
        } catch .notAnInvitation {
            throw API.Problem(
                .badRequest,
                "This is not an invitation link. Ask for the link again. An invitation begins with \(InvitationLink.scheme), "
                    + "a relay's link with \(InvitationLink.relayScheme), a device link with \(InvitationLink.deviceScheme)."
            )
        } catch .damaged {
            throw API.Problem(
                .badRequest,
                "The link is damaged: characters are missing or changed. Copy the whole link again, or scan its code."
            )
        } catch .unknownVersion(let version) {
            throw API.Problem(
                .badInvitation,
                "The link has version \(version), which this Mingle does not know. Install a newer Mingle."
            )
        }
    }
}
