// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
package import MingleEvent
import MingleModel
import MingleReplica
import Synchronization

/// One person's part in an event on this node: what the person reads, and writes with a device whose keys are at hand.
///
/// The node's own person has one, and on a door each guest, for as long as one request takes.
package struct Part: Sendable {
    /// How long a write waits for a new key.
    private static let keyPatience = Duration.seconds(25)

    let session: EventSession
    /// The replica as the person's device faces it.
    let replica: Replica
    /// Whether a moderator has to look at what the person shares before others see it.
    var isHeldBack = false

    /// The service of one request.
    package var service: EventService {
        EventService(
            replica: replica,
            blobs: session.blobs,
            now: session.clock.now(),
            timeZone: .current,
            present: session.roster.present,
            attach: { picture, kind, body in try session.attach(picture, kind, owner: replica.own.person, body) },
            author: { body in try author(body) }
        )
    }

    /// Writes what `body` hands over, all of it or nothing, tells everybody, and returns the deltas' names.
    @discardableResult
    func author(_ body: (_ write: (Draft) throws -> Reference) throws -> Void) throws -> [Reference] {
        // A picture that was still on its way here would go with this node.
        if session.isLeaving { throw ReplicaError.left }
        do {
            let authored = try replica.author(at: session.clock.now(), randomness: .system, body)
            session.tell(authored.outcome, own: authored.runs)
            return authored.references
        } catch {
            session.pauseIfFull(error)
            if error as? ReplicaError == .keyOutdated { session.scheduleKeys() }
            throw error
        }
    }

    /// Runs `body`, which writes, and while somebody who is out has all keys runs it again after each change.
    ///
    /// A member makes a new key within half a minute of hearing of a removal. A `body` that fails has written nothing.
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (EventService) throws -> Result
    ) async throws -> Result {
        do { return try body(service) } catch ReplicaError.keyOutdated {}
        let written = Mutex<Result?>(nil)
        let attempt: @Sendable () throws -> Bool = {
            do {
                let result = try body(service)
                written.withLock { $0 = result }
                return true
            } catch ReplicaError.keyOutdated {
                return false
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await session.changes.wait(until: attempt) }
            group.addTask { try? await Task.sleep(for: Self.keyPatience) }
            try await group.next()
            group.cancelAll()
        }
        guard let result = written.withLock({ $0 }) else { throw ReplicaError.keyOutdated }
        return result
    }

    /// The person.
    func person() throws -> API.Person { try service.ownPerson() }
}

/// What the node's own person does in the event.
extension EventSession {
    /// The part of this node's person.
    var part: Part { Part(session: self, replica: replica) }

    /// The service of one request.
    var service: EventService { part.service }

    /// Writes what `body` returns.
    func write<Result: Sendable>(_ body: @escaping @Sendable (EventService) throws -> Result) async throws -> Result {
        try await part.write(body)
    }

    /// What this node's person may do; nil: not let in.
    func ownLevel() throws -> Level? { try replica.level(of: replica.own.person) }

    /// This node's person.
    func ownPerson() throws -> API.Person { try part.person() }
}

extension Node {
    /// The part of this node's person in an event; nil: the current one.
    package func part(_ event: String?) throws -> Part { try session(event).part }

    /// What this node's person can read and do in an event; nil: the current one.
    package func service(_ event: String?) throws -> EventService { try session(event).service }

    /// Runs `body`, which writes in an event, once there is a key that nobody has who was removed.
    package func write<Result: Sendable>(
        _ event: String?,
        _ body: @escaping @Sendable (EventService) throws -> Result
    ) async throws -> Result {
        try await session(event).write(body)
    }
}
