// SPDX-License-Identifier: Apache-2.0

import MingleReplica
import Synchronization

/// What an event holds in numbers, counted once after each change: every status asks for it.
final class CountCache: Sendable {
    private struct State {
        var counts: EventCounts?
        // Tells a count that began before a change from one that began after it.
        var generation = 0
    }

    private let state = Mutex(State())

    /// The counts, from `replica` where they are not known.
    func counts(of replica: Replica) throws -> EventCounts {
        let (known, generation) = state.withLock { ($0.counts, $0.generation) }
        if let known { return known }
        let counts = try replica.counts()
        state.withLock { state in
            if state.generation == generation { state.counts = counts }
        }
        return counts
    }

    /// Forgets the counts: something changed.
    func forget() {
        state.withLock { state in
            state.counts = nil
            state.generation += 1
        }
    }
}
