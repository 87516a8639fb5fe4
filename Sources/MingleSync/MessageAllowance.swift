// SPDX-License-Identifier: Apache-2.0

/// How many messages somebody may send unasked: some at once, and so many a second.
struct MessageAllowance: Sendable {
    /// Items that count as much as one more message.
    private static let itemsPerMessage = 16

    private let burst: Int
    private let perSecond: Int
    /// Messages that may be sent at once now, in thousandths.
    private var left: Int
    private var since: Duration

    /// Begins with a whole burst.
    init(burst: Int, perSecond: Int, at now: Duration) {
        (self.burst, self.perSecond) = (burst, perSecond)
        (left, since) = (burst * 1000, now)
    }

    /// Counts a message with so many items; false if it is one too many.
    mutating func take(items: Int = 0, at now: Duration) -> Bool {
        let milliseconds = min((now - since) / .milliseconds(1), 1e6)
        let earned = Int(milliseconds) * perSecond
        if earned > 0 { (left, since) = (min(left + earned, burst * 1000), now) }
        left -= 1000 + min(items, 1 << 20) * 1000 / Self.itemsPerMessage
        return left >= 0
    }
}
