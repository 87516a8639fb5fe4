// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// The statements that every delta and record needs, looked up once in a transaction rather than once a row.
///
/// Each exists for one row and for a batch of rows: where many come together, one statement for several spares SQLite
/// much of what it does for each.
struct Insertions {
    private static let batchLength = 16

    private var deltas: [Int: Statement] = [:]
    private var records: [RecordKey: Statement] = [:]

    private struct RecordKey: Hashable {
        let kind: UInt32
        let count: Int
    }

    /// Cuts rows into batches for which there are statements: whole ones, then single rows.
    static func batches<Row>(of rows: ArraySlice<Row>) -> [ArraySlice<Row>] {
        var batches: [ArraySlice<Row>] = []
        var start = rows.startIndex
        while start < rows.endIndex {
            let end = start + (rows.endIndex - start >= batchLength ? batchLength : 1)
            batches.append(rows[start..<end])
            start = end
        }
        return batches
    }

    /// Appends rows to the journal.
    mutating func deltas(count: Int, _ db: Database) throws -> Statement {
        if let statement = deltas[count] { return statement }
        let statement = try db.cachedStatement(sql: count == 1 ? Self.delta : Self.deltas(count))
        deltas[count] = statement
        return statement
    }

    private static let delta = deltas(1)

    private static func deltas(_ count: Int) -> String {
        // OR FAIL spares SQLite a copy of what the statement changes; a failure ends the transaction anyway.
        """
        INSERT OR FAIL INTO journal (id, branch, sequence, hash, epoch, header, payload, signature, kind, late)
        VALUES \(marks(columns: 10, rows: count))
        """
    }

    /// Stores records except those whose rows are there already.
    ///
    /// It does not replace those, because for `REPLACE` SQLite keeps a copy of every page until the statement ends.
    mutating func records(of kind: Kind, count: Int, _ db: Database) throws -> Statement {
        let key = RecordKey(kind: kind.number, count: count)
        if let statement = records[key] { return statement }
        let insertion = count == 1 ? kind.insertion : kind.insertion(rows: count)
        let statement = try db.cachedStatement(sql: "INSERT OR IGNORE \(insertion)")
        records[key] = statement
        return statement
    }

    /// Parameters for some rows.
    static func marks(columns: Int, rows: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
        return Array(repeating: row, count: rows).joined(separator: ", ")
    }
}

extension Kind {
    private static let insertions = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0.insertion(rows: 1)) })

    /// The rest of a statement that inserts a whole record.
    var insertion: String { Self.insertions[number] ?? insertion(rows: 1) }

    /// The rest of a statement that inserts whole records.
    func insertion(rows: Int) -> String {
        let names = ["id"] + headColumns + fields.map { "\"\($0.name)\"" }
        let marks = Insertions.marks(columns: names.count, rows: rows)
        return "INTO \(name) (\(names.joined(separator: ", "))) VALUES \(marks)"
    }
}
