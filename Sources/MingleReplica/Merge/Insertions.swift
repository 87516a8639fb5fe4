// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// The statements that every delta and record needs, looked up once in a transaction rather than once a row.
struct Insertions {
    private var delta: Statement?
    private var records: [UInt32: Statement] = [:]

    /// Appends a row to the journal.
    mutating func delta(_ db: Database) throws -> Statement {
        if let delta { return delta }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO journal (branch, sequence, hash, epoch, header, payload, signature)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        )
        delta = statement
        return statement
    }

    /// Stores a record unless its row is there already.
    ///
    /// It does not replace that, because for `REPLACE` SQLite keeps a copy of every page until the statement ends.
    mutating func record(of kind: Kind, _ db: Database) throws -> Statement {
        if let statement = records[kind.number] { return statement }
        let statement = try db.cachedStatement(sql: "INSERT OR IGNORE \(kind.insertion)")
        records[kind.number] = statement
        return statement
    }
}

extension Kind {
    private static let insertions = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0.makeInsertion()) })

    /// The rest of a statement that inserts a whole record.
    var insertion: String { Self.insertions[number] ?? makeInsertion() }

    private func makeInsertion() -> String {
        let names = ["id", "author", "target", "made"] + fields.map { "\"\($0.name)\"" }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return "INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }
}
