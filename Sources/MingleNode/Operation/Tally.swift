// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What happened in one event since the node started, in numbers that only grow.
final class Tally: Sendable {
    /// How long something took: how often it happened, and how often within some time.
    struct Durations: Sendable {
        /// Seconds up to which is counted; above the last there is everything.
        static let bounds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 2, 10]

        private(set) var count = 0
        private(set) var seconds = 0.0
        /// How many took as long as each bound at most.
        private(set) var within = [Int](repeating: 0, count: bounds.count)

        mutating func add(_ duration: Duration) {
            let length = duration / .seconds(1)
            count += 1
            seconds += length
            for (place, bound) in Self.bounds.enumerated() where length <= bound { within[place] += 1 }
        }
    }

    struct Counts: Sendable {
        var merges = Durations()
        var scrubs = Durations()
        var mergedDeltas = 0
        var refusedRuns = 0
        var errors = 0
    }

    private let state = Mutex(Counts())

    /// All numbers as they stand now.
    var counts: Counts { state.withLock { $0 } }

    func note(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
}
