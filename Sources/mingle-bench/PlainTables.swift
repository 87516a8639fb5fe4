// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleClient
import MingleModel
import MingleReplica

/// The other side of the benchmark: tables of photos and comments with random 16-byte keys, and nothing else.
struct PlainTables {
    private let path: String
    private let pool: DatabasePool
    /// Rows of a transaction, as many as a merge's transaction has headers.
    private static let rowsPerTransaction = MergeLimits().headersPerTransaction

    init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            try db.execute(sql: Replica.settings + "PRAGMA synchronous = NORMAL;")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { db in
            for kind in [Kind.photo, .comment] { try db.execute(sql: Self.table(of: kind)) }
        }
    }

    /// Inserts all records of a plan; only the transactions and the checkpoint are timed.
    func insert(_ plan: RecordPlan) throws -> PlainMeasurement {
        var records = plan.makeIterator()
        var photos: [[UInt8]] = []
        var generator = SeededGenerator(seed: 7)
        let moments = (0..<RecordPlan.moments).map { _ in generator.bytes(16) }
        var inserting = 0.0
        var processor = 0.0
        while true {
            var rows: [PlainRow] = []
            while rows.count < Self.rowsPerTransaction, let record = records.next() {
                let key = generator.bytes(16)
                if record.kind == .photo { photos.append(key) }
                rows.append(PlainRow(record, key: key, moments: moments, photos: photos))
            }
            guard !rows.isEmpty else { break }
            let start = Stopwatch.processorSeconds
            inserting += try Stopwatch.seconds { try pool.write { db in for row in rows { try row.insert(db) } } }
            processor += Stopwatch.processorSeconds - start
        }
        let checkpoint = try Stopwatch.seconds {
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                _ = try db.checkpoint(.truncate)
            }
        }
        let visible = try pool.read { db in
            try ["photo", "comment"].map { try Int64.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
        }
        try pool.close()
        return PlainMeasurement(
            visible: visible,
            inserting: inserting,
            checkpoint: checkpoint,
            processor: processor,
            fileSize: try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        )
    }

    /// A kind's table as the replica has it, but for the keys.
    private static func table(of kind: Kind) -> String {
        Replica.tableDefinition(of: kind)
            .replacingOccurrences(of: "id INTEGER PRIMARY KEY", with: "id BLOB PRIMARY KEY")
            .replacingOccurrences(of: "target INTEGER NOT NULL", with: "target BLOB NOT NULL")
    }
}

/// One row with all its values at hand.
private struct PlainRow {
    private let kind: Kind
    private let key: [UInt8]
    private let author: Int64
    private let target: [UInt8]
    private let targetKind: Kind
    private let made: Int64
    private let tie: Int64
    private let values: [Value?]

    init(_ record: PlannedRecord, key: [UInt8], moments: [[UInt8]], photos: [[UInt8]]) {
        (kind, author, made) = (record.kind, Int64(record.author), record.made.milliseconds)
        self.key = key
        tie = Int64(bigEndianAt: 0, of: key.span)
        switch record.target {
        case .moment(let index): (target, targetKind) = (moments[index], .moment)
        case .photo(let index): (target, targetKind) = (photos[index], .photo)
        }
        values = record.kind.fields.map { field -> Value? in
            let value = record.changes.last { $0.field == field.number }?.value
            guard case .media(let media)? = value else { return value }
            return .data(media.stored)
        }
    }

    func insert(_ db: Database) throws {
        try db.run(kind == .photo ? Self.photoInsertion : Self.commentInsertion) { row in
            row.add(key)
            row.add(author)
            row.add(target)
            row.add(Int64(targetKind.number))
            row.add(made)
            row.add(made)
            row.add(tie)
            // The audience: everybody.
            row.add(Int64(0))
            for value in values {
                switch value {
                case .text(let text): row.add(text)
                case .number(let number): row.add(number)
                case .data(let bytes): row.add(bytes)
                default: row.addNull()
                }
            }
        }
    }

    private static let photoInsertion = insertion(into: .photo)
    private static let commentInsertion = insertion(into: .comment)

    private static func insertion(into kind: Kind) -> String {
        let columns =
            ["id", "author", "target", "target_kind", "made", "shown_at", "tie", "audience"]
            + kind.fields.map { "\"\($0.name)\"" }
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        return "INSERT INTO \(kind.name) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }
}
