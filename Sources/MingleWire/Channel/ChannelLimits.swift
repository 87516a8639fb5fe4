// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto

/// How much one channel takes, sends and keeps.
///
/// Both sides must agree on ``messageLength`` and ``rekeying``; the rest is each side's own.
package struct ChannelLimits: Sendable {
    /// Candidates that a responder tries the first message against.
    package static let events = 64
    /// Bytes that stand in front of a fragment: its length in the stream and its head.
    static let headLength = 3
    /// Bytes that a record has beyond those of its fragment.
    package static let overhead = headLength + Noise.tagLength
    /// Bytes of any fragment.
    package static let fragmentLength = Noise.messageLength - Noise.tagLength - 1
    /// Bytes that every fragment but a message's last one has at least, so that nobody sends a long message in crumbs.
    package static let leastFragmentLength = 1024

    /// Bytes queued on a lane after which it is told that they have left, and below which it counts as drained.
    package static let noticeLength = 128 << 10
    /// Messages queued on a lane after which the same is told, however short they are.
    package static let noticeMessages = 256

    /// Bytes of a message of whom this node has not let in: a greeting, on the control lane.
    package static let greetingLength = 96 << 10
    /// Bytes of a message where only fabric journals are exchanged: more than the longest run or payload has.
    package static let fabricMessageLength = 192 << 10

    /// Bytes of one message.
    package var messageLength = PerLane { lane in
        switch lane {
        case .control: 1 << 20
        case .deltas: 8 << 20
        case .thumbnails, .previews, .originals: (4 << 20) + (64 << 10)
        }
    }
    /// Bytes that wait to be sent; a lane that is empty takes any message up to its ``messageLength``.
    package var queuedBytes = PerLane { lane in
        switch lane {
        case .control: 2 << 20
        case .deltas, .thumbnails, .previews, .originals: 16 << 20
        }
    }
    /// Messages that wait to be sent.
    package var queuedMessages = PerLane { _ in 4096 }
    /// Bytes of the fragments that this side makes: what a comment may have to wait for once its lane's turn has come.
    package var sentFragmentLength = 32 << 10
    /// When the ciphers take new keys.
    package var rekeying = RekeyLimits()

    /// The protocol's limits.
    package init() {}

    /// Bytes that one message may have which the other side sends on a lane, as far as it is let in.
    func messageLength(for admittance: Admittance) -> PerLane<Int> {
        PerLane { lane in
            switch (admittance, lane) {
            case (.all, _): messageLength[lane]
            case (.fabric, .control), (.fabric, .deltas): min(Self.fabricMessageLength, messageLength[lane])
            case (.none, .control): min(Self.greetingLength, messageLength[lane])
            case (.fabric, _), (.none, _): 0
            }
        }
    }
}

/// How far this node has let the other side of a channel in, which bounds what that may send.
package enum Admittance: Comparable, Sendable {
    /// It holds the event's psk, and no more is known of it.
    case none
    /// It may exchange fabric journals.
    case fabric
    /// It may exchange everything.
    case all
}
