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
            for (device, usage) in try Usage.counted(db) { try usage.store(of: device, db) }
        }
        // People connect; a file that began with this version has the table.
        migrator.registerMigration("19") { db in try add(.connection, to: db) }
        // Some slots do not open, and whose they are matters; they are noted anew, as is what is under which key.
        migrator.registerMigration("20") { db in try db.execute(sql: wrongSlots) }
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

    private static let levels = """
        DROP TABLE invitation;
        CREATE TABLE invitation (
            id BLOB NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            level INTEGER NOT NULL,
            expires INTEGER,
            uses INTEGER,
            made INTEGER NOT NULL,
            PRIMARY KEY (id, maker, level)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE closing (
            invitation BLOB NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            admitted INTEGER NOT NULL,
            PRIMARY KEY (invitation, maker, admitted)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE granted (
            person INTEGER NOT NULL REFERENCES person,
            level INTEGER NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            PRIMARY KEY (person, level, maker)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE person DROP COLUMN joined;
        CREATE INDEX device_person ON device (person);
        CREATE INDEX admission_person ON admission (person, made);
        CREATE TABLE derivation (version INTEGER NOT NULL) STRICT;
        INSERT INTO derivation SELECT CASE WHEN EXISTS (SELECT 1 FROM journal) THEN 0 ELSE \(derivation) END;
        """

    /// Statements stand by their deltas, as cuts may void some of a person's; `rank` is the level at which one was made.
    private static let cuts = """
        DROP TABLE invitation;
        CREATE TABLE invitation (
            id BLOB NOT NULL,
            level INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            rank INTEGER,
            agreement_key BLOB NOT NULL,
            expires INTEGER,
            uses INTEGER,
            made INTEGER NOT NULL,
            PRIMARY KEY (id, level, delta)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invitation_maker ON invitation (maker);
        DROP TABLE closing;
        CREATE TABLE closing (
            invitation BLOB NOT NULL,
            delta INTEGER NOT NULL,
            admitted INTEGER NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            rank INTEGER,
            PRIMARY KEY (invitation, delta, admitted)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX closing_maker ON closing (maker);
        DROP TABLE granted;
        CREATE TABLE granted (
            person INTEGER NOT NULL REFERENCES person,
            level INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            PRIMARY KEY (person, level, delta)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cut (
            delta INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person,
            maker INTEGER NOT NULL REFERENCES person,
            level INTEGER,
            counts INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX cut_person ON cut (person);
        ALTER TABLE epoch DROP COLUMN counts;
        ALTER TABLE epoch ADD COLUMN rules BLOB;
        ALTER TABLE epoch ADD COLUMN delta INTEGER;
        ALTER TABLE epoch ADD COLUMN maker INTEGER;
        ALTER TABLE epoch ADD COLUMN rank INTEGER;
        ALTER TABLE epoch ADD COLUMN obeys BLOB;
        ALTER TABLE epoch ADD COLUMN carried BLOB;
        CREATE INDEX invitation_delta ON invitation (delta);
        CREATE INDEX closing_delta ON closing (delta);
        CREATE INDEX epoch_maker ON epoch (maker);
        CREATE INDEX epoch_delta ON epoch (delta);
        CREATE TABLE carried (
            epoch INTEGER NOT NULL,
            carried INTEGER NOT NULL,
            PRIMARY KEY (epoch, carried)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE slot (
            epoch INTEGER NOT NULL,
            label INTEGER NOT NULL,
            PRIMARY KEY (epoch, label)
        ) STRICT, WITHOUT ROWID;
        """

    /// `base` is the level as if nobody had cut anything; a cut of one device has that device's name.
    private static let leaving = """
        ALTER TABLE person ADD COLUMN base INTEGER;
        UPDATE person SET base = level;
        ALTER TABLE device ADD COLUMN retired INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE cut ADD COLUMN device BLOB;
        """

    /// `retention` has one row: the policy, the last delta that was new, when that was looked for last, and for how long
    /// nothing new has come.
    private static let relaying = """
        CREATE TABLE listing (
            blob BLOB NOT NULL,
            delta INTEGER NOT NULL,
            person INTEGER NOT NULL REFERENCES person,
            size INTEGER NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (blob, delta)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX listing_delta ON listing (delta);
        CREATE INDEX listing_person ON listing (person);
        CREATE TABLE given_up (
            blob BLOB NOT NULL,
            person INTEGER NOT NULL,
            PRIMARY KEY (blob, person)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retention (policy TEXT NOT NULL, row INTEGER NOT NULL, seen INTEGER NOT NULL, quiet INTEGER NOT NULL) STRICT;
        INSERT INTO retention VALUES ('', 0, 0, 0);
        """

    /// What was said about whether records are shown, and by which of it a record is hidden now.
    private static let hiding = """
        CREATE TABLE hiding (
            delta INTEGER PRIMARY KEY,
            record INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            made INTEGER NOT NULL,
            reason TEXT,
            hides INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX hiding_record ON hiding (record);
        CREATE UNIQUE INDEX hiding_hides ON hiding (record) WHERE hides = 1;
        """

    /// An epoch is of no audience until its key is held; audience 0 is the event's.
    ///
    /// `epoch_mention` has the deltas that speak of an epoch, `lineage` what moments continue, with the audience of that; -1
    /// while it is not known.
    private static let audiences = """
        CREATE TABLE audience (id INTEGER PRIMARY KEY, terms BLOB NOT NULL UNIQUE) STRICT;
        ALTER TABLE epoch ADD COLUMN audience INTEGER;
        UPDATE epoch SET audience = 0 WHERE key IS NOT NULL;
        CREATE INDEX epoch_audience ON epoch (audience);
        CREATE TABLE epoch_mention (
            epoch INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (epoch, delta)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lineage (
            moment INTEGER NOT NULL,
            ancestor INTEGER NOT NULL,
            audience INTEGER NOT NULL,
            PRIMARY KEY (moment, ancestor)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX lineage_ancestor ON lineage (ancestor, audience);
        CREATE INDEX lineage_unknown ON lineage (ancestor) WHERE audience = -1;
        """

    /// Whose devices wrote under which epoch; ``wrongSlots`` has more of that.
    private static let writers = """
        CREATE TABLE epoch_writer (
            epoch INTEGER NOT NULL,
            device INTEGER NOT NULL,
            PRIMARY KEY (epoch, device)
        ) STRICT, WITHOUT ROWID;
        """

    /// What `epoch_writer` has of some journals; where one of a group has the lowest sequence, SQLite takes its id.
    static let writersOfJournals = "SELECT epoch, branch, id AS delta, min(sequence) FROM journal"

    /// `wrong_slots` has the devices of which a device says that their slots for it do not open; they may not be known yet.
    ///
    /// `epoch_writer` has the first delta of each branch under each epoch, be it read or erased.
    private static let wrongSlots = """
        DROP TABLE slot;
        CREATE TABLE slot (
            epoch INTEGER NOT NULL,
            label INTEGER NOT NULL,
            author INTEGER NOT NULL REFERENCES device,
            PRIMARY KEY (epoch, label, author)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE wrong_slots (
            device INTEGER NOT NULL REFERENCES device,
            author BLOB NOT NULL,
            PRIMARY KEY (device, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX slot_label ON slot (label);
        DROP TABLE epoch_writer;
        CREATE TABLE epoch_writer (
            epoch INTEGER NOT NULL,
            branch INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (epoch, branch)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO epoch_writer SELECT epoch, branch, delta FROM (\(writersOfJournals) WHERE epoch <> 0 GROUP BY epoch, branch);
        """

    /// `usage` has the bytes of payloads that are held or to be fetched of each device, and how many were let go of.
    private static let quotas = """
        CREATE TABLE usage (
            device INTEGER PRIMARY KEY REFERENCES device,
            words INTEGER NOT NULL,
            keys INTEGER NOT NULL,
            let_go INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX journal_let_go ON journal (branch, (epoch = 0)) WHERE erased = 2;
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
    /// What it names can never be what this kind hangs on.
    static let void: Int64 = -2
}
