// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Records that show something else since a transaction, or on which something hangs that does, as long as these are few.
package struct ChangedRecords: Sendable {
    /// Records that are remembered; where there are more, any may have changed.
    package static let limit = 64

    /// A record whose kind and readers are known.
    struct Record: Hashable {
        let kind: UInt32
        let row: Int64
        /// Whether it is for everybody in the event.
        let isForAll: Bool
    }

    private(set) var records: Set<Record> = []
    /// Rows of records on which others hang.
    private(set) var targets: Set<Int64> = []
    /// Whether any record may have changed.
    package private(set) var mayBeAny = false

    /// Notes a record that changed, or is there no more, and what it hangs on.
    mutating func note(_ row: Int64, of kind: Kind, on target: Int64, in audience: Int64) {
        guard !mayBeAny else { return }
        if kind.identity == .delta {
            records.insert(Record(kind: kind.number, row: row, isForAll: audience == 0))
        }
        if kind.trait != nil, target > TargetColumn.nothing { targets.insert(target) }
        if records.count + targets.count > Self.limit { noteAny() }
    }

    /// Notes that any record may have changed.
    mutating func noteAny() { (records, targets, mayBeAny) = ([], [], true) }
}

/// A record that changed, or on which something hangs that did, by its name.
package struct ChangedRecord: Hashable, Sendable {
    /// What kind of record it is.
    package let kind: String
    /// What it is called.
    package let id: Reference
    /// Whether it is for everybody in the event, and not for some of them.
    package let isForAll: Bool

    /// Describes a record that changed.
    package init(kind: String, id: Reference, isForAll: Bool) {
        (self.kind, self.id, self.isForAll) = (kind, id, isForAll)
    }
}

extension Replica {
    /// Names what has changed, in a fixed order; nil: it may be any record.
    package func names(of changed: ChangedRecords) throws -> [ChangedRecord]? {
        guard !changed.mayBeAny else { return nil }
        return try read { db in
            var records = changed.records
            for row in changed.targets {
                // What is gone is not named by what hung on it, nor what continues it.
                guard let target = try db.record(at: row) else { return nil }
                records.insert(target)
            }
            let names = try Names(db)
            let named = try records.map { record in
                ChangedRecord(
                    kind: Kind.numbered(record.kind)?.name ?? "",
                    id: try names.reference(record.row),
                    isForAll: record.isForAll
                )
            }
            return named.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
        }
    }
}

extension Database {
    /// The record that a delta made, if it is there.
    fileprivate func record(at row: Int64) throws -> ChangedRecords.Record? {
        for kind in Kind.all where kind.identity == .delta {
            let audience = try first("SELECT audience FROM \(kind.name) WHERE id = ?") {
                $0.add(row)
            } read: {
                $0.integer(0)
            }
            if let audience { return ChangedRecords.Record(kind: kind.number, row: row, isForAll: audience == 0) }
        }
        return nil
    }
}
