// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

@testable import MingleReplica

/// What becomes of a replica whose file was altered on the disk.
struct DamageTests {
    /// A guest's replica in a file, and the founder who holds all that it holds.
    struct Scene {
        let folder: TemporaryFolder
        let world: TestEvent
        let own: OwnDevice
        let dump: [String]
        var path: String { folder.file("replica.sqlite") }

        init(seed: UInt64, deltas: Int = 150) throws {
            folder = try TemporaryFolder()
            var world = try TestEvent(seed: seed)
            let guest = try world.join(path: folder.file("replica.sqlite"))
            try world.founder.receiveAll(from: guest)
            let moment = try world.founder.say(
                .create(.moment, on: .nothing, values: MergeTests.party),
                at: 3000,
                world.randomness
            )
            try guest.receiveAll(from: world.founder)
            for number in 0..<deltas {
                let writer = number % 3 == 0 ? guest : world.founder
                let text = Value.text("Word \(number) " + String(repeating: "and more ", count: number % 60))
                try writer.say(
                    .create(.comment, on: .record(moment), values: ["text": text]),
                    at: 4000 + Int64(number),
                    world.randomness
                )
            }
            try world.founder.receiveAll(from: guest)
            try guest.receiveAll(from: world.founder)
            (self.world, own, dump) = (world, guest.own, try guest.dump())
            try guest.checkpoint()
            try guest.close()
        }

        /// Opens the guest's replica.
        func open() throws -> Replica { try Replica(path: path, event: world.event, own: own) }

        /// Repairs it, and returns what came of it.
        func rebuild() throws -> Rebuild {
            let new = folder.file("new.sqlite")
            let rebuild = try Replica.rebuild(from: path, into: new, event: world.event, own: own)
            try ReplicaFiles.replace(path, by: new)
            return rebuild
        }
    }

    @Test func `a sound replica is found sound, and leaves nothing behind`() throws {
        let scene = try Scene(seed: 1)
        let replica = try scene.open()
        let inspection = try replica.inspect(copyingTo: scene.folder.file("copy.sqlite"))
        #expect(inspection.damages == [])
        #expect(inspection.headers > 150 && inspection.signatures > 5)
        try replica.close()
        let names = try scene.folder.names()
        #expect(names == ["replica.sqlite"])
    }

    @Test(arguments: LawSeeds.first(24))
    func `whatever bits flip, nothing wrong is read, and one peer heals it`(seed: UInt64) throws {
        let scene = try Scene(seed: seed % 3, deltas: 60)
        try Bits.flip(1 + Int(seed % 4), in: scene.path, seed: seed)
        var isNoticed = false
        do {
            let replica = try scene.open()
            defer { try? replica.close() }
            let shown = try replica.dump()
            #expect(Set(shown).isSubset(of: scene.dump), "shows what nobody said")
            for entry in try replica.frontier().entries {
                let runs = try replica.runs(of: entry.device, entry.journal, after: [], byteLimit: .max)
                let reader = try scene.world.reader()
                #expect(try reader.merge(runs).refused.isEmpty, "serves what nobody said")
            }
            isNoticed = try !replica.inspect(copyingTo: scene.folder.file("copy.sqlite")).isSound
        } catch let error as ReplicaError {
            guard case .damaged = error else { throw error }
            isNoticed = true
        }
        // Only bytes that SQLite has no use for may change unnoticed.
        #expect(try isNoticed || Set(scene.open().dump()) == Set(scene.dump))
        let rebuild = try scene.rebuild()
        let healed = try scene.open()
        defer { try? healed.close() }
        #expect(try Set(healed.dump()).isSubset(of: scene.dump))
        #expect(try healed.inspect(copyingTo: scene.folder.file("copy.sqlite")).damages == [])
        try healed.receiveAll(from: scene.world.founder)
        #expect(try healed.dump() == scene.dump)
        #expect(rebuild.isReadable || rebuild.saved == 0)
    }

