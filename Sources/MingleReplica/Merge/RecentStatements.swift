// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What was said lately about records with fields that several people write, so that one more word costs one look-up.
///
/// Who says ten thousand things about one place would else have everybody read all of them ten thousand times. Of each
/// branch only what may still matter is kept (``SharedField``). What is kept is forgotten once some of it may count no
/// more, or something earlier may count.
struct RecentStatements {
    /// Records that are kept at most.
    private static let limit = 256

    /// What was said about one record, up to a row of the journal.
    struct Kept {
        let statements: [Transaction.SharedStatement]
        /// The last delta about the record that was looked at.
        let through: Int64
    }

    private var kept: [Int64: Kept] = [:]

    subscript(record: Int64) -> Kept? { kept[record] }

    /// Keeps what was said about a record, and of others nothing if that is too much.
    mutating func keep(_ statements: [Transaction.SharedStatement], through row: Int64, of record: Int64) {
        if kept.count >= Self.limit { kept = [:] }
        kept[record] = Kept(statements: statements, through: row)
    }

    /// Forgets what was said about a record.
    mutating func forget(_ record: Int64) { kept[record] = nil }
}
