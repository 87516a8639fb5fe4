// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
package import MingleWire
import Synchronization

extension Node {
    /// How long joining waits for another member after one has refused.
    static let refusalGrace = Duration.seconds(2)

    /// The session that a request concerns: the event that it names, or the current one.
    func session(_ id: String?) throws -> EventSession {
        let found = state.withLock { state -> EventSession? in
            let sessions = state.shown
            if let id { return EventID(text: id).flatMap { sessions[$0] } }
            return state.settings.current.flatMap { EventID(text: $0) }.flatMap { sessions[$0] }
                ?? sessions.min { $0.key < $1.key }?.value
        }
        if let found { return found }
        if state.withLock({ !$0.reopening.isEmpty }) { throw API.Problem(ReplicaError.closed) }
        if let event = state.withLock({ $0.unopened.min() }), id == nil || id == event.description {
            throw API.Problem(.unavailable, "The event \(event) could not be opened: `mingle status` says why.")
        }
        if let id { throw API.Problem(.notFound, "This node takes part in no event with the id \(id.prefix(60)).") }
        throw API.Problem(
            .noEvent,
            "This node takes part in no event yet: start one (mingle event create TITLE) or join one (mingle join LINK)."
        )
    }

    /// The same, or nil where no event is named and there is none.
    func sessionIfAny(_ id: String?) throws -> EventSession? { id == nil ? try? session(nil) : try session(id) }

    /// Starts an event.
    package func createEvent(title: String) async throws -> API.Event {
        let title = try Wording.title(title)
        let (event, secrets) = Secrets.founding(.system)
        let session = try makeSession(event, secrets) { replica in
            try replica.found(title, secrets: secrets, at: clock.now(), randomness: .system)
        }
        try begin(session)
        _ = try invite(expires: nil, uses: nil, in: event.description)
        return try show(session)
    }

    /// Joins an event by its link; waits until a member let this person in and the event can be read, or until it is known
    /// that a host has to say so.
    ///
    /// - Parameter asDevice: whether the link may make this node a further device of the person who made it; nobody is to become
    ///   that who meant to join a party.
    package func join(link text: String, asDevice: Bool = false) async throws -> API.Event {
        let link = try Self.readJoinLink(text, asDevice: asDevice)
        guard state.withLock({ $0.entering.insert(link.event).inserted }) else {
            throw API.Problem(.unavailable, "This node is joining that event already. Wait until it is in.")
        }
        defer { state.withLock { _ = $0.entering.remove(link.event) } }
        if case .device = link.kind { return try await join(asDeviceBy: link) }
        if let known = state.withLock({ $0.sessions[link.event] }) {
            guard !known.isLeaving else {
                throw API.Problem(
                    .conflict,
                    "You are leaving that event, and nobody has heard of it yet. Wait until somebody has, or forget it at once (mingle "
                        + "event leave \(link.event) --now); then come by the link as somebody new."
                )
            }
            // A stop may have come before an earlier try was let in.
            if try await letIn(known) == .asking { return try wait(in: known) }
            if let reason = known.reasonToStayOut {
                throw API.Problem(
                    .notAllowed,
                    "You came to that event before, and the others do not let you in: \(reason). \(known.wayBackIn)"
                )
            }
            guard try known.ownLevel() != nil else {
                throw API.Problem(
                    .notAllowed,
                    "You came to that event before and wait to be let in. Ask a host to do that, or leave it (mingle "
                        + "event leave \(link.event)) and come by another link."
                )
            }
            try updateSettings { $0.current = link.event.description }
            return try show(known)
        }
        return try await enter(link)
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
        applyName(to: session)
        return try show(session)
    }

    /// Keeps an event that a host has to let this person into.
    private func wait(in session: EventSession) throws -> API.Event {
        _ = session.isEntering.exchange(true)
        try updateSettings { $0.current = session.event.description }
        return try show(session)
    }

