// SPDX-License-Identifier: Apache-2.0

/// The messages that wait to be sent, lane by lane, and the next fragment among them.
package struct Outbox: Sendable {
    /// A piece of a message, ready to be sealed.
    package struct Fragment: Sendable {
        /// The lane, and whether the message ends with it.
        package let head: FragmentHead
        /// The piece.
        package let bytes: ArraySlice<UInt8>
    }

    private struct Queue {
        var messages = FIFO<[UInt8]>()
        // How much of the first message is sent already.
        var offset = 0
        var bytes = 0
        var hasRefused = false
        // Bytes and messages queued since it was last told that the lane has room.
        var untold = (bytes: 0, messages: 0)
    }

    private let limits: ChannelLimits
    private let fragmentLength: Int
    private var queues = PerLane { _ in Queue() }

    /// Keeps messages up to `limits`.
    package init(limits: ChannelLimits) {
        self.limits = limits
        fragmentLength = min(
            max(limits.sentFragmentLength, ChannelLimits.leastFragmentLength),
            ChannelLimits.fragmentLength
        )
    }

    /// Whether nothing waits.
    package var isEmpty: Bool { Lane.allCases.allSatisfy { queues[$0].messages.isEmpty } }

    /// Queues `message` behind the others of its lane.
    package mutating func enqueue(_ message: [UInt8], on lane: Lane) -> EnqueueResult {
        guard !message.isEmpty, message.count <= limits.messageLength[lane] else { return .refused }
        let (count, bytes) = (queues[lane].messages.count, queues[lane].bytes + message.count)
        let fits = count < limits.queuedMessages[lane] && bytes <= limits.queuedBytes[lane]
        guard fits || count == 0 else {
            queues[lane].hasRefused = true
            return .full
        }
        queues[lane].messages.append(message)
        queues[lane].bytes = bytes
        queues[lane].untold.bytes += message.count
        queues[lane].untold.messages += 1
        return .accepted
    }

    /// Takes the next fragment of the highest lane that has any, of at most `length` bytes; nil if there is none.
    ///
    /// Nor is there one if `length` would cut it shorter than the protocol allows.
    package mutating func next(upTo length: Int) -> Fragment? {
        guard let lane = Lane.allCases.first(where: { !queues[$0].messages.isEmpty }),
            let message = queues[lane].messages.first
        else { return nil }
        let offset = queues[lane].offset
        let count = min(message.count - offset, fragmentLength, length)
        let isLast = offset + count == message.count
        guard isLast || count >= ChannelLimits.leastFragmentLength else { return nil }
        queues[lane].bytes -= count
        queues[lane].offset = isLast ? 0 : offset + count
        if isLast { _ = queues[lane].messages.popFirst() }
        return Fragment(head: FragmentHead(lane: lane, isLast: isLast), bytes: message[offset..<(offset + count)])
    }

    /// The lanes that are nearly empty again, after they refused a message or took in a good deal.
    ///
    /// Whoever meters what it hands over by these notices never fills a lane.
    package mutating func takeLanesWithRoom() -> [Lane] {
        let lanes = Lane.allCases.filter { lane in
            let queue = queues[lane]
            let isWorthTelling =
                queue.hasRefused || queue.untold.bytes >= ChannelLimits.noticeLength
                || queue.untold.messages >= ChannelLimits.noticeMessages
            return isWorthTelling && queue.bytes <= min(ChannelLimits.noticeLength, limits.queuedBytes[lane] / 2)
                && queue.messages.count * 2 <= limits.queuedMessages[lane]
        }
        for lane in lanes { (queues[lane].hasRefused, queues[lane].untold) = (false, (0, 0)) }
        return lanes
    }

    /// Forgets everything.
    package mutating func removeAll() { queues = PerLane { _ in Queue() } }
}
