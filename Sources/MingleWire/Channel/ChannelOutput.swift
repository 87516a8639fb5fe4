// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What a channel asks of the shell that carries its bytes, in this order.
package enum ChannelOutput: Equatable, Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// The handshake went through: both sides hold the psk of `event`.
    ///
    /// That admits nobody yet: who the other side is, it says by signing `handshakeHash`. `remoteStaticKey` is the
    /// Noise key that it has proved to hold.
    case established(event: EventID, handshakeHash: Bytes32, remoteStaticKey: Bytes32)
    /// A whole message came.
    case message(Lane, [UInt8])
    /// The channel is closed: send nothing more, not even an answer, and drop the connection.
    case close(ChannelError)
}

/// Why a channel closed.
package enum ChannelError: Error, Hashable, Sendable {
    /// The handshake failed, for whatever reason; nothing is said or sent about it.
    case silent
    /// A record was changed, repeated, left out or reordered.
    case notAuthentic
    /// A record is shorter than a fragment of one byte.
    case recordTooShort(Int)
    /// A fragment's head names no lane, or sets bits that mean nothing.
    case unknownLane(UInt8)
    /// A message grew above its lane's limit.
    case messageTooLong(Lane)
    /// A fragment that is not its message's last has fewer bytes than ``ChannelLimits/leastFragmentLength``.
    case fragmentTooShort(Lane)
    /// The stream ended inside a record or a message.
    case truncated
    /// The ciphers have no nonce left.
    case exhausted
}

/// What became of a message that was to be queued.
package enum EnqueueResult: Equatable, Sendable {
    /// It waits in its lane.
    case accepted
    /// The lane is full; ``SecureChannel/takeLanesWithRoom()`` will tell when it is not.
    case full
    /// It is empty or above its lane's limit, and never will be accepted.
    case refused
    /// The channel is not open, or no longer.
    case closed
}

/// What went through one lane, in bytes of messages without any overhead.
package struct LaneCounters: Equatable, Sendable {
    /// Bytes received.
    package var bytesIn: UInt64 = 0
    /// Bytes handed out for sending.
    package var bytesOut: UInt64 = 0
    /// Whole messages received.
    package var messagesIn: UInt64 = 0
    /// Messages whose last fragment was handed out for sending.
    package var messagesOut: UInt64 = 0

    /// Counts from the given numbers, by default from zero.
    package init(bytesIn: UInt64 = 0, bytesOut: UInt64 = 0, messagesIn: UInt64 = 0, messagesOut: UInt64 = 0) {
        (self.bytesIn, self.bytesOut) = (bytesIn, bytesOut)
        (self.messagesIn, self.messagesOut) = (messagesIn, messagesOut)
    }
}
