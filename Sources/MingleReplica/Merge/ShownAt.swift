// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

/// Where a record stands in lists: the time at which it is shown, and what breaks ties.
///
/// The time is the header's, or the time at which this node first stored the header if the header's is more than
/// ``tolerance`` after that. So a record from the future stands where it came, and never moves.
struct ShownAt: Equatable {
    /// How far a header may be ahead of this node's clock.
    static let tolerance: Int64 = 5 * 60 * 1000

    let time: Timestamp
    /// The first 8 bytes of the delta's hash; numbers sort as the bytes do.
    ///
    /// Of a keyed record they are those of the author's key, combined with those of what it is about: one person may
    /// say much at one time.
    let tie: Int64

    init(_ time: Timestamp, hash: HeaderHash) { self.init(time, prefix: hash.raw.prefix) }

    init(_ time: Timestamp, author: PersonID, on target: Target, about subject: Target) {
        self.init(time, prefix: author.raw.prefix ^ target.prefix ^ (subject.prefix &* 3))
    }

    private init(_ time: Timestamp, prefix: UInt64) {
        (self.time, tie) = (time, Int64(bitPattern: prefix ^ (1 << 63)))
    }

    /// The time at which a header is stored that is dated too far ahead of it; nil for all others.
    static func late(_ header: Header, storedAt now: Timestamp?) -> Int64? {
        guard let now, header.timestamp.milliseconds > now.milliseconds.addingReportingOverflow(tolerance).partialValue
        else { return nil }
        return now.milliseconds
    }
}

extension Transaction {
    /// When a delta is shown: what its header says, or when it was stored.
    func shownAt(_ row: Int64, _ delta: Delta) -> Timestamp {
        lateRows[row].map { Timestamp(milliseconds: $0) } ?? delta.header.timestamp
    }

    /// Where a record stands that a delta made or first spoke of.
    ///
    /// - Parameter time: When it is shown; nil: as the delta is.
    func order(
        of delta: Delta,
        saying payload: RecordPayload,
        at row: Int64,
        by author: PersonID,
        shownAt time: Timestamp? = nil
    ) -> ShownAt {
        let time = time ?? shownAt(row, delta)
        guard delta.header.root == .none else { return ShownAt(time, hash: delta.hash) }
        return ShownAt(time, author: author, on: payload.target, about: payload.subject)
    }
}

extension Target {
    /// Eight bytes of what it names.
    fileprivate var prefix: UInt64 {
        switch self {
        case .nothing: 0
        case .record(let reference): reference.hash
        case .person(let person): person.raw.prefix
        }
    }
}
