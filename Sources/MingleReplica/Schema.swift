// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel

/// The tables of one event's replica.
///
/// Persons, devices, branches and epochs have local integer keys, which differ from replica to replica and never leave.
/// A record's key is the row of the delta that made it, or for a keyed record the row of the first that came.
enum Schema {
    /// The version of what is worked out from the journals.
    ///
    /// A file of another one is worked out anew when it is opened, so that deltas take effect that an older version held and
    /// did not know.
    static let derivation = 15

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: fabric)
            try db.execute(sql: journal)
            for kind in Kind.all { try db.execute(sql: table(of: kind)) }
        }
        // Whether anything else of a person speaks of a blob is asked when a record is erased.
        migrator.registerMigration("2") { db in
            for kind in Kind.all where !kind.mediaFields.isEmpty {
                try db.execute(sql: "CREATE INDEX \(kind.name)_author ON \(kind.name) (author)")
            }
        }
        // What a peer asks of one journal is looked up by its device, however many devices there are.
        migrator.registerMigration("3") { db in
            try db.execute(sql: "CREATE INDEX branch_device ON branch (device, journal)")
        }
        // Hosts invite as well as the founder.
        migrator.registerMigration("4") { db in try db.execute(sql: levels) }
        // What a person said counts up to a place, and keys are renewed.
        migrator.registerMigration("5") { db in try db.execute(sql: cuts) }
        // Relays hold blobs by what headers say of them, and let go of things by a policy.
        migrator.registerMigration("6") { db in try db.execute(sql: relaying) }
        // Moderators hide records.
        migrator.registerMigration("7") { db in try db.execute(sql: hiding) }
        // Who comes by some invitations waits for a host.
        migrator.registerMigration("8") { db in
            try db.execute(sql: "ALTER TABLE invitation ADD COLUMN asks INTEGER NOT NULL DEFAULT 0")
        }
        // Some records are for some people only; the views, which ask for all of that, come last.
        migrator.registerMigration("9") { db in
            for kind in Kind.all {
                try db.execute(sql: "DROP VIEW IF EXISTS visible_\(kind.name)")
                try db.execute(sql: "DROP VIEW IF EXISTS standing_\(kind.name)")
            }
            try db.execute(sql: audiences)
            try renewRecords(db)
        }
        migrator.registerMigration("10") { db in
            try db.execute(sql: "CREATE TABLE muted (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT")
        }
        // A person comes by several invitations, and each device holds the key of the one that it came by itself.
        migrator.registerMigration("11") { db in try db.execute(sql: "ALTER TABLE device ADD COLUMN came_by BLOB") }
        // People report records; a file that began with this version has the table.
        migrator.registerMigration("12") { db in try add(.report, to: db) }
        // People leave, and retire devices of theirs.
        migrator.registerMigration("13") { db in try db.execute(sql: leaving) }
        // An event has settings besides its title; what was said of them is worked out anew.
        migrator.registerMigration("14") { db in try renewEvent(db, for: "report_threshold") }
        // Who wrote under a key tells whether it is handed on where its maker's word does not count.
        migrator.registerMigration("15") { db in try db.execute(sql: writers) }
        // Anyone nearby may come to some events.
        migrator.registerMigration("16") { db in try renewEvent(db, for: "nearby") }
        // People mark what they want to find again; a file that began with this version has the table.
        migrator.registerMigration("17") { db in try add(.bookmark, to: db) }
        // What is held of each person is counted, so that nobody fills everybody's disks.
        migrator.registerMigration("18") { db in
            try db.execute(sql: quotas)
            for (device, usage) in try Counts.counted(db).usage { try usage.store(of: device, db) }
        }
        // People connect; a file that began with this version has the table.
        migrator.registerMigration("19") { db in try add(.connection, to: db) }
        // Some slots do not open, and whose they are matters; they are noted anew, as is what is under which key.
        migrator.registerMigration("20") { db in try db.execute(sql: wrongSlots) }
        // How fast each person wrote is counted, too.
        migrator.registerMigration("21") { db in
            try db.execute(sql: rates)
            try Counts.counted(db).storeHours(db)
        }
        // What was deleted is few of all, and looked for at each start.
        migrator.registerMigration("22") { db in
            try db.execute(sql: "CREATE INDEX journal_erased ON journal (id) WHERE erased = 1")
        }
        return migrator
    }

    /// Makes the table of a kind that earlier versions do not know.
    private static func add(_ kind: Kind, to db: Database) throws {
        guard try !db.tableExists(kind.name) else { return }
        try db.execute(sql: table(of: kind) + views(of: kind))
    }

    /// Makes the table of settings anew, as this version has it, where it lacks a setting.
    private static func renewEvent(_ db: Database, for setting: String) throws {
        guard try !db.columns(in: Kind.event.name).contains(where: { $0.name == setting }) else { return }
        try db.execute(sql: "DROP VIEW visible_event; DROP VIEW standing_event; DROP TABLE event;")
        try db.execute(sql: table(of: .event) + views(of: .event))
    }

    private static let fabric = """
        CREATE TABLE person (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            level INTEGER,
            joined INTEGER
        ) STRICT;
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            person INTEGER NOT NULL REFERENCES person,
            signing_key BLOB NOT NULL,
            agreement_key BLOB NOT NULL,
            copied INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE invitation (
            id BLOB PRIMARY KEY,
            terms INTEGER NOT NULL,
            level INTEGER NOT NULL,
            expires INTEGER,
            uses INTEGER,
            made INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE admission (
            invitation BLOB NOT NULL,
            person INTEGER NOT NULL REFERENCES person,
            made INTEGER NOT NULL,
            PRIMARY KEY (invitation, person)
        ) STRICT;
        CREATE TABLE epoch (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            counts INTEGER NOT NULL DEFAULT 0,
            key BLOB
        ) STRICT;
        """

    /// Makes the kinds' tables anew, as this version has them; what was in them is worked out again.
    private static func renewRecords(_ db: Database) throws {
        for kind in Kind.all { try db.execute(sql: "DROP TABLE IF EXISTS \(kind.name)") }
        for kind in Kind.all {
            try db.execute(sql: table(of: kind))
            guard !kind.mediaFields.isEmpty else { continue }
            try db.execute(sql: "CREATE INDEX \(kind.name)_author ON \(kind.name) (author)")
        }
        try db.execute(sql: "CREATE INDEX moment_continues ON moment (id) WHERE continues IS NOT NULL")
        for kind in Kind.all { try db.execute(sql: views(of: kind)) }
    }

    /// The journal grows in order of arrival.
    ///
    /// `header` is the compact form, which leaves the payload's hash out while
    /// the payload is held. `root` is the row that a delta is about, once that has come. `erased` is 1 for a payload that was
    /// deleted and 2 for one that was let go of: by a relay's policy, or as its author is beyond the quota.
    private static let journal = """
        CREATE TABLE branch (
            id INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device,
            journal INTEGER NOT NULL,
            parent INTEGER REFERENCES branch,
            leaves INTEGER NOT NULL,
            tip_sequence INTEGER NOT NULL,
            tip_hash BLOB NOT NULL
        ) STRICT;
        CREATE TABLE journal (
            id INTEGER PRIMARY KEY,
            branch INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            hash BLOB NOT NULL,
            epoch INTEGER NOT NULL,
            header BLOB NOT NULL,
            payload BLOB,
            signature BLOB,
            root INTEGER,
            erased INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX journal_place ON journal (branch, sequence);
        CREATE INDEX journal_root ON journal (root, branch) WHERE root IS NOT NULL;
        CREATE TABLE waiting (
            device INTEGER NOT NULL,
            place INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (device, place, hash, delta)
        ) STRICT, WITHOUT ROWID;
        """

    /// A kind's table: what every record has, then a column for each field.
    static func table(of kind: Kind) -> String {
        let columns = kind.fields.map { "\"\($0.name)\" \($0.type.columnType)" }
        var sql = """
            CREATE TABLE \(kind.name) (
                id INTEGER PRIMARY KEY,
                author INTEGER NOT NULL,
                target INTEGER NOT NULL,
                made INTEGER NOT NULL,
                audience INTEGER NOT NULL,
                \(columns.joined(separator: ",\n    "))
            ) STRICT;
            """
        if kind.identity == .key {
            sql += "CREATE UNIQUE INDEX \(kind.name)_key ON \(kind.name) (target, author, audience);"
        } else {
            sql += "CREATE INDEX \(kind.name)_made ON \(kind.name) (made);"
            if kind.target != .nothing { sql += "CREATE INDEX \(kind.name)_target ON \(kind.name) (target, made);" }
        }
        return sql
    }
}

extension FieldType {
    var columnType: String {
        switch self {
        case .text: "TEXT"
        case .number: "INTEGER"
        case .reference, .references, .person, .ends, .media: "BLOB"
        }
    }
}

/// Values of a record's `target` column that are no row of the journal, nor of persons where a kind hangs on such.
enum TargetColumn {
    /// The record hangs on nothing.
    static let nothing: Int64 = 0
    /// What the record hangs on has not come.
    static let waiting: Int64 = -1
}
