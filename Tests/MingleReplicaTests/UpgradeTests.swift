// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// Files of earlier versions.
struct UpgradeTests {
    /// Makes of a file what an earlier version would have left.
    private func rewind(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Takes a file back to what the version before levels made of it.
    private func takeBack(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for kind in Kind.all {
                try db.execute(sql: "DROP VIEW visible_\(kind.name); DROP VIEW standing_\(kind.name)")
            }
            try db.execute(
                sql: """
                    DROP TABLE closing;
                    DROP TABLE granted;
                    DROP TABLE derivation;
                    DROP INDEX admission_person;
                    DROP INDEX device_person;
                    ALTER TABLE person ADD COLUMN joined INTEGER;
                    DROP TABLE invitation;
                    CREATE TABLE invitation (
                        id BLOB PRIMARY KEY, terms INTEGER NOT NULL, level INTEGER NOT NULL, expires INTEGER, uses INTEGER,
                        made INTEGER NOT NULL
                    ) STRICT;
                    DELETE FROM profile WHERE author IN (SELECT id FROM person WHERE level = 3);
                    UPDATE person SET level = NULL WHERE level = 3;
                    DROP TABLE cut;
                    DROP TABLE slot;
                    DROP TABLE carried;
                    CREATE TABLE former AS SELECT id, name, key FROM epoch;
                    DROP TABLE epoch;
                    CREATE TABLE epoch (
                        id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, counts INTEGER NOT NULL DEFAULT 0, key BLOB
                    ) STRICT;
                    INSERT INTO epoch SELECT id, name, 1, key FROM former;
                    DROP TABLE former;
                    DROP TABLE audience;
                    DROP TABLE epoch_mention;
                    DROP TABLE lineage;
                    ALTER TABLE person DROP COLUMN base;
                    ALTER TABLE device DROP COLUMN retired;
                    DROP TABLE wrong_slots;
                    DELETE FROM grdb_migrations WHERE identifier IN ('4', '5', '8', '9', '13', '20');
                    """
            )
        }
        try queue.close()
    }

