// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
package import MingleModel
import Synchronization

/// The two clocks that a node reads; tests hand in others.
package struct NodeClock: Sendable {
    /// What time it is.
    package var now: @Sendable () -> Timestamp
    /// Time since some fixed moment, which never goes back.
    package var uptime: @Sendable () -> Duration

    /// Reads the given clocks.
    package init(now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Duration) {
        (self.now, self.uptime) = (now, uptime)
    }

    /// The machine's clocks.
    package static let system: NodeClock = {
        let start = ContinuousClock.now
        return NodeClock(
            now: { Timestamp(milliseconds: Date().milliseconds) },
            uptime: { ContinuousClock.now - start }
        )
    }()
}

/// The time by which a node notes when it stored what came: its own clock's, moved to the middle of others' clocks.
///
/// Nothing that is written or signed has this time.
final class CommonTime: Sendable {
    private let ahead = Mutex<Int64>(0)

    /// Takes the seconds by which the middle of others' clocks is ahead of this machine's.
    func set(ahead seconds: Int64) { ahead.withLock { $0 = seconds } }

    /// What time it is.
    func time(by clock: NodeClock) -> Timestamp {
        let milliseconds = ahead.withLock { $0 }.multipliedReportingOverflow(by: 1000).partialValue
        return Timestamp(milliseconds: clock.now().milliseconds.addingReportingOverflow(milliseconds).partialValue)
    }
}