    /// Says the name of somebody who waited and was let in.
    func greet(in session: EventSession) {
        guard session.isEntering.isSet else { return }
        session.attempt("see whether a host has let this person in") {
            guard let level = try session.ownLevel(), try session.replica.hasKey() else { return }
            // A showcase that may do more than read leaves, and is not introduced.
            guard !configuration.isShowcase || level == .guest else { return }
            _ = session.isEntering.exchange(false)
            applyName(to: session)
        }
    }

    /// Shows another event from now on.
    package func choose(_ id: String) throws -> API.Event {
        let session = try session(id)
        try updateSettings { $0.current = session.event.description }
        changes.publish(kinds: ["status"])
        return try show(session)
    }

    /// All events of this node, as the API lists them.
    package func eventList() throws -> API.Envelope.Events { API.Envelope.Events(events: try allEvents()) }

    /// All events of this node.
    package func allEvents() throws -> [API.Event] {
        try state.withLock { $0.shown }.sorted { $0.key < $1.key }.map { try show($0.value) }
    }

    func show(_ session: EventSession) throws -> API.Event {
        let counts = try session.counts.counts(of: session.replica)
        let person = try session.replica.person(session.replica.own.person)
        let opening = try session.replica.nearbyOpening(at: clock.now())
        return API.Event(
            id: session.event.description,
            title: try session.isRelay
                ? "event \(session.event.description.prefix(8))" : session.replica.title() ?? "…",
            level: person.levelWord,
            founder: person.level == .founder,
            current: (try? self.session(nil).event) == session.event,
            people: Int(counts.people),
            photos: Int(counts.photos),
            moments: Int(counts.moments),
            reports: Int(counts.reports),
            requests: counts.requests,
            reportThreshold: try session.replica.reportThreshold(),
            nearby: opening != nil,
            nearbyUntil: opening?.ends.map { Date(milliseconds: $0.milliseconds) },
            created: try session.replica.created().map { Date(milliseconds: $0) } ?? Date()
        )
    }

    // MARK: - Steps

    /// Reads a link to take part by, or says what to do with it; `asDevice` as in ``join(link:asDevice:)``.
    @discardableResult
    package static func readJoinLink(_ text: String, asDevice: Bool) throws -> InvitationLink {
        let link = try read(text)
        switch link.kind {
        case .relay: throw API.Problem.relayLink
        case .device where !asDevice: throw API.Problem.unmeantDeviceLink
        case .people, .device: return link
        }
    }

    static func read(_ text: String) throws -> InvitationLink {
        do {
            return try InvitationLink(text)
        } catch .notAnInvitation {
            throw API.Problem(
                .badRequest,
                "That is no invitation: a Mingle invitation begins with \(InvitationLink.scheme), a relay's with "
                    + "\(InvitationLink.relayScheme), a link for another device of yours with \(InvitationLink.deviceScheme)."
            )
        } catch .damaged {
            throw API.Problem(
                .badRequest,
                "The invitation is damaged: characters are missing or changed. Copy the whole link again, or scan the code."
            )
        } catch .unknownVersion(let version) {
            throw API.Problem(
                .badInvitation,
                "The invitation is of version \(version), which this node does not know. Install a newer Mingle."
            )
        }
    }

    /// Makes an event's folder whole, or leaves nothing of it behind.
    func makeSession(
        _ event: EventID,
        _ secrets: Secrets,
        _ prepare: (Replica) throws -> Void
    ) throws -> EventSession {
        let path = folder.eventPath(event)
        guard !FileManager.default.fileExists(atPath: path) else { throw closedProblem(of: event) }
        do {
            try SafeFile.makeFolder(path)
            try secrets.write(to: EventFiles(path).secrets)
            let session = try openSession(event)
            try prepare(session.replica)
            try session.refreshFrontier()
            return session
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw API.Problem(error)
        }
    }

