// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import Synchronization

/// What runs for long and blocks, outside of the threads that everything else needs.
private let upkeep = DispatchQueue(label: "mingle.upkeep", qos: .utility)

/// Runs what blocks on a queue of its own, one thing after the other.
func apart<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        upkeep.async { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

extension Node {
    /// Looks at all that is stored of an event, or of all events, and says what is damaged; the node goes on meanwhile.
    package func verify(event id: String?) async throws -> API.Verification {
        var events: [API.EventVerification] = []
        for event in try storedEvents(id) {
            let session = state.withLock { $0.sessions[event] }
            events.append(
                try await apart { [folder] in
                    guard let session else { return try EventFolder(event, in: folder).verify() }
                    var verification = API.EventVerification(event)
                    try verification.look(at: session.replica, path: session.path)
                    try verification.look(at: session.blobs)
                    return verification
                }
            )
        }
        return API.Verification(sound: events.allSatisfy(\.sound), events: events)
    }

    /// Drops of an event, or of all events, what is damaged, and fetches it again from others.
    ///
    /// While an event is repaired it is closed.
    package func repair(event id: String?) async throws -> API.Repair {
        var events: [API.EventRepair] = []
        for event in try storedEvents(id) { events.append(try await repair(event)) }
        return API.Repair(events: events)
    }

    /// What an event lacks that somebody may have, as far as this node has heard.
    package func missing(event id: String?) throws -> API.Missing {
        let session = try session(id)
        return try session.missing()
    }

    private func repair(_ event: EventID) async throws -> API.EventRepair {
        let (isFirst, session) = state.withLock { state -> (Bool, EventSession?) in
            guard state.reopening.insert(event).inserted else { return (false, nil) }
            return (true, state.sessions.removeValue(forKey: event))
        }
        guard isFirst else {
            throw API.Problem(.conflict, "The event \(event) is being repaired or opened anew. Try again in a while.")
        }
        defer {
            state.withLock { _ = $0.reopening.remove(event) }
            changes.publish(kinds: ["status", "peers"])
        }
        for (peer, link) in state.withLock({ $0.links }) where link.event == event {
            close(peer, Goodbye("is being repaired"))
        }
        let repair: Result<API.EventRepair, any Error>
        do {
            repair = .success(
                try await apart { [folder] in
                    session?.stop()
                    return try EventFolder(event, in: folder).repair()
                }
            )
        } catch {
            repair = .failure(error)
        }
        state.withLock { _ = $0.unopened.remove(event) }
        openKnown(event)
        if let session = state.withLock({ $0.sessions[event] }) {
            session.start()
            learnConfigured(for: event)
            try serveEvents()
            advertise()
        }
        return try repair.get()
    }

    /// The event that is named, or all that have a folder, also those that could not be opened.
    private func storedEvents(_ id: String?) throws -> [EventID] {
        let known = folder.events()
        guard let id else { return known }
        guard let event = EventID(text: id), known.contains(event) else {
            throw API.Problem(.notFound, "This node takes part in no event with the id \(id.prefix(60)).")
        }
        return [event]
    }
}

extension EventSession {
    /// What is lacking, and who has it.
    func missing() throws -> API.Missing {
        let (lag, entries) = (lag, Dictionary(uniqueKeysWithValues: roster.all))
        let present = roster.present
        return API.Missing(
            deltas: lag.deltas,
            payloads: lag.payloads,
            blobs: lag.blobs,
            bytes: wanted.totals.bytes,
            peers: lag.peers.filter { $0.share.deltas + $0.share.blobs > 0 }.map { peer, share in
                let person = entries[peer]?.person.flatMap { try? replica.person($0) }
                return API.Holder(
                    person: person.map { API.Person($0, here: present) },
                    address: entries[peer]?.address ?? "",
                    deltas: share.deltas,
                    blobs: share.blobs
                )
            }
        )
    }
}

extension DataFolder {
    /// Looks at all that is stored, where no node runs.
    package func verify() throws -> API.Verification {
        let events = try events().map { try EventFolder($0, in: self).verify() }
        return API.Verification(sound: events.allSatisfy(\.sound), events: events)
    }

    /// Drops what is damaged, where no node runs; what is lost is fetched once one does.
    package func repair() throws -> API.Repair {
        API.Repair(events: try events().map { try EventFolder($0, in: self).repair() })
    }
}
