// SPDX-License-Identifier: Apache-2.0

/// What later versions added to the tables or made otherwise, in the order in which they did.
extension Schema {
    static let levels = """
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
    static let cuts = """
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
    static let leaving = """
        ALTER TABLE person ADD COLUMN base INTEGER;
        UPDATE person SET base = level;
        ALTER TABLE device ADD COLUMN retired INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE cut ADD COLUMN device BLOB;
        """

    /// `retention` has one row: the policy, the last delta that was new, when that was looked for last, and for how long
    /// nothing new has come.
    static let relaying = """
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
    static let hiding = """
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
    static let audiences = """
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
    static let writers = """
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
    static let wrongSlots = """
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
    static let quotas = """
        CREATE TABLE usage (
            device INTEGER PRIMARY KEY REFERENCES device,
            words INTEGER NOT NULL,
            keys INTEGER NOT NULL,
            let_go INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX journal_let_go ON journal (branch, (epoch = 0)) WHERE erased = 2;
        """

    /// When the author of a stored header wrote, as bytes whose order is that of the times.
    static let storedTime = "substr(header, 2, 8)"

    /// `hourly` has how many words each device dates within which hour, of those that are held or to be fetched; device 0 stands for
    /// all of the person's together.
    static let rates = """
        CREATE TABLE hourly (
            person INTEGER NOT NULL REFERENCES person,
            hour INTEGER NOT NULL,
            device INTEGER NOT NULL,
            words INTEGER NOT NULL,
            PRIMARY KEY (person, hour, device)
        ) STRICT, WITHOUT ROWID;
        DROP INDEX journal_let_go;
        CREATE INDEX journal_let_go ON journal (branch, (epoch = 0), \(storedTime)) WHERE erased = 2;
        """
}