    /// Why an event has a folder and is not open.
    private func closedProblem(of event: EventID) -> API.Problem {
        if state.withLock({ $0.reopening.contains(event) }) { return API.Problem(ReplicaError.closed) }
        return API.Problem(
            .conflict,
            "You take part in that event already, and its folder \(folder.eventPath(event)) could not be opened: `mingle status` "
                + "says why, and what to do. What only this node has stays in that folder until then."
        )
    }

    func begin(_ session: EventSession, isCurrent: Bool = true) throws {
        state.withLock { $0.sessions[session.event] = session }
        session.start()
        try serveEvents()
        advertise()
        learnConfigured(for: session.event)
        if isCurrent {
            try updateSettings { $0.current = session.event.description }
            applyName(to: session)
        }
        changes.publish(kinds: ["status"])
    }

    /// Says the name that was chosen before, if the event does not know it yet.
    func applyName(to session: EventSession) {
        guard let name = state.withLock({ $0.settings.name }) else { return }
        session.attempt("say the name") { try session.rename(to: name) }
    }

    /// How coming to an event ended.
    private enum Entry {
        /// The event can be read.
        case open
        /// A host has to let this person in.
        case asking
        /// Nobody let it in.
        case closed
    }

    /// Waits until the event can be read, a host has to say so, its members refuse, or nobody answers.
    private func letIn(_ session: EventSession) async throws -> Entry {
        let entry = try await withThrowingTaskGroup(of: Entry.self) { group in
            group.addTask { [changes] in
                let isOpen = try await changes.wait(until: {
                    // The link may be a relay's and say otherwise: then no key ever comes.
                    if try session.ownLevel() == .relay { throw API.Problem.relayLink }
                    return try session.replica.hasKey() && session.replica.title() != nil
                })
                return isOpen ? .open : .closed
            }
            group.addTask { [changes] in
                _ = try await changes.wait(until: { try session.askedBy()?.isClosed == false })
                // A host may be there to let this person in at once.
                try await Task.sleep(for: Self.refusalGrace)
                return .asking
            }
            group.addTask { [changes] in
                _ = await changes.wait(until: { session.refusal.withLock { $0 } != nil })
                // Another member may know more than the first who answered.
                try await Task.sleep(for: Self.refusalGrace)
                return .closed
            }
            group.addTask { [timeout = configuration.joinTimeout] in
                try await Task.sleep(for: timeout)
                return .closed
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .closed
        }
        // Whoever refused may not have heard of the invitation.
        if try entry == .closed && session.askedBy()?.isClosed == false { return .asking }
        guard entry == .closed else { return entry }
        if let reason = session.refusalReason {
            throw API.Problem(.badInvitation, "The event's members do not let you in: \(reason).")
        }
        throw API.Problem(
            .unavailable,
            "No member of the event answered within \(configuration.joinTimeout.components.seconds) seconds. "
                + "Be on the same network as somebody whose node runs; where devices cannot see each other, start with "
                + "--peer HOST:PORT. `mingle doctor` says more."
        )
    }

    /// Deletes this node's copy of an event.
    func forget(_ event: EventID) async throws {
        let session = state.withLock { state in
            state.dialling.forget(event)
            state.names[event] = nil
            return state.sessions.removeValue(forKey: event)
        }
        // Somebody else does.
        guard let session else { return }
        try serveEvents()
        advertise()
        for (peer, link) in state.withLock({ $0.links }) where link.event == event {
            close(peer, Goodbye("left the event"))
        }
        session.stop()
        do {
            try folder.delete(event)
        } catch {
            // So that it can be left once more.
            state.withLock { _ = $0.unopened.insert(event) }
            throw API.Problem(.internal, "The event's folder \(folder.eventPath(event)) could not be deleted: \(error)")
        }
        changes.publish(kinds: ["status"])
    }

    /// Tells the transport which events incoming links may be of.
    func serveEvents() throws {
        let sessions = state.withLock { $0.sessions }
        try transport.serve(
            sessions.sorted { $0.key < $1.key }.map { event, session in
                EventPSK(event: event, psk: session.secrets.withLock { $0.psk })
            }
        )
    }
}
