// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleReplica
import Testing

/// What scrubbing leaves to be done when something is in its way; that it finds everything is case 32 and the simulator's.
struct ScrubTests {
    @Test(.timeLimit(.minutes(10)))
    func `a scrub that a reader held up is due until it has ended, also after a restart`() throws {
        let folder = try TemporaryFolder()
        let world = try TestEvent(seed: 1, path: folder.file("replica"))
        let ana = world.founder
        let words = Data("Xylophone".utf8)
        let moment = try ana.say(.create(.moment, on: .nothing, values: Self.party), at: 3000, world.randomness)
        try ana.say(.delete(moment), at: 3001, world.randomness)
        let reader = try DatabaseQueue(path: folder.file("replica"))
        try reader.inDatabase { db in
            // From here on the reader sees the event as it was, so the log cannot be emptied.
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM journal")
            #expect(try ana.scrub() == false)
            try db.rollback()
        }
        try reader.close()
        #expect(try ana.needsScrub())
        // A copy of the files as they are, which is what a kill leaves.
        try folder.copyDatabase("replica", to: "later")
        let later = try Replica(path: folder.file("later"), event: world.event, own: ana.own)
        #expect(try later.needsScrub())
        #expect(try later.scrub())
        #expect(try later.needsScrub() == false)
        #expect(try ana.scrub())
        for file in try folder.contents() { #expect(file.range(of: words) == nil) }
        let whole = try DatabaseQueue(path: folder.file("replica"))
        #expect(try whole.inDatabase { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test func `what is erased while a scrub waits for a reader is scrubbed, too`() throws {
        let folder = try TemporaryFolder()
        let world = try TestEvent(seed: 2, path: folder.file("replica"))
        let ana = world.founder
        #expect(try ana.needsScrub() == false)
        for time in [3000, 4000] as [Int64] {
            let moment = try ana.say(.create(.moment, on: .nothing, values: Self.party), at: time, world.randomness)
            try ana.say(.delete(moment), at: time + 1, world.randomness)
            #expect(try ana.needsScrub())
            let reader = try DatabaseQueue(path: folder.file("replica"))
            try reader.inDatabase { db in
                try db.beginTransaction(.deferred)
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM journal")
                #expect(try ana.scrub() == false)
                #expect(try ana.needsScrub())
                try db.rollback()
            }
            try reader.close()
        }
        #expect(try ana.scrub())
        for file in try folder.contents() { #expect(file.range(of: Data("Xylophone".utf8)) == nil) }
    }

    private static let party: [String: Value] = {
        var values = MergeTests.party
        values["title"] = .text("Xylophone")
        return values
    }()
}
