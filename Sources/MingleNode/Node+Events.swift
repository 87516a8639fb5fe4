// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Synchronization

extension Node {
    /// The session that a request concerns: the event that it names, or the current one.
    func session(_ id: String?) throws -> EventSession {
        let found = state.withLock { state -> EventSession? in
            let sessions = state.shown
            if let id { return EventID(text: id).flatMap { sessions[$0] } }
            return state.settings.current.flatMap { EventID(text: $0) }.flatMap { sessions[$0] }
                ?? sessions.min { $0.key < $1.key }?.value
        }
        if let found { return found }
        if state.withLock({ !$0.reopening.isEmpty }) { throw ReplicaError.closed }
        if let event = state.withLock({ $0.unopened.min() }), id == nil || id == event.description {
            throw API.Problem(.unavailable, "The event \(event) could not be opened. `mingle status` says why.")
        }
        if let id {
            throw API.Problem(
                .notFound,
                "This node has no event with the id \(id.prefix(60)). List its events: mingle event list."
            )
        }
        throw API.Problem(
            .noEvent,
            "This node has no event yet. Start one (mingle event create TITLE) or join one (mingle join LINK)."
        )
    }

    /// The same, or nil where no event is named and there is none.
    func sessionIfAny(_ id: String?) throws -> EventSession? { id == nil ? try? session(nil) : try session(id) }

    /// Starts an event.
    package func createEvent(_ new: API.Envelope.NewEvent) async throws -> API.Event {
        let title = try RequestValidation.title(new.title)
        let preset = try new.preset.map(RequestValidation.preset) ?? .usual
        let areas = try new.areas.map(RequestValidation.areas) ?? preset.areas
        let (event, secrets) = Secrets.founding(.system)
        let session = try makeSession(event, secrets) { replica in
            try replica.found(title, areas: areas, secrets: secrets, at: clock.now(), randomness: .system)
        }
        do {
            try begin(session)
            _ = try invite(expires: nil, uses: nil, in: event.description)
        } catch {
            // Who is told that it failed starts another one.
            try? await forget(event)
            throw error
        }
        return try show(session)
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
        let settings = try session.replica.settings()
        return API.Event(
            id: session.event.description,
            title: try session.isRelay
                ? "event \(session.event.description.prefix(8))" : session.replica.title() ?? API.Event.untitled,
            level: person.levelWord,
            founder: person.level == .founder,
            current: (try? self.session(nil).event) == session.event,
            people: Int(counts.people),
            photos: Int(counts.photos),
            moments: Int(counts.moments),
            reports: Int(counts.reports),
            requests: counts.requests,
            waiting: Int(counts.waiting),
            reportThreshold: try session.replica.reportThreshold(),
            nearby: opening != nil,
            nearbyUntil: opening?.ends.map { Date(milliseconds: $0.milliseconds) },
            areas: Area.allCases.filter(settings.areas.contains).map(\.word),
            timeZone: settings.timeZone,
            currency: settings.currency,
            whoInvites: settings.whoInvites.word,
            created: try session.replica.created().map { Date(milliseconds: $0) } ?? Date()
        )
    }

    // MARK: - Steps

    /// Makes an event's folder whole, or leaves nothing of it behind.
    func makeSession(
        _ event: EventID,
        _ secrets: Secrets,
        _ prepare: (Replica) throws -> Void
    ) throws -> EventSession {
        let path = folder.eventPath(event)
        guard !FileManager.default.fileExists(atPath: path) else { throw closedProblem(of: event) }
        guard state.withLock({ $0.hasRoom(for: event) }) else {
            throw API.Problem(
                .conflict,
                "This node takes part in \(ChannelLimits.events) events, which is the limit. Leave one first: mingle event "
                    + "leave ID"
            )
        }
        do {
            try SafeFile.makeFolder(path)
            try folder.files(of: event).write(secrets)
            let session = try openSession(event)
            try prepare(session.replica)
            try session.refreshFrontier()
            return session
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    /// Why an event has a folder and is not open.
    private func closedProblem(of event: EventID) -> any Error {
        if state.withLock({ $0.reopening.contains(event) }) { return ReplicaError.closed }
        return API.Problem(
            .conflict,
            "You take part in that event already, but its folder \(folder.eventPath(event)) could not be opened. `mingle "
                + "status` says why and what to do. The folder keeps what only this node has."
        )
    }

    /// Starts the session of an event that was opened, and looks for its members.
    func resume(_ session: EventSession) {
        session.start()
        if !session.isRelay, (try? session.mayYetBeLetIn()) == true { _ = session.isEntering.exchange(true) }
        learnConfigured(for: session.event)
        learnHints(of: session)
    }

    func begin(_ session: EventSession, isCurrent: Bool = true) throws {
        state.withLock { $0.sessions[session.event] = session }
        session.start()
        learnConfigured(for: session.event)
        try serveEvents()
        advertise()
        if isCurrent {
            try updateSettings { $0.current = session.event.description }
            introduce(in: session)
        }
        changes.publish(kinds: ["status"])
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
        uploads.dropAll(ofEvent: event.description)
        do {
            try folder.delete(event)
        } catch {
            // So that it can be left once more.
            state.withLock { _ = $0.unopened.insert(event) }
            throw API.Problem(.internal, "The event's folder \(folder.eventPath(event)) was not deleted: \(error)")
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
