// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// How far records were merged lately that several devices edit: a further edit is added to that, instead of all being read again.
///
/// Whoever edits one record ten thousand times on two devices would else have everybody read it ten thousand times.
/// Nothing can be taken out of a merge, so it is forgotten once something that it holds may count no more.
struct RecentMerges {
    /// Bytes that may be kept, as far as they can be told.
    static let limit = 4 << 20

    private var kept: [Int64: Kept] = [:]
    private var weight = 0

    private struct Kept {
        let merge: RecordMerge
        let author: Int64
        let weight: Int
    }

    /// How far a record was merged, by the row of the delta that made it, and forgets it; nil if that is not known.
    mutating func take(_ row: Int64) -> RecordMerge? {
        guard let kept = kept.removeValue(forKey: row) else { return nil }
        weight -= kept.weight
        return kept.merge
    }

    /// Keeps how far a person's record was merged, and of others nothing if that is too much.
    mutating func keep(_ merge: RecordMerge, of row: Int64, by author: Int64) {
        forget(row)
        let weight = merge.weight
        guard weight <= Self.limit else { return }
        if self.weight + weight > Self.limit { self = RecentMerges() }
        kept[row] = Kept(merge: merge, author: author, weight: weight)
        self.weight += weight
    }

    /// Forgets how far a record was merged.
    mutating func forget(_ row: Int64) { _ = take(row) }

    /// Forgets how far a person's records were merged.
    mutating func forgetAll(of author: Int64) {
        for row in kept.filter({ $0.value.author == author }).keys { forget(row) }
    }
}
