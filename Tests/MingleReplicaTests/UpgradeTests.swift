// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Files of earlier versions.
struct UpgradeTests {
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
                    DELETE FROM grdb_migrations WHERE identifier IN ('4', '5', '8', '9');
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
    }
}
