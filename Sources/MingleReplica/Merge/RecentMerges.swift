// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// How far records were merged lately that several devices edit: a further edit is added to that, instead of all being read again.
///
/// Whoever edits one record ten thousand times on two devices would else have everybody read it ten thousand times.
/// Nothing can be taken out of a merge, so it is forgotten once something that it holds may count no more.
struct RecentMerges {
    /// Assertions and names that are kept of all records; a name takes some 50 bytes.
    static let limit = 1 << 14

    private var merges: [Int64: RecordMerge] = [:]
    private var count = 0

    /// How far a record was merged, by the row of the delta that made it, and forgets it; nil if that is not known.
    mutating func take(_ row: Int64) -> RecordMerge? {
        let merge = merges.removeValue(forKey: row)
        count -= merge?.count ?? 0
        return merge
    }

    /// Keeps how far a record was merged, and of others nothing if that is too much.
    mutating func keep(_ merge: RecordMerge, of row: Int64) {
        _ = take(row)
        guard merge.count <= Self.limit else { return }
        if count + merge.count > Self.limit { self = RecentMerges() }
        merges[row] = merge
        count += merge.count
    }
}
