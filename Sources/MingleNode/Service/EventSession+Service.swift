// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleCrypto
package import MingleEvent
import MingleModel
import MingleReplica
import Synchronization

/// What the node's person does in the event.
extension EventSession {
    /// How long a write waits for a new key.
    private static let keyPatience = Duration.seconds(25)

    /// The service of one request.
    var service: EventService {
        EventService(
            replica: replica,
            blobs: blobs,
            now: clock.now(),
            present: roster.present,
            attach: { [self] picture, kind, body in try attach(picture, kind, body) },
            author: { [self] body in try author(body) }
        )
    }

    /// Writes what `body` hands over, all of it or nothing, tells everybody, and returns the deltas' names.
    @discardableResult
    func author(_ body: (_ write: (Draft) throws -> Reference) throws -> Void) throws -> [Reference] {
        // A picture that was still on its way here would go with this node.
        if isLeaving { throw ReplicaError.left }
        do {
            let authored = try replica.author(at: clock.now(), randomness: .system, body)
            tell(authored.outcome, own: authored.runs)
            return authored.references
        } catch {
            pauseIfFull(error)
            if error as? ReplicaError == .keyOutdated { scheduleKeys() }
            throw error
        }
    }

    /// Runs `body`, which writes, and while somebody who is out has all keys runs it again after each change.
    ///
    /// A member makes a new key within half a minute of hearing of a removal. A `body` that fails has written nothing.
    func write<Result: Sendable>(_ body: @escaping @Sendable (EventService) throws -> Result) async throws -> Result {
        do { return try body(service) } catch ReplicaError.keyOutdated {}
        let written = Mutex<Result?>(nil)
        let attempt: @Sendable () throws -> Bool = { [self] in
            do {
                let result = try body(service)
                written.withLock { $0 = result }
                return true
            } catch ReplicaError.keyOutdated {
                return false
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in _ = try await changes.wait(until: attempt) }
            group.addTask { try? await Task.sleep(for: Self.keyPatience) }
            try await group.next()
            group.cancelAll()
        }
        guard let result = written.withLock({ $0 }) else { throw ReplicaError.keyOutdated }
        return result
    }

    /// What this node's person may do; nil: not let in.
    func ownLevel() throws -> Level? { try replica.level(of: replica.own.person) }

    /// This node's person.
    func ownPerson() throws -> API.Person { try service.ownPerson() }
}

extension Node {
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
