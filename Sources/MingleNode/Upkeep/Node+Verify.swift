// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
package import MingleAPI
import MingleEvent
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
    ///
    /// - Parameter tell: Hears how far it is.
    package func verify(
        event id: String?,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) async throws -> API.Verification {
        let all = try folder.events(id)
        return try await told(.verify, tell) { tell in
            let work = folder.work(on: all, tell)
            var events: [API.EventVerification] = []
            for event in all { events.append(try await verify(event, work)) }
            return API.Verification(sound: events.allSatisfy(\.sound), events: events)
        }
    }

    private func verify(_ event: EventID, _ work: LongWork) async throws -> API.EventVerification {
        let (session, isReopening) = state.withLock { ($0.sessions[event], $0.reopening.contains(event)) }
        return try await apart { [folder] in
            do {
                guard let session else {
                    guard !isReopening else { throw ReplicaError.closed }
                    return EventFolder(event, in: folder).verify(work)
                }
                var verification = API.EventVerification(event)
                try verification.look(at: session.replica, of: session.files, work)
                try verification.look(at: session.blobs, work)
                return verification
            } catch {
                return API.EventVerification(event, failedBy: error)
            }
        }
    }

    /// Drops of an event, or of all events, what is damaged, and fetches it again from others.
    ///
    /// While an event is repaired it is closed. Of all events one that fails keeps no other from being repaired.
    ///
    /// - Parameter tell: Hears how far it is.
    package func repair(
        event id: String?,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) async throws -> API.Repair {
        let all = try folder.events(id)
        return try await told(.repair, tell) { tell in
            let work = folder.work(on: all, tell)
            var events: [API.EventRepair] = []
            for event in all {
                do {
                    events.append(try await repair(event, work))
                } catch {
                    guard id == nil else { throw error }
                    events.append(API.EventRepair(event, failedBy: error))
                }
            }
            return API.Repair(events: events)
        }
    }

    /// What an event lacks that somebody may have, as far as this node has heard.
    package func missing(event id: String?) throws -> API.Missing {
        let session = try session(id)
        return try session.missing()
    }

    private func repair(_ event: EventID, _ work: LongWork) async throws -> API.EventRepair {
        let (isFirst, session) = state.withLock { state -> (Bool, EventSession?) in
            guard state.reopening.insert(event).inserted else { return (false, nil) }
            return (true, state.sessions.removeValue(forKey: event))
        }
        guard isFirst else {
            throw API.Problem(.conflict, "The event \(event) is being repaired or reopened. Try again in a moment.")
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
                    return try EventFolder(event, in: folder).repair(work)
                }
            )
        } catch {
            repair = .failure(error)
        }
        try takeUp(event)
        return try repair.get()
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
    /// Looks at all that is stored of an event, or of all events, where no node runs.
    ///
    /// - Parameter tell: Hears how far it is.
    package func verify(
        event id: String? = nil,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) throws -> API.Verification {
        let all = try events(id)
        let work = work(on: all, tell)
        let events = all.map { EventFolder($0, in: self).verify(work) }
        return API.Verification(sound: events.allSatisfy(\.sound), events: events)
    }

    /// Drops of an event, or of all events, what is damaged, where no node runs; what is lost is fetched once one does.
    ///
    /// - Parameter tell: Hears how far it is.
    package func repair(
        event id: String? = nil,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) throws -> API.Repair {
        let all = try events(id)
        let work = work(on: all, tell)
        return API.Repair(
            events: try all.map { event in
                do {
                    return try EventFolder(event, in: self).repair(work)
                } catch {
                    guard id == nil else { throw error }
                    return API.EventRepair(event, failedBy: error)
                }
            }
        )
    }
    /// Looking at all that is stored of some events.
    fileprivate func work(on events: [EventID], _ tell: @escaping @Sendable (API.HowFar) -> Void) -> LongWork {
        LongWork(total: events.reduce(0) { $0 + EventFolder($1, in: self).files.bytesToLookAt }, tell: tell)
    }
}
