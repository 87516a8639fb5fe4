// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import MingleReplica

/// What an empty database is given at once.
struct WholeSchemaTests {
    /// Everything that a database has: definitions as they stand in it, and each table's rows.
    private func contents(of queue: DatabaseQueue) throws -> [String] {
        try queue.read { db in
            let definitions = try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master")
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            let rows = try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table): \($0)" }
            }
            return (definitions.map(\.description) + rows).sorted()
        }
    }

    @Test func `an empty database has what it would have after all migrations`() throws {
        let (stepwise, whole) = (try DatabaseQueue(), try DatabaseQueue())
        try Schema.migrator.migrate(stepwise)
        try Schema.bring(whole)
        let expected = try contents(of: stepwise)
        #expect(expected.count { $0.hasPrefix("grdb_migrations:") } == Schema.migrator.migrations.count)
        #expect(try contents(of: whole) == expected)
        #expect(try whole.read { try Schema.migrator.hasCompletedMigrations($0) })
    }

    @Test func `a database that has something is brought by the migrations that it lacks`() throws {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue, upTo: "3")
        try Schema.bring(queue)
        #expect(try queue.read { try Schema.migrator.hasCompletedMigrations($0) })
    }

    @Test func `a schema that cannot be made leaves nothing`() throws {
        let whole = try WholeSchema(of: Schema.migrator)
        let queue = try DatabaseQueue()
        #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA max_page_count = 10")
                try whole.make(in: db)
            }
        }
        let tables = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
        #expect(tables.isEmpty)
    }

    @Test func `a database that has something gets nothing of the whole schema`() throws {
        let whole = try WholeSchema(of: Schema.migrator)
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE retention (other)") }
        try queue.writeWithoutTransaction(whole.make)
        let tables = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") }
        #expect(tables == ["retention"])
    }
}
