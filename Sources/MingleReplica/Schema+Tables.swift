// SPDX-License-Identifier: Apache-2.0

/// The tables that every event has, whatever its kinds of records.
extension Schema {
    /// Persons and their devices.
    ///
    /// `person.base` is the level without any cut. `device.came_by` is the invitation of an admission that the device
    /// made itself. `muted` has the persons whom this node's person does not want to see.
    static let people = """
        CREATE TABLE person (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            level INTEGER,
            base INTEGER
        ) STRICT;
        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            person INTEGER NOT NULL REFERENCES person,
            signing_key BLOB NOT NULL,
            agreement_key BLOB NOT NULL,
            copied INTEGER NOT NULL DEFAULT 0,
            came_by BLOB,
            retired INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX device_person ON device (person);
        CREATE TABLE muted (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT;
        """

    /// Invitations, admissions, levels and removals.
    ///
    /// Each statement keeps its delta, because a cut can make some statements of a person void. `rank` is the level of
    /// the maker where the delta stands. `cut.device` is set for a cut of one device.
    static let membership = """
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
            asks INTEGER NOT NULL DEFAULT 0,
            door INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (id, level, delta)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invitation_maker ON invitation (maker);
        CREATE INDEX invitation_delta ON invitation (delta);
        CREATE TABLE closing (
            invitation BLOB NOT NULL,
            delta INTEGER NOT NULL,
            admitted INTEGER NOT NULL,
            maker INTEGER NOT NULL REFERENCES person,
            rank INTEGER,
            PRIMARY KEY (invitation, delta, admitted)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX closing_maker ON closing (maker);
        CREATE INDEX closing_delta ON closing (delta);
        CREATE TABLE admission (
            invitation BLOB NOT NULL,
            person INTEGER NOT NULL REFERENCES person,
            made INTEGER NOT NULL,
            PRIMARY KEY (invitation, person)
        ) STRICT;
        CREATE INDEX admission_person ON admission (person, made);
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
            counts INTEGER NOT NULL DEFAULT 0,
            device BLOB
        ) STRICT;
        CREATE INDEX cut_person ON cut (person);
        """

    /// When the author of a stored header wrote it, as bytes that sort like the times.
    static let storedTime = "substr(header, 2, 8)"

    /// Journals, which grow in order of arrival.
    ///
    /// `header` is the compact form, without the payload's hash while the payload is held. `root` is the row that a
    /// delta is about, once that row has come. `erased` is 1 for a deleted payload. It is 2 for a payload that this
    /// node let go of, by a relay's policy or because the author is beyond the quota. `waiting` has the deltas whose
    /// root is missing. `kind` is the kind of the record that a delta makes, once it could be read. `late` is the
    /// time at which this node stored a header that is dated later than that (``ShownAt``); it is written once.
    static let journals = """
        CREATE TABLE branch (
            id INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES device,
            journal INTEGER NOT NULL,
            parent INTEGER REFERENCES branch,
            leaves INTEGER NOT NULL,
            tip_sequence INTEGER NOT NULL,
            tip_hash BLOB NOT NULL
        ) STRICT;
        CREATE INDEX branch_device ON branch (device, journal);
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
            erased INTEGER NOT NULL DEFAULT 0,
            kind INTEGER,
            late INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX journal_place ON journal (branch, sequence);
        CREATE INDEX journal_root ON journal (root, branch) WHERE root IS NOT NULL;
        CREATE INDEX journal_erased ON journal (id) WHERE erased = 1;
        CREATE INDEX journal_let_go ON journal (branch, (epoch = 0), \(storedTime)) WHERE erased = 2;
        CREATE TABLE waiting (
            device INTEGER NOT NULL,
            place INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (device, place, hash, delta)
        ) STRICT, WITHOUT ROWID;
        """

    /// The first delta of each branch under each epoch, of some journals.
    ///
    /// In each group SQLite takes `id` from the row that has the lowest sequence.
    static let writersOfJournals = "SELECT epoch, branch, id AS delta, min(sequence) FROM journal"

    /// Keys of epochs, and the statements about them.
    ///
    /// `epoch_writer` has the first delta of each branch under each epoch, readable or erased. `epoch_mention` has the
    /// deltas that name an epoch. `wrong_slots` has the devices whose wrapped keys from an author do not open; such a
    /// device may be unknown still.
    static let epochs = """
        CREATE TABLE epoch (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,
            key BLOB,
            rules BLOB,
            delta INTEGER,
            maker INTEGER,
            rank INTEGER,
            obeys BLOB,
            carried BLOB,
            audience INTEGER
        ) STRICT;
        CREATE INDEX epoch_maker ON epoch (maker);
        CREATE INDEX epoch_delta ON epoch (delta);
        CREATE INDEX epoch_audience ON epoch (audience);
        CREATE TABLE carried (
            epoch INTEGER NOT NULL,
            carried INTEGER NOT NULL,
            PRIMARY KEY (epoch, carried)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE slot (
            epoch INTEGER NOT NULL,
            label INTEGER NOT NULL,
            author INTEGER NOT NULL REFERENCES device,
            PRIMARY KEY (epoch, label, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX slot_label ON slot (label);
        CREATE TABLE wrong_slots (
            device INTEGER NOT NULL REFERENCES device,
            author BLOB NOT NULL,
            PRIMARY KEY (device, author)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE epoch_writer (
            epoch INTEGER NOT NULL,
            branch INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (epoch, branch)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE epoch_mention (
            epoch INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (epoch, delta)
        ) STRICT, WITHOUT ROWID;
        """

    /// Audiences of records; audience 0 is everybody in the event.
    ///
    /// An epoch has no audience until its key is held. `lineage` has the moments that a moment continues, with the
    /// audience of each, which is -1 until it is known.
    static let audiences = """
        CREATE TABLE audience (id INTEGER PRIMARY KEY, terms BLOB NOT NULL UNIQUE) STRICT;
        CREATE TABLE lineage (
            moment INTEGER NOT NULL,
            ancestor INTEGER NOT NULL,
            audience INTEGER NOT NULL,
            PRIMARY KEY (moment, ancestor)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX lineage_ancestor ON lineage (ancestor, audience);
        CREATE INDEX lineage_unknown ON lineage (ancestor) WHERE audience = -1;
        """

    /// What moderators said about whether records are shown, and which statement hides a record now.
    static let moderation = """
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

    /// What a relay holds by what headers say of blobs.
    ///
    /// `retention` has one row: the policy, the last new delta, the last look for one, and for how long nothing new
    /// came.
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
        CREATE TABLE retention (
            policy TEXT NOT NULL,
            row INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            quiet INTEGER NOT NULL
        ) STRICT;
        INSERT INTO retention VALUES ('', 0, 0, 0);
        """

    /// What is held of each device and person.
    ///
    /// `usage` has the bytes of payloads that are held or to be fetched, and the number of those let go of. `hourly`
    /// has the number of payloads that a device dates within an hour; device 0 stands for all devices of the person.
    static let quotas = """
        CREATE TABLE usage (
            device INTEGER PRIMARY KEY REFERENCES device,
            words INTEGER NOT NULL,
            keys INTEGER NOT NULL,
            let_go INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE hourly (
            person INTEGER NOT NULL REFERENCES person,
            hour INTEGER NOT NULL,
            device INTEGER NOT NULL,
            words INTEGER NOT NULL,
            PRIMARY KEY (person, hour, device)
        ) STRICT, WITHOUT ROWID;
        """
}
