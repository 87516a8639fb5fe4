// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// A record that its own delta alone describes, ready to be stored.
struct NewRecord {
    let row: Int64
    let author: Int64
    let target: RecordTarget
    let made: Timestamp
    let order: ShownAt
    let audience: Int64
    let columns: [Column]
}

/// What a record hangs on and whom it is about, as its columns.
struct RecordTarget: Equatable {
    /// A row of the journal or of persons: see ``TargetColumn``.
    var row = TargetColumn.nothing
    /// The kind of the record there; nil for kinds that hang on none.
    var kind: Int64?
    /// A row of persons; nil for kinds that are about nobody.
    var subject: Int64?
}

/// Records of one kind that wait to be stored by one statement.
struct NewRecords {
    let kind: Kind
    var records: [NewRecord] = []
}

extension Transaction {
    /// Stores a record, at the latest when a kind's table is next looked at.
    func insertLater(_ record: NewRecord, of kind: Kind) {
        if let index = newRecords.firstIndex(where: { $0.kind === kind }) {
            newRecords[index].records.append(record)
        } else {
            newRecords.append(NewRecords(kind: kind, records: [record]))
        }
    }

    /// Stores the records that wait; whatever reads or changes a kind's table calls this first.
    func storeNewRecords() throws {
        for index in newRecords.indices where !newRecords[index].records.isEmpty {
            try store(newRecords[index].records, of: newRecords[index].kind)
            newRecords[index].records.removeAll(keepingCapacity: true)
        }
    }

    /// Stores a record in place of the one that is in its row, if there is one.
    func replace(_ record: NewRecord, of kind: Kind) throws {
        let old = try words(of: record.row, kind)
        try db.run("REPLACE \(kind.insertion)") { $0.add(record, of: kind) }
        try indexWords(of: record, kind, after: old)
    }

    private func store(_ records: [NewRecord], of kind: Kind) throws {
        outcome.changedKinds.insert(kind.name)
        for record in records {
            outcome.changedRecords.note(record.row, of: kind, on: record.target.row, in: record.audience)
        }
        for batch in Insertions.batches(of: records[...]) {
            let statement = try insertions.records(of: kind, count: batch.count, db)
            try db.run(statement) { row in for record in batch { row.add(record, of: kind) } }
            if db.changesCount == batch.count {
                try indexWords(of: batch, kind)
                continue
            }
            for record in batch { try replace(record, of: kind) }
        }
    }
}

extension Binder {
    /// Binds the columns that a kind's ``Kind/insertion`` names.
    mutating func add(_ record: NewRecord, of kind: Kind) {
        add(record.row)
        add(record.author)
        add(record.target.row)
        // By the declaration: a value that is missing would move all that follow by a column.
        if kind.trait != nil { add(record.target.kind ?? TargetColumn.noKind) }
        if kind.subject != .nothing { add(record.target.subject ?? 0) }
        add(record.made.milliseconds)
        add(record.order.time.milliseconds)
        add(record.order.tie)
        add(record.audience)
        for column in record.columns { add(column) }
    }
}