    @Test func `a flipped bit costs what follows it in one journal, and nothing else`() throws {
        let scene = try Scene(seed: 5)
        let word = try #require(
            try Data(contentsOf: URL(fileURLWithPath: scene.path)).range(of: Data("Word 100 ".utf8))
        )
        try Bits.flip(1, in: scene.path, seed: 1, range: word)
        let rebuild = try scene.rebuild()
        // Words stand in the comments' table, so every delta is saved.
        #expect(rebuild.shortened == [] && rebuild.ownIsWhole && rebuild.isReadable)
        let healed = try scene.open()
        #expect(try healed.dump() == scene.dump)
        #expect(try healed.isOwnKeyUsedElsewhere() == false)
        try healed.close()
    }

    @Test func `an own journal that is not whole is never written on`() throws {
        let scene = try Scene(seed: 6)
        let queue = try DatabaseQueue(path: scene.path)
        try queue.write { db in
            try db.execute(
                sql: """
                    UPDATE journal SET header = CAST(substr(header, 1, 3) || x'ff' || substr(header, 5) AS BLOB) WHERE id =
                        (SELECT max(journal.id) FROM journal JOIN branch ON branch.id = branch
                            JOIN device ON device.id = device WHERE name = ? AND journal = 1)
                    """,
                arguments: [scene.own.name.column]
            )
        }
        try queue.close()
        let damaged = try scene.open()
        let inspection = try damaged.inspect(copyingTo: nil)
        let places = inspection.damages.map(\.place)
        let isFound = places.contains {
            if case .journal(scene.own.name, .content, _) = $0 { true } else { false }
        }
        #expect(isFound && places.count == 1)
        #expect(throws: ReplicaError.self) {
            try damaged.runs(of: scene.own.name, .content, after: [], byteLimit: .max)
        }
        try damaged.close()
        let rebuild = try scene.rebuild()
        #expect(!rebuild.ownIsWhole && rebuild.lost == 1 && rebuild.lost(of: scene.own.name) == 1)
        #expect(rebuild.shortened.map(\.device) == [scene.own.name])
    }

    @Test func `a journal that cannot be read is told as a damage, and ends no look`() throws {
        let scene = try Scene(seed: 11)
        let queue = try DatabaseQueue(path: scene.path)
        let payload = try #require(
            try queue.read { db in
                // Not the first nor the last page of the journal, which are read when it is opened.
                try Data.fetchOne(db, sql: "SELECT payload FROM journal WHERE length(payload) > 40 LIMIT 1 OFFSET 75")
            }
        )
        try queue.close()
        let range = try #require(try Data(contentsOf: URL(fileURLWithPath: scene.path)).range(of: payload))
        try Bits.flip(1, in: scene.path, seed: 3, range: range)
        let damaged = try scene.open()
        let inspection = try damaged.inspect(copyingTo: scene.folder.file("copy.sqlite"))
        #expect(!inspection.isSound && inspection.damages.contains { $0.place == .database })
        try damaged.close()
        #expect(try scene.rebuild().lost > 0)
    }

    @Test(arguments: [3, 18, 19])
    func `a header that hides the log costs nothing of what stands in that`(place: Int) throws {
        let scene = try Scene(seed: 10, deltas: 10)
        let guest = try scene.open()
        try guest.say(
            .set(.profile, on: .nothing, values: ["name": .text("Gus")]),
            at: 9000,
            scene.world.randomness
        )
        let dump = try guest.dump()
        // As a kill leaves it: what was said last stands in the log.
        try scene.folder.copyDatabase("replica.sqlite", to: "killed.sqlite")
        try guest.close()
        let killed = scene.folder.file("killed.sqlite")
        try Bits.flip(1, in: killed, seed: 2, range: place..<place + 1)
        let new = scene.folder.file("new.sqlite")
        let rebuild = try Replica.rebuild(from: killed, into: new, event: scene.world.event, own: scene.own)
        #expect(rebuild.ownIsWhole && rebuild.lost == 0)
        let healed = try Replica(path: new, event: scene.world.event, own: scene.own)
        #expect(try healed.dump() == dump && dump.contains { $0.contains("Gus") })
        try healed.close()
    }

    @Test func `records that do not follow from the journals are found, and go`() throws {
        let scene = try Scene(seed: 7)
        let queue = try DatabaseQueue(path: scene.path)
        try queue.write { db in
            try db.execute(sql: "UPDATE comment SET text = 'Nobody said so' WHERE text LIKE 'Word 7 %'")
        }
        try queue.close()
        let damaged = try scene.open()
        let inspection = try damaged.inspect(copyingTo: scene.folder.file("copy.sqlite"))
        #expect(inspection.damages.map(\.place) == [.derived])
        try damaged.close()
        #expect(try scene.rebuild().lost == 0)
        let healed = try scene.open()
        #expect(try healed.dump() == scene.dump)
        try healed.close()
    }

    @Test func `a fabric journal that only its last signature proves is sound, and nothing of it is lost`() throws {
        let folder = try TemporaryFolder()
        let world = try TestEvent(seed: 12)
        let (founder, path) = (world.founder, folder.file("reader.sqlite"))
        let reader = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let runs = try founder.runs(of: founder.own.name, .fabric, after: [], byteLimit: .max).map { run in
            var deltas = run.deltas
            for index in deltas.indices.dropLast() { deltas[index].signature = nil }
            return Run(deltas)
        }
        let replica = try Replica(path: path, event: world.event, own: reader)
        let outcome = try replica.merge(runs)
        #expect(outcome.refused.isEmpty && outcome.newHeaders >= 3 && runs.count == 1)
        #expect(try replica.inspect(copyingTo: folder.file("copy.sqlite")).damages == [])
        try replica.close()
        let rebuild = try Replica.rebuild(from: path, into: folder.file("new"), event: world.event, own: reader)
        #expect(rebuild.lost == 0 && rebuild.saved == outcome.newHeaders)
    }

    @Test func `what was deleted stays deleted, and what waits for its payload goes on waiting`() throws {
        let folder = try TemporaryFolder()
        let world = try TestEvent(seed: 8, path: folder.file("replica.sqlite"))
        let founder = world.founder
        let path = folder.file("reader.sqlite")
        let reader = try world.reader(path: path)
        let moment = try founder.say(
            .create(.moment, on: .nothing, values: MergeTests.party),
            at: 3000,
            world.randomness
        )
        try founder.say(.delete(moment), at: 3001, world.randomness)
        let late = try founder.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 3002, world.randomness)
        try reader.receiveAll(from: founder, omitting: { $0 == late })
        try reader.close()
        let rebuild = try Replica.rebuild(from: path, into: folder.file("new"), event: world.event, own: reader.own)
        // It has no journal of its own, so nothing says that it never wrote.
        #expect(rebuild.lost == 0 && !rebuild.ownIsWhole)
        let new = try Replica(path: folder.file("new"), event: world.event, own: reader.own)
        let (payloads, missing) = try (new.payloads([moment, late]), new.missingPayloads(limit: 10).map(\.reference))
        #expect(payloads == [.erased, .absent])
        #expect(missing == [late])
        #expect(try new.hasKey())
        try new.close()
    }

    @Test(arguments: [ResultCode.SQLITE_IOERR_DATA, .SQLITE_IOERR_READ, .SQLITE_CORRUPT, .SQLITE_NOTADB])
    func `what a disk gives back otherwise or not at all is damage`(code: ResultCode) {
        guard case .damaged(path: "x", _) = ReplicaError(DatabaseError(resultCode: code), path: "x") else {
            Issue.record("\(code) is no damage")
            return
        }
        #expect(DatabaseError(resultCode: code).isDamage)
        for other in [.SQLITE_NOMEM, .SQLITE_IOERR_NOMEM, .SQLITE_IOERR_LOCK, .SQLITE_BUSY] as [ResultCode] {
            #expect(!DatabaseError(resultCode: other).isDamage)
        }
    }

    @Test func `a scan takes columns that are not there as empty, and a table that is not there as lost`() throws {
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO word VALUES (3, 'x')"
            )
            var scan = TableScan(table: "word", columns: ["text", "rules"])
            let found = try scan.run(db) { (columns: Columns) in !columns.isNull(1) && columns.isNull(2) }
            #expect(found == [3: true] && scan.isComplete)
            var lost = TableScan(table: "words", columns: ["text"])
            let none = try lost.run(db) { $0.isNull(1) }
            #expect(none.isEmpty && !lost.isComplete)
        }
    }

    @Test(arguments: ["muted", "journal", "person"])
    func `a schema of which a row is empty is repaired as far as the rest goes`(lost: String) throws {
        let scene = try Scene(seed: 8, deltas: 20)
        let queue = try DatabaseQueue(path: scene.path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            let nothing = "type = NULL, name = NULL, tbl_name = NULL, sql = NULL"
            try db.execute(sql: "UPDATE sqlite_master SET \(nothing) WHERE name = ?", arguments: [lost])
        }
        try queue.close()
        let rebuild = try scene.rebuild()
        #expect(rebuild.mutedAreWhole == (lost != "muted"))
        let healed = try scene.open()
        defer { try? healed.close() }
        try healed.receiveAll(from: scene.world.founder)
        #expect(try healed.dump() == scene.dump)
    }

    @Test func `a file that is no database leaves nothing, and says so`() throws {
        let scene = try Scene(seed: 9, deltas: 3)
        try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: scene.path))
        #expect(throws: ReplicaError.self) { try scene.open() }
        let rebuild = try scene.rebuild()
        #expect(!rebuild.isReadable && !rebuild.ownIsWhole && rebuild.saved == 0)
        let healed = try scene.open()
        try healed.receiveAll(from: scene.world.founder)
        #expect(try healed.dump() == scene.dump)
        try healed.close()
    }
}
