// SPDX-License-Identifier: Apache-2.0

import GRDB

/// What all migrations together leave of an empty database.
///
/// They make tables and drop them again, and each drop goes through the whole schema: an empty database gets in half of the time what one
/// that went through all of them has.
struct WholeSchema: Sendable {
    /// Tables, indexes and views, in the order in which they were made.
    private let definitions: [String]
    /// The rows that are there from the beginning, by table; those of the migrations done are among them.
    private let rows: [(insertion: String, values: [StatementArguments])]

    /// Puts an empty in-memory database through all migrations, and notes what it has then.
    init(of migrator: DatabaseMigrator) throws {
        let queue = try DatabaseQueue()
        try migrator.migrate(queue)
        (definitions, rows) = try queue.read { db in
            let definitions = try String.fetchAll(
                db,
                sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
            )
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            let rows = try tables.compactMap { table -> (String, [StatementArguments])? in
                let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(table)")
                guard let width = rows.first?.count else { return nil }
                let places = Array(repeating: "?", count: width).joined(separator: ", ")
                return (
                    "INSERT INTO \(table) VALUES (\(places))", rows.map { StatementArguments($0.databaseValues) }
                )
            }
            return (definitions, rows)
        }
    }

    /// Makes it all in a database that is empty, or nothing if it fails or another process has made it meanwhile.
    func make(in db: Database) throws {
        try db.inTransaction(.immediate) {
            guard try db.isEmpty() else { return .rollback }
            for definition in definitions { try db.execute(sql: definition) }
            for (insertion, rows) in rows {
                for row in rows { try db.execute(sql: insertion, arguments: row) }
            }
            return .commit
        }
    }
}

extension Schema {
    private static let whole = Result { try WholeSchema(of: migrator) }

    /// Brings a database to the form of this version, or makes that in an empty one.
    static func bring(_ writer: any DatabaseWriter) throws {
        if try writer.read({ try $0.isEmpty() }) { try writer.writeWithoutTransaction(whole.get().make) }
        try migrator.migrate(writer)
    }
}

extension Database {
    fileprivate func isEmpty() throws -> Bool { try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_master") == 0 }
}
