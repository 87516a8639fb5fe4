// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// What a delta's payload takes of its author's quota, as its header says.
///
/// It is the same for who can read the payload, who cannot, and who has yet to fetch it.
struct Weight {
    let length: Int
    let isKey: Bool
    /// The hour of the author's clock, counted since 1970.
    let hour: Int64

    init(_ header: Header) {
        (length, isKey) = (Int(header.payloadLength), header.isOfKey)
        hour = header.timestamp.hour
    }

    /// Reads it from a header as it is stored.
    init(stored header: [UInt8], isKey: Bool) throws(WireError) {
        let outline = try Header.storedOutline(header)
        (length, hour, self.isKey) = (outline.payloadLength, outline.timestamp.hour, isKey)
    }

    /// Whether it is one of its hour's words; keys and deletions are not.
    var isTimed: Bool { length > 0 && !isKey }
}

extension Header {
    /// Whether it is of a private audience's key: nothing else in a content journal is in the clear.
    var isOfKey: Bool { epoch == .plaintext }
}

extension Timestamp {
    private static let hourLength: Int64 = 3_600_000

    /// The hour in which it is, counted since 1970.
    package var hour: Int64 { milliseconds / Self.hourLength }

    /// When an hour begins; nil for one that no time is in.
    init?(hour: Int64) {
        let (start, isTooLate) = hour.multipliedReportingOverflow(by: Self.hourLength)
        guard !isTooLate else { return nil }
        self.init(milliseconds: start)
    }

    /// How long its hour goes on.
    package var restOfHour: Duration { .milliseconds(Self.hourLength - milliseconds % Self.hourLength) }

    /// The same in whole minutes, 1 to 60.
    var minutesLeft: Int { 60 - Int(milliseconds % Self.hourLength / 60_000) }
}

/// What is held of one device's content journal, or is to be fetched.
struct Usage: Equatable {
    var words = 0
    var keys = 0
    /// Deltas whose payload was let go of.
    var letGo = 0

    /// Whether so many bytes fit beside it.
    func hasRoom(for length: Int, isKey: Bool, within quota: Quota) -> Bool {
        isKey ? keys + length <= quota.keys : words + length <= quota.words
    }

    /// Whether there is more than the quota.
    func exceeds(_ quota: Quota, inKeys: Bool) -> Bool { inKeys ? keys > quota.keys : words > quota.words }

    /// Counts bytes that came, or less than none for such that went.
    mutating func count(_ length: Int, isKey: Bool) {
        if isKey { keys += length } else { words += length }
    }

    static func + (left: Usage, right: Usage) -> Usage {
        Usage(words: left.words + right.words, keys: left.keys + right.keys, letGo: left.letGo + right.letGo)
    }

    static func - (left: Usage, right: Usage) -> Usage {
        Usage(words: left.words - right.words, keys: left.keys - right.keys, letGo: left.letGo - right.letGo)
    }
}

/// What is held of all devices of one person.
struct Share {
    /// The retired ones that count by themselves.
    let apart: Set<Int64>
    /// What is held of all others together.
    private(set) var used = Usage()
    /// Deltas of any of them whose payload was let go of.
    private(set) var letGo = 0

    init(apart: Set<Int64>) { self.apart = apart }

    /// Counts what came of a device, or less than none for what went.
    mutating func count(_ change: Usage, of device: Int64) {
        letGo += change.letGo
        if !apart.contains(device) { used = used + change }
    }
}
