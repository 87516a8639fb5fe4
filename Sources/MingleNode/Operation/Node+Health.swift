// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleModel
import Synchronization

extension API {
    /// Whether a node can do its work, for what watches over it.
    package struct Health: Codable, Sendable {
        package var ready: Bool
        /// Why it is not.
        package var reasons: [String]
    }
}

extension Node {
    /// Whether the node listens, has opened all its events, and has room to store what comes.
    ///
    /// A node without any connection is healthy, too.
    package func health() -> API.Health {
        let (port, unopened, reopening, sessions) = state.withLock {
            ($0.port, $0.unopened.count, $0.reopening.count, Array($0.sessions.values))
        }
        var reasons: [String] = []
        if port == 0 { reasons.append("the node does not listen for others") }
        if unopened > 0 {
            reasons.append("\(unopened.counted("event")) could not be opened (`mingle status` says why)")
        }
        if reopening > 0 { reasons.append("\(reopening.counted("event is", "events are")) being reopened") }
        if sessions.contains(where: { $0.room.withLock { $0.isFull } }) { reasons.append("the disk is full") }
        return API.Health(ready: reasons.isEmpty, reasons: reasons)
    }
}
