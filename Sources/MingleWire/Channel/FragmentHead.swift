// SPDX-License-Identifier: Apache-2.0

/// The first byte of a record's plaintext: the lane in the low three bits, and bit 7 on a message's last fragment.
package struct FragmentHead: Equatable, Sendable {
    /// The lane of the message.
    package let lane: Lane
    /// Whether the message ends here.
    package let isLast: Bool

    init(lane: Lane, isLast: Bool) { (self.lane, self.isLast) = (lane, isLast) }

    /// Reads a head; nil if it names no lane or sets a bit that means nothing.
    init?(_ byte: UInt8) {
        guard let lane = Lane(rawValue: byte & 0x7F) else { return nil }
        self.init(lane: lane, isLast: byte & 0x80 != 0)
    }

    /// The head as a byte.
    var byte: UInt8 { lane.rawValue | (isLast ? 0x80 : 0) }
}
