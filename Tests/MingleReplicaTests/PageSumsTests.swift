// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import Testing

@testable import MingleReplica

/// Sums of pages, and what is done to files besides reading and writing whole pages.
struct PageSumsTests {
    private static let pageSize = 8192

    /// A database with sums and without a log, whose second page has one short row.
    private func database(_ folder: TemporaryFolder) throws -> DatabaseQueue {
        try PageSums.install()
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
            db.requestPageSums()
        }
        let queue = try DatabaseQueue(path: folder.file("summed"), configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE word (text TEXT); INSERT INTO word VALUES ('one')")
            #expect(db.hasPageSums)
        }
        return queue
    }

    private func bytes(_ folder: TemporaryFolder) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.file("summed")))
    }

    @Test(arguments: [512, 1024, 2048])
    func `a gap as long as a page could be is cleared, and gets no sum`(length: Int) throws {
        let folder = try TemporaryFolder()
        let queue = try database(folder)
        let start = Self.pageSize + length
        var altered = try bytes(folder)
        altered.replaceSubrange(start..<start + length, with: Data(repeating: 7, count: length))
        // In its place, as the connection has the file open.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("summed")))
        try file.write(contentsOf: altered)
        try file.close()
        try queue.writeWithoutTransaction { db in
            db.forgetPages()
            // What lies in a gap means nothing.
            #expect(try String.fetchAll(db, sql: "SELECT text FROM word") == ["one"])
            try #require(DatabaseFile(of: db)).clear(length, at: Int64(start))
            db.forgetPages()
            #expect(try String.fetchAll(db, sql: "SELECT text FROM word") == ["one"])
        }
        #expect(try bytes(folder)[start..<start + length].allSatisfy { $0 == 0 })
    }

    @Test func `a copy of much more than the cache holds has sums on every page`() throws {
        let folder = try TemporaryFolder()
        let queue = try database(folder)
        let copy = folder.file("copy")
        try queue.writeWithoutTransaction { db in
            for number in 0..<2000 {
                try db.execute(
                    sql: "INSERT INTO word VALUES (?)",
                    arguments: [String(repeating: "\(number) ", count: 400)]
                )
            }
            // SQLite writes most of the copy before its first page.
            try db.execute(sql: "PRAGMA cache_size = 20")
            try db.execute(sql: "VACUUM INTO ?", arguments: [copy])
        }
        let reopened = try DatabaseQueue(path: copy)
        try reopened.read { db in
            #expect(db.hasPageSums)
            let verdict = try String.fetchOne(db, sql: "PRAGMA integrity_check")
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM word")
            #expect(verdict == "ok" && count == 2001)
        }
    }

    @Test func `what fitted in one transaction is summed again in the next`() throws {
        let folder = try TemporaryFolder()
        let queue = try database(folder)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            let read = { try String.fetchAll(db, sql: "SELECT text FROM word") }
            let damage = {
                let place = try #require(try bytes(folder).range(of: Data("one".utf8)))
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("summed")))
                try file.seek(toOffset: UInt64(place.lowerBound))
                try file.write(contentsOf: Data("two".utf8))
                try file.close()
                db.forgetPages()
            }
            for _ in 0..<3 {
                #expect(try read() == ["one"])
                db.forgetPages()
            }
            try db.execute(sql: "BEGIN")
            #expect(try read() == ["one"])
            db.forgetPages()
            #expect(try read() == ["one"])
            try db.execute(sql: "COMMIT")
            try damage()
            let error = try #require(throws: DatabaseError.self) { try read() }
            #expect(error.extendedResultCode == .SQLITE_IOERR_DATA)
        }
    }

    @Test func `pages that are written while others read fit for those who read on`() throws {
        let folder = try TemporaryFolder()
        try database(folder).close()
        let pool = try DatabasePool(path: folder.file("summed"))
        try pool.write { db in
            for number in 0..<500 {
                let text = String(repeating: "\(number) ", count: 300)
                try db.execute(sql: "INSERT INTO word VALUES (?)", arguments: [text])
            }
        }
        let sum = "SELECT sum(length(text)) FROM word"
        for round in 0..<3 {
            try pool.read { db in
                try db.execute(sql: "PRAGMA cache_size = 10")
                let before = try Int.fetchOne(db, sql: sum)
                try pool.writeWithoutTransaction { db in
                    try db.execute(sql: "UPDATE word SET text = text || 'x' WHERE rowid % 3 = ?", arguments: [round])
                    _ = try? db.checkpoint(.passive)
                }
                #expect(try Int.fetchOne(db, sql: sum) == before)
            }
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        }
        let verdict = try pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(verdict == "ok")
        try pool.close()
    }

    @Test func `a page that stands where another was written is noticed`() throws {
        let folder = try TemporaryFolder()
        let queue = try database(folder)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE other (text TEXT); INSERT INTO other VALUES ('two')")
        }
        try queue.close()
        var altered = try bytes(folder)
        let (second, third) = (Self.pageSize..<2 * Self.pageSize, 2 * Self.pageSize..<3 * Self.pageSize)
        let (left, right) = (Data(altered[second]), Data(altered[third]))
        altered.replaceSubrange(second, with: right)
        altered.replaceSubrange(third, with: left)
        try altered.write(to: URL(fileURLWithPath: folder.file("summed")))
        let damaged = try DatabaseQueue(path: folder.file("summed"))
        let error = try #require(throws: DatabaseError.self) {
            try damaged.read { try String.fetchAll($0, sql: "SELECT text FROM word") }
        }
        #expect(error.extendedResultCode == .SQLITE_IOERR_DATA)
    }

    @Test func `a scrub clears the gaps of pages that have sums, and all of them still fit`() throws {
        let folder = try TemporaryFolder()
        let world = try TestEvent(seed: 41, path: folder.file("replica"))
        let founder = world.founder
        for number in 0..<120 {
            var values = MergeTests.party
            values["title"] = .text("Xylophone \(number)")
            let moment = try founder.say(.create(.moment, on: .nothing, values: values), at: 3000, world.randomness)
            if number % 2 == 0 { try founder.say(.delete(moment), at: 3001, world.randomness) }
        }
        let dump = try founder.dump()
        #expect(try founder.scrub())
        #expect(try founder.pool.read { $0.hasPageSums })
        try founder.close()
        let again = try Replica(path: folder.file("replica"), event: world.event, own: founder.own)
        #expect(try again.dump() == dump && dump.count >= 60)
        #expect(try again.inspect(copyingTo: folder.file("copy")).damages == [])
        try again.close()
    }
}
