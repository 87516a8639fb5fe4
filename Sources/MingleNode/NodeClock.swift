// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
package import MingleModel

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
