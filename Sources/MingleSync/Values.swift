// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
package import MingleWire

/// Names one connection; the shell numbers them upwards and never uses a number twice.
package struct PeerID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    package let number: UInt64

    /// Wraps a number.
    package init(_ number: UInt64) { self.number = number }

    package var description: String { "peer \(number)" }

    package static func < (left: PeerID, right: PeerID) -> Bool { left.number < right.number }
}

/// Names one journal.
package struct JournalKey: Hashable, Comparable, Sendable {
    /// The device.
    package let device: DeviceName
    /// Which of the device's journals.
    package let journal: Journal

    /// Names a journal of a device.
    package init(device: DeviceName, journal: Journal) { (self.device, self.journal) = (device, journal) }

    package static func < (left: JournalKey, right: JournalKey) -> Bool {
        (left.device, left.journal) < (right.device, right.journal)
    }
}

/// One header of a known journal, in short.
package struct JournalPoint: Hashable, Comparable, Sendable {
    /// The header's sequence.
    package let sequence: UInt32
    /// The first eight bytes of its hash.
    package let hash: UInt64

    /// Points to a header.
    package init(sequence: UInt32, hash: UInt64) { (self.sequence, self.hash) = (sequence, hash) }

    package static func < (left: JournalPoint, right: JournalPoint) -> Bool {
        (left.sequence, left.hash) < (right.sequence, right.hash)
    }
}

/// All tips of one journal: one unless it is forked.
package struct JournalTips: Hashable, Sendable {
    /// The journal.
    package let key: JournalKey
    /// The tips, at most four.
    package let tips: [JournalPoint]
    /// When its author says that it was last written in.
    package let lastWrite: Timestamp

    /// Lists the tips of a journal.
    package init(key: JournalKey, tips: [JournalPoint], lastWrite: Timestamp = Timestamp(milliseconds: 0)) {
        (self.key, self.tips, self.lastWrite) = (key, tips.sorted(), lastWrite)
    }
}

extension FrontierEntry {
    /// The journal that the entry speaks of.
    var key: JournalKey { JournalKey(device: device, journal: journal) }
    /// How far the entry says it is held.
    var point: JournalPoint { JournalPoint(sequence: sequence, hash: tip) }

    /// Puts an entry together.
    init(key: JournalKey, point: JournalPoint) {
        self.init(device: key.device, journal: key.journal, sequence: point.sequence, tip: point.hash)
    }
}

/// Which journals a session carries.
package enum Scope: Int, Sendable, Comparable {
    /// Fabric journals: one side is a newcomer.
    case fabric = 0
    /// Everything.
    case all = 1

    package static func < (left: Scope, right: Scope) -> Bool { left.rawValue < right.rawValue }

    /// Whether the scope takes in a journal.
    func includes(_ journal: Journal) -> Bool { self == .all || journal == .fabric }
}

extension Run {
    /// The journal that the run belongs to.
    package var key: JournalKey { JournalKey(device: first.header.device, journal: first.header.journal) }

    /// The run's last header.
    package var tip: JournalPoint {
        JournalPoint(sequence: last.header.sequence, hash: last.hash.raw.prefix)
    }

    /// The run as it travels: payloads above 1 KiB stay behind.
    var withoutLargePayloads: Run {
        Run(
            deltas.map { delta in
                guard let payload = delta.payload, payload.count > Limits.inlinePayloadLength else { return delta }
                var delta = delta
                delta.payload = nil
                return delta
            }
        )
    }
}