    @Test func `what an older version held and did not know counts once it is opened by this one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 31)
        let guest = try world.join(path: path)
        let host = try world.join()
        try world.founder.receiveAll(from: host)
        try world.founder.say(.fabric(.grant(person: host.own.person, level: .host)), at: 2500, world.randomness)
        try host.say(.set(.profile, on: .nothing, values: ["name": .text("Bob")]), at: 3000, world.randomness)
        for other in [world.founder, host] { try guest.receiveAll(from: other) }
        let (dump, people) = (try guest.dump(), try guest.people())
        #expect(people.map(\.level) == [.founder, .attendee, .host] && dump.contains { $0.contains("Bob") })
        try guest.close()
        try takeBack(path)
        let upgraded = try Replica(path: path, event: world.event, own: guest.own)
        #expect(try upgraded.dump() == dump && upgraded.people() == people)
        #expect(try upgraded.invitation(world.invitation.id)?.used == 2)
        try upgraded.close()
        let stored = try StoredReplica(path: path, event: world.event)
        #expect(!stored.isEarlier && stored.version == Replica.schemaVersion)
        // The old file went when the new one had proved sound, and nothing else is left.
        let names = try folder.names()
        #expect(names == ["replica.sqlite"])
    }

    @Test func `a report that a version before them held counts once the file is opened by this one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 36)
        let (reader, author) = (try world.join(path: path), try world.join())
        try world.founder.say(
            .fabric(.grant(person: reader.own.person, level: .moderator)),
            at: 2500,
            world.randomness
        )
        try author.receiveAll(from: reader)
        try author.receiveAll(from: world.founder)
        let moment = try world.founder.say(
            .create(.moment, on: .nothing, values: momentValues("Dinner")),
            at: 3000,
            world.randomness
        )
        try author.receiveAll(from: world.founder)
        let values: [String: Value] = ["reason": .number(2), "text": .text("Why")]
        try author.say(.set(.report, on: .record(moment), values: values), at: 4000, world.randomness)
        for other in [world.founder, author] { try reader.receiveAll(from: other) }
        let (dump, reported) = (try reader.dump(), try reader.reported())
        #expect(reported.first?.reports.map(\.text) == ["Why"])
        try reader.close()
        try rewind(
            path,
            """
            DROP VIEW visible_report;
            DROP VIEW standing_report;
            DROP TABLE report;
            DELETE FROM grdb_migrations WHERE identifier = '12';
            UPDATE derivation SET version = 8;
            """
        )
        let upgraded = try Replica(path: path, event: world.event, own: reader.own)
        #expect(try upgraded.dump() == dump && upgraded.reported() == reported)
    }

    @Test func `a bookmark that a version before it held shows once the file is opened by this one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 38)
        let identity = SigningKey(seed: world.randomness.secret())
        let reader = try world.join(identity: identity, path: path)
        let phone = try world.join(identity: identity)
        let moment = try world.founder.say(
            .create(.moment, on: .nothing, values: momentValues("Cake")),
            at: 3000,
            world.randomness
        )
        try [world.founder, phone, reader].meet()
        try phone.say(.set(.bookmark, on: .record(moment), values: ["on": .number(1)]), at: 4000, world.randomness)
        try [world.founder, phone, reader].meet()
        #expect(try reader.bookmarked(moment) == [moment])
        let dump = try reader.dump()
        try reader.close()
        try rewind(
            path,
            """
            DROP VIEW visible_bookmark;
            DROP VIEW standing_bookmark;
            DROP TABLE bookmark;
            DELETE FROM grdb_migrations WHERE identifier = '17';
            UPDATE derivation SET version = 12;
            """
        )
        let upgraded = try Replica(path: path, event: world.event, own: reader.own)
        #expect(try upgraded.dump() == dump && upgraded.bookmarked(moment) == [moment])
    }

    @Test func `a connection that a version before it held shows once the file is opened by this one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try ConnectionWorld(seed: 39, annaPath: path)
        try world.connect(world.bob, with: world.anna, at: 4000)
        let dump = try world.anna.dump()
        try world.anna.close()
        try rewind(
            path,
            """
            DROP VIEW visible_connection;
            DROP VIEW standing_connection;
            DROP TABLE connection;
            DELETE FROM grdb_migrations WHERE identifier = '19';
            UPDATE derivation SET version = 13;
            """
        )
        let upgraded = try Replica(path: path, event: world.event.event, own: world.anna.own)
        #expect(try upgraded.dump() == dump && upgraded.connection(with: world.bob.own.person) == .asks)
    }

    @Test func `a setting that a version before it held counts once the file is opened by this one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 37)
        let reader = try world.join(path: path)
        let seed = Secret(Array(repeating: 7, count: 32))
        let values: [String: Value] = [
            "title": .text("Party"), "report_threshold": .number(7), "nearby": .text(Base32.encode(seed.exposed())),
        ]
        try world.founder.say(.set(.event, on: .nothing, values: values), at: 3000, world.randomness)
        try reader.receiveAll(from: world.founder)
        let dump = try reader.dump()
        #expect(try reader.reportThreshold() == 7)
        try reader.close()
        let view = "CREATE VIEW visible_event AS SELECT id, author, target, made, audience, title FROM standing_event"
        for (columns, fields, version) in [
            (["report_threshold", "nearby"], "", 10), (["nearby"], ", report_threshold", 11),
        ] {
            let drops = columns.map { "ALTER TABLE event DROP COLUMN \($0);" }.joined()
            try rewind(
                path,
                """
                DROP VIEW visible_event;
                DROP TABLE epoch_writer;
                DROP TABLE wrong_slots;
                DROP TABLE usage;
                DROP TABLE hourly;
                DROP INDEX journal_let_go;
                DROP INDEX journal_erased;
                \(drops)
                \(view.replacing(", title", with: ", title\(fields)"));
                DELETE FROM grdb_migrations WHERE identifier >= '\(version + 4)' AND length(identifier) = 2;
                UPDATE derivation SET version = \(version);
                """
            )
            let upgraded = try Replica(path: path, event: world.event, own: reader.own)
            #expect(try upgraded.reportThreshold() == 7 && upgraded.nearbySetting()?.exposed() == seed.exposed())
            #expect(try upgraded.dump() == dump && upgraded.title() == "Party")
            try upgraded.close()
        }
    }

    /// A replica of an earlier version in a file.
    private func earlier(_ folder: TemporaryFolder, seed: UInt64) throws -> (world: TestEvent, own: OwnDevice) {
        var world = try TestEvent(seed: seed)
        let guest = try world.join(path: folder.file("replica.sqlite"))
        try world.founder.say(.set(.profile, on: .nothing, values: ["name": .text("Ana")]), at: 3000, world.randomness)
        try guest.receiveAll(from: world.founder)
        let own = guest.own
        try guest.close()
        try takeBack(folder.file("replica.sqlite"))
        return (world, own)
    }

    @Test func `a file goes on that knows who wrote under a key, and not with what`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 37)
        let guest = try world.join(path: path)
        let dump = try guest.dump()
        let need = try guest.keyNeed(at: Timestamp(milliseconds: 5000))
        try guest.close()
        try rewind(
            path,
            """
            DROP TABLE wrong_slots;
            DROP TABLE slot;
            CREATE TABLE slot (epoch INTEGER, label INTEGER, PRIMARY KEY (epoch, label)) STRICT, WITHOUT ROWID;
            DROP TABLE epoch_writer;
            CREATE TABLE epoch_writer (epoch INTEGER, device INTEGER, PRIMARY KEY (epoch, device)) STRICT, WITHOUT ROWID;
            DELETE FROM grdb_migrations WHERE identifier = '20';
            UPDATE derivation SET version = 14;
            """
        )
        let upgraded = try Replica(path: path, event: world.event, own: guest.own)
        #expect(try upgraded.dump() == dump)
        #expect(try upgraded.keyNeed(at: Timestamp(milliseconds: 5000)) == need)
        try upgraded.say(.set(.profile, on: .nothing, values: ["name": .text("Ana")]), at: 5000, world.randomness)
        #expect(try upgraded.lines("name=\"Ana\"").count == 1)
        try upgraded.close()
    }

    @Test func `a file that does not prove sound in its new form stays as it was`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let (world, own) = try earlier(folder, seed: 32)
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "UPDATE journal SET signature = zeroblob(64) WHERE id = (SELECT max(id) FROM journal)")
        }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = try #require(throws: ReplicaError.self) { try Replica(path: path, event: world.event, own: own) }
        guard case .damaged = error else { throw error }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try !folder.names().contains { $0.contains(".new") })
    }

    @Test func `a file of an earlier version is looked at and copied as it is, so that its version can go on with it`()
        throws
    {
        let folder = try TemporaryFolder()
        let (path, copy) = (folder.file("replica.sqlite"), folder.file("copy.sqlite"))
        let (world, _) = try earlier(folder, seed: 35)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let stored = try StoredReplica(path: path, event: world.event)
        #expect(stored.isEarlier && stored.version == Replica.schemaVersion - 6)
        let inspection = try stored.inspect()
        #expect(inspection.isSound && inspection.headers > 3 && inspection.signatures > 1)
        try stored.copy(to: copy)
        let copied = try StoredReplica(path: copy, event: world.event)
        #expect(copied.isEarlier && copied.version == stored.version)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a file of a newer version is refused with what to do, and stays as it was`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let (world, own) = try earlier(folder, seed: 33)
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99')") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = try #require(throws: ReplicaError.self) { try Replica(path: path, event: world.event, own: own) }
        #expect(error == .newer(path: path) && "\(error)".contains("Install that version"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a file without sums gets them, and shows the same`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 34)
        let guest = try world.join(path: folder.file("first.sqlite"))
        let dump = try guest.dump()
        try guest.close()
        // What an earlier version made: the same tables, without reserved bytes.
        let plain = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(plain)
        try plain.inDatabase { db in
            try db.execute(sql: "ATTACH ? AS other", arguments: [folder.file("first.sqlite")])
            let names = try String.fetchAll(
                db,
                sql: "SELECT name FROM other.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
            for name in names {
                try db.execute(sql: "DELETE FROM main.\(name); INSERT INTO main.\(name) SELECT * FROM other.\(name)")
            }
            #expect(!db.hasPageSums)
        }
        try plain.close()
        let upgraded = try Replica(path: path, event: world.event, own: guest.own)
        #expect(try upgraded.dump() == dump)
        #expect(try upgraded.pool.read { $0.hasPageSums })
        try upgraded.close()
    }
}
