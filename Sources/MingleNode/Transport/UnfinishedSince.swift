// SPDX-License-Identifier: Apache-2.0

import MingleWire

/// Since when one connection's messages are unfinished: a value without clocks.
struct UnfinishedSince: Sendable {
    private struct Beginning: Sendable {
        var number: UInt64
        var time: Duration
    }

    private var beginnings: [Lane: Beginning] = [:]
    private var pausedAt: Duration?

    /// Notes what is unfinished now, and returns what it weighs.
    mutating func note(
        _ unfinished: [(lane: Lane, number: UInt64, byteCount: Int)],
        at now: Duration
    ) -> UnfinishedMessages.Load {
        let paused = pausedAt.map { now - $0 } ?? .zero
        pausedAt = nil
        var next: [Lane: Beginning] = [:]
        var load = UnfinishedMessages.Load()
        for message in unfinished {
            let known = beginnings[message.lane].flatMap { $0.number == message.number ? $0.time + paused : nil }
            let time = known ?? now
            next[message.lane] = Beginning(number: message.number, time: time)
            load.add(message.byteCount, since: time)
        }
        beginnings = next
        return load
    }

    /// Nothing is read for a while, which makes nothing heavier.
    mutating func pause(at now: Duration) { pausedAt = pausedAt ?? now }
}
