// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleReplica
import Synchronization

/// What changed lately, for those who look: the one feed of an event's session that live views refetch from.
package final class ChangeFeed: Sendable {
    /// One change, with its place in the feed.
    package struct Entry: Sendable {
        /// Its place, counted from 1 since the node started.
        package let number: UInt64
        /// The kinds of which records changed, and `media`, `peers`, `people`, `status`.
        package let kinds: [String]
        /// Which records these are, and on which they hang; nil: it may be any.
        package let records: [ChangedRecord]?
    }

    private struct State {
        var number: UInt64 = 0
        var recent: [Entry] = []
        var listeners: [UInt64: AsyncStream<Entry>.Continuation] = [:]
        var nextListener: UInt64 = 0

        mutating func append(
            _ kinds: [String],
            _ records: [ChangedRecord]?
        ) -> (Entry, [AsyncStream<Entry>.Continuation]) {
            number += 1
            let entry = Entry(number: number, kinds: kinds, records: records)
            recent.append(entry)
            if recent.count > ChangeFeed.retention { recent.removeFirst() }
            return (entry, Array(listeners.values))
        }
    }

    /// Changes that a listener who comes back can still be told of.
    private static let retention = 256
    /// Changes that a slow listener may leave unread; of more it gets the newest.
    private static let backlog = 64

    /// Tells this feed from that of an earlier run.
    package let session: String
    private let state = Mutex(State())
    private let publishing = Mutex(())

    /// Begins with no changes.
    package init() { session = String(UInt32.random(in: .min ... .max), radix: 36) }

    /// Tells every listener.
    ///
    /// - Parameters:
    ///   - kinds: what kinds of things changed.
    ///   - records: the records among them, and those on which they hang; nil: it may be any.
    package func publish(kinds: [String], records: [ChangedRecord]? = nil) {
        // Yielding takes the lock of the listener's task. A task that is cancelled holds that lock and takes the one of
        // the state, so nothing is yielded while that is held; the lock of publishing keeps the order.
        publishing.withLock { _ in
            let (entry, listeners) = state.withLock { $0.append(kinds, records) }
            for listener in listeners { listener.yield(entry) }
        }
    }

    /// Changes from now on, until the reader stops.
    package func changes() -> AsyncStream<Entry> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.backlog)) { continuation in
            let id = state.withLock { state in
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[id] = nil }
            }
        }
    }

    /// Waits until `condition` holds, looking now and at every change; false if the task was cancelled before.
    package func wait(until condition: () throws -> Bool) async rethrows -> Bool {
        let changes = changes()
        if try condition() { return true }
        for await _ in changes where try condition() { return true }
        return false
    }

    /// The changes after `number`, or nil if they are not all kept any more.
    package func changes(after number: UInt64) -> [Entry]? {
        state.withLock { state in
            guard number <= state.number else { return nil }
            guard number + UInt64(state.recent.count) >= state.number else { return nil }
            return state.recent.filter { $0.number > number }
        }
    }
}
