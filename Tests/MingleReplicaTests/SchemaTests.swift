// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import Testing

@testable import MingleReplica

/// What opening makes of an empty database, and of one of another version.
struct SchemaTests {
    private func names(in queue: DatabaseQueue) throws -> [String] {
        try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master ORDER BY name") }
    }

    /// Changes a closed file.
    private func change(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `an empty database gets a table and two views for each kind`() throws {
        let queue = try DatabaseQueue()
        try Schema.prepare(queue, path: ":memory:")
        let names = Set(try names(in: queue))
        for kind in Kind.all {
            #expect(names.isSuperset(of: [kind.name, "standing_\(kind.name)", "visible_\(kind.name)"]))
        }
        try Schema.prepare(queue, path: ":memory:")
        #expect(try Set(self.names(in: queue)) == names)
    }

    @Test func `a schema that cannot be made leaves nothing`() throws {
        let queue = try DatabaseQueue()
        #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA max_page_count = 10")
                try Schema.make(in: db)
            }
        }
        #expect(try names(in: queue).isEmpty)
    }

    @Test func `a database that another process made meanwhile is left as it is`() throws {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE retention (other)") }
        try queue.writeWithoutTransaction(Schema.make)
        #expect(try names(in: queue) == ["retention"])
    }

    @Test(arguments: [0, 22])
    func `a file of another version is refused with what to do, and that version goes on with it`(version: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 33)
        let guest = try world.join(path: path)
        try guest.say(.set(.profile, on: .nothing, values: ["name": .text("Ana")]), at: 3000, world.randomness)
        let dump = try guest.dump()
        try guest.close()
        try change(path, "PRAGMA application_id = \(version)")
        let error = try #require(throws: ReplicaError.self) {
            try Replica(path: path, event: world.event, own: guest.own)
        }
        #expect(error == .otherVersion(path: path) && "\(error)".contains("Start the version that made it"))
        #expect(throws: ReplicaError.otherVersion(path: path)) { try StoredReplica(path: path) }
        try change(path, "PRAGMA application_id = \(Schema.version)")
        let again = try Replica(path: path, event: world.event, own: guest.own)
        #expect(try again.dump() == dump && !dump.isEmpty)
        try again.close()
    }

    @Test func `a database of another program is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        try change(path, "CREATE TABLE journal (other)")
        let world = try TestEvent(seed: 35)
        #expect(throws: ReplicaError.otherVersion(path: path)) {
            try Replica(path: path, event: world.event, own: world.founder.own)
        }
    }

    @Test func `a damaged file of another version is not repaired`() throws {
        let folder = try TemporaryFolder()
        let (path, new) = (folder.file("replica.sqlite"), folder.file("new.sqlite"))
        var world = try TestEvent(seed: 36)
        let guest = try world.join(path: path)
        try guest.close()
        try change(path, "PRAGMA application_id = 22")
        #expect(throws: ReplicaError.otherVersion(path: path)) {
            try Replica.rebuild(from: path, into: new, event: world.event, own: guest.own)
        }
    }

    @Test func `other rules make no other version, since the records are derived again`() throws {
        let queue = try DatabaseQueue()
        try Schema.prepare(queue, path: ":memory:")
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT version FROM derivation") } == Schema.derivation)
        #expect(!Schema.definition.contains("INSERT INTO derivation"))
    }

    @Test func `records that other rules derived are derived again when the file is opened`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 34)
        let guest = try world.join(path: path)
        try guest.say(.set(.profile, on: .nothing, values: ["name": .text("Ana")]), at: 3000, world.randomness)
        let dump = try guest.dump()
        try guest.close()
        try change(path, "DELETE FROM profile")
        let same = try Replica(path: path, event: world.event, own: guest.own)
        #expect(try same.dump() != dump)
        try same.close()
        try change(path, "UPDATE derivation SET version = version - 1")
        let other = try Replica(path: path, event: world.event, own: guest.own)
        #expect(try other.dump() == dump)
        try other.close()
    }
}
