// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// Reads a table in the order of its rows, and goes on behind what cannot be read.
struct TableScan {
    private static let batch = 1000
    /// Bytes that a row takes at the least, with what SQLite needs for it.
    private static let smallestRow: Int64 = 16

    private let table: String
    private let columns: [String]
    /// ``columns`` as a query has them.
    private var selection = ""
    /// Whether nothing had to be left out.
    private(set) var isComplete = true

    /// Reads `columns` besides a row's number, which comes first; one that the table lacks is NULL in every row.
    init(table: String, columns: [String]) { (self.table, self.columns) = (table, columns) }

    /// What `body` makes of each row that can be read, by its number; nothing if there is no such table any more.
    ///
    /// - Throws: `DatabaseError` for what is no damage, as a lack of memory.
    mutating func run<Value>(_ db: Database, _ body: (Columns) throws -> Value) throws -> [Int64: Value] {
        let present = try Set(db.columnNames(of: table))
        guard !present.isEmpty else {
            isComplete = false
            return [:]
        }
        selection = columns.map { present.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
        var values: [Int64: Value] = [:]
        var next: Int64 = 1
        var isComplete = true
        func take(_ columns: Columns) {
            let id = columns.integer(0)
            next = max(next, id + 1)
            if let value = try? body(columns) { values[id] = value } else { isComplete = false }
        }
        while true {
            do {
                if try batch(from: next, of: db, take) < Self.batch { break }
            } catch let error as DatabaseError where error.isDamage {
                isComplete = false
                let last = lastRow(of: db)
                while next <= last, !isReadable(next, of: db, take) { next += 1 }
                if next > last { break }
            }
        }
        self.isComplete = isComplete
        return values
    }

    private func batch(from: Int64, of db: Database, _ body: (Columns) -> Void) throws -> Int {
        let sql = "SELECT rowid, \(selection) FROM \(table) WHERE rowid >= ? ORDER BY rowid LIMIT \(Self.batch)"
        return try db.all(sql) {
            $0.add(from)
        } read: {
            body($0)
        }.count
    }

    /// Hands out one row, if it is there and can be read.
    private func isReadable(_ id: Int64, of db: Database, _ body: (Columns) -> Void) -> Bool {
        let found: Void? = try? db.first("SELECT rowid, \(selection) FROM \(table) WHERE rowid = ?") {
            $0.add(id)
        } read: {
            body($0)
        }
        return found != nil
    }

    /// The highest number that is looked for behind a damage: that of the last row, if it makes sense.
    private func lastRow(of db: Database) -> Int64 {
        let pages = (try? Int64.fetchOne(db, sql: "PRAGMA page_count")) ?? 0
        let size = (try? Int64.fetchOne(db, sql: "PRAGMA page_size")) ?? 0
        let limit = pages * size / Self.smallestRow
        guard let last = try? Int64.fetchOne(db, sql: "SELECT max(rowid) FROM \(table)") else { return limit }
        return min(last, limit)
    }
}

extension Database {
    /// The columns of a table, by the schema; none if there is no such table, or the schema cannot be read.
    fileprivate func columnNames(of table: String) throws -> [String] {
        do {
            return try String.fetchAll(self, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        } catch let error as DatabaseError where error.isDamage {
            return []
        }
    }
}

extension DatabaseError {
    /// Whether what is stored is the reason.
    var isDamage: Bool { isUnreadable || [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }

    /// Whether the disk gives back something else than was written, or nothing.
    var isUnreadable: Bool {
        // The last is IOERR_CORRUPTFS, for which GRDB has no name.
        let codes = [
            .SQLITE_IOERR_DATA, .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, ResultCode(rawValue: 10 | 33 << 8),
        ]
        return codes.contains(extendedResultCode)
    }
}
