// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// The tables, indexes and views of one event's replica.
///
/// Persons, devices, branches and epochs have local integer keys, which differ between replicas and are never sent.
/// The key of a record is the row of the delta that made it; the key of a keyed record is the row of its first delta.
enum Schema {
    /// The version of the rules that derive records from the journals.
    ///
    /// A file that was derived by other rules is recomputed when it is opened.
    static let derivation = 1

    /// The SQL that makes all tables and views in an empty database.
    static let definition = """
        \(people)
        \(membership)
        \(journals)
        \(epochs)
        \(audiences)
        \(moderation)
        \(relaying)
        \(quotas)
        \(search)
        CREATE TABLE derivation (version INTEGER NOT NULL) STRICT;
        \(Kind.all.map(table).joined())
        \(tallies)
        CREATE INDEX moment_continues ON moment (id) WHERE continues IS NOT NULL;
        \(ownLists)
        \(Kind.all.map(views).joined())
        """

    /// The version of a database: a hash of its definition, which SQLite keeps in the file as `application_id`.
    ///
    /// A change of any table makes another version, so a program never reads tables that it does not know. The hash is
    /// FNV-1a of 32 bits (Fowler, Noll and Vo), without the sign. An empty database has version 0.
    static let version: Int = {
        let hash = definition.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Int(max(1, hash & 0x7fff_ffff))
    }()

    /// Makes the schema in an empty database, or checks the version of one that exists.
    ///
    /// There are no migrations before the first release. The first one goes between the two steps: it brings a database
    /// of the last release to this version.
    ///
    /// - Throws: `ReplicaError.otherVersion` if another version of the program made the database.
    static func prepare(_ writer: any DatabaseWriter, path: String) throws {
        do {
            if try writer.read({ try $0.isEmpty() }) { try writer.writeWithoutTransaction(make) }
            try writer.read { try requireVersion(of: $0, path: path) }
        } catch {
            try? writer.close()
            throw error
        }
    }

    /// Checks that this version of the program reads a database.
    ///
    /// - Throws: `ReplicaError.otherVersion` if it does not.
    static func requireVersion(of db: Database, path: String) throws {
        guard try storedVersion(of: db) == version else { throw ReplicaError.otherVersion(path: path) }
    }

    /// Checks that no other version made a damaged database; one whose version is lost may be this version's.
    ///
    /// - Throws: `ReplicaError.otherVersion` if another one did.
    static func requireNoOtherVersion(of db: Database, path: String) throws {
        let stored = try? storedVersion(of: db)
        guard [nil, 0, version].contains(stored) else { throw ReplicaError.otherVersion(path: path) }
    }

    private static func storedVersion(of db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "PRAGMA application_id")
    }

    /// Makes everything, or nothing if it fails or another process did it meanwhile.
    static func make(in db: Database) throws {
        try db.inTransaction(.immediate) {
            guard try db.isEmpty() else { return .rollback }
            try db.execute(sql: definition)
            try db.execute(sql: "INSERT INTO derivation VALUES (?)", arguments: [derivation])
            try db.execute(sql: "PRAGMA application_id = \(version)")
            return .commit
        }
    }

    /// Finds what a person is invited to, takes part in and faves, and ratings for the news, in the order of lists.
    ///
    /// Authors are negated so that these indexes serve these lists alone: views ask by target and author, and SQLite
    /// would take an index of authors for that.
    private static let ownLists = """
        CREATE INDEX invite_guest ON invite (person, shown_at, tie);
        CREATE INDEX participation_own ON participation (-author, shown_at);
        CREATE INDEX fave_own ON fave (-author, target) WHERE "on" = 1;
        CREATE INDEX rating_shown ON rating (shown_at, tie);
        """

    /// The cell of the grid in which a located record lies; queries have to say it in the same words.
    static let cell = GridCell.sql(latitude: "latitude", longitude: "longitude")

    /// A kind's table: what every record has, then a column for each field.
    static func table(of kind: Kind) -> String {
        let columns =
            kind.headColumns.map { "\($0) INTEGER NOT NULL" }
            + kind.fields.map { "\"\($0.name)\" \($0.type.columnType)" }
        var sql = """
            CREATE TABLE \(kind.name) (
                id INTEGER PRIMARY KEY,
                \(columns.joined(separator: ",\n    "))
            ) STRICT;
            """
        // Deleting a record also asks whether another record of the person has the same blob.
        if kind.isListedByAuthor || !kind.mediaFields.isEmpty {
            // In the order of one person's lists, where that never changes.
            let order = kind.identity == .delta ? ", shown_at, tie" : ""
            sql += "CREATE INDEX \(kind.name)_author ON \(kind.name) (author\(order));"
        }
        if let time = kind.time {
            for (name, first) in [("time", ""), ("author_time", "author, "), ("target_time", "target, ")] {
                sql += "CREATE INDEX \(kind.name)_\(name) ON \(kind.name) (\(first)\(time), tie);"
            }
        }
        if kind.isLocated {
            sql += "CREATE INDEX \(kind.name)_cell ON \(kind.name) (\(cell)) WHERE latitude IS NOT NULL;"
        }
        if kind.identity == .key {
            let key = ["target", "author", "audience"] + (kind.subject == .nothing ? [] : ["subject"])
            sql += "CREATE UNIQUE INDEX \(kind.name)_key ON \(kind.name) (\(key.joined(separator: ", ")));"
        } else {
            sql += "CREATE INDEX \(kind.name)_shown ON \(kind.name) (shown_at, tie);"
            if kind.target != .nothing {
                sql += "CREATE INDEX \(kind.name)_target ON \(kind.name) (target, shown_at, tie);"
            }
        }
        return sql
    }
}

extension Kind {
    /// The columns that every record of this kind has besides its row and its fields.
    ///
    /// `target` and `subject` are rows of the journal or of persons. `made` is what the author's clock said. Lists
    /// are in the order of (`shown_at`, `tie`).
    var headColumns: [String] {
        var columns = ["author", "target"]
        if trait != nil { columns.append("target_kind") }
        if subject != .nothing { columns.append("subject") }
        return columns + ["made", "shown_at", "tie", "audience"]
    }
}

extension Kind {
    /// The time of a record by which lists stand, as SQL; queries have to say it in the same words.
    var time: String? { timed.map { "ifnull(\"\($0)\", made)" } }
}

extension FieldType {
    var columnType: String {
        switch self {
        case .text: "TEXT"
        case .number, .flag, .choice, .time, .latitude, .longitude, .metres: "INTEGER"
        case .reference, .references, .person, .device, .ends, .hours, .media: "BLOB"
        }
    }
}

/// Values of a record's `target` column that are no row of the journal, nor of persons where a kind hangs on such.
enum TargetColumn {
    /// The record hangs on nothing.
    static let nothing: Int64 = 0
    /// What the record hangs on has not come.
    static let waiting: Int64 = -1
    /// In `target_kind`: what the record hangs on is the event, or nobody knows yet of which kind it is.
    static let noKind: Int64 = 0
}

extension Database {
    /// Whether the database has no table.
    func isEmpty() throws -> Bool { try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_master") == 0 }
}
