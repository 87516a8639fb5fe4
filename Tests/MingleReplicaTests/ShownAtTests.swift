// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleReplica
import Synchronization
import TestSupport
import Testing

/// The order of lists: what each node shows when, and that all agree but about records from the future.
struct ShownAtTests {
    private static let hour: Int64 = 3_600_000

    /// A clock that a test sets.
    private final class TestClock: Sendable {
        private let time = Mutex<Int64>(0)

        var now: Timestamp {
            get { Timestamp(milliseconds: time.withLock { $0 }) }
            set { time.withLock { $0 = newValue.milliseconds } }
        }
    }

    private struct World {
        var event: TestEvent
        let ana: Replica
        let bob: Replica
        let clock = TestClock()

        init(seed: UInt64, path: String? = nil) throws {
            event = try TestEvent(seed: seed)
            ana = event.founder
            let clock = clock
            bob = try event.join(path: path, clock: { clock.now })
            try ana.receiveAll(from: bob)
        }

        func moment(_ title: String, by author: Replica, at time: Int64) throws -> Reference {
            let values: [String: Value] = ["title": .text(title), "start": .number(5), "end": .number(9)]
            return try author.say(.create(.moment, on: .nothing, values: values), at: time, event.randomness)
        }
    }

    private func titles(_ replica: Replica) throws -> [String] {
        try replica.news { reader in
            try reader.newest(.moment, limit: 50).map { try reader.moment($0.row).title }
        }
    }

    @Test func `a record dated two hours ahead stands where it came, and never moves`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bob.sqlite")
        let world = try World(seed: 3901, path: path)
        let noon = 12 * Self.hour
        world.clock.now = Timestamp(milliseconds: noon)
        _ = try world.moment("before", by: world.ana, at: noon - 1000)
        _ = try world.moment("ahead", by: world.ana, at: noon + 2 * Self.hour)
        try world.bob.receiveAll(from: world.ana)
        world.clock.now = Timestamp(milliseconds: noon + 60_000)
        _ = try world.moment("after", by: world.bob, at: noon + 60_000)
        #expect(try titles(world.bob) == ["after", "ahead", "before"])
        // Also once its time has come, after a restart, and worked out anew.
        world.clock.now = Timestamp(milliseconds: noon + 3 * Self.hour)
        _ = try world.moment("late", by: world.bob, at: noon + 90_000)
        _ = try world.bob.recompute { $0.reverse() }
        #expect(try titles(world.bob) == ["late", "after", "ahead", "before"])
        try world.bob.close()
        let again = try Replica(path: path, event: world.event.event, own: world.bob.own)
        #expect(try titles(again) == ["late", "after", "ahead", "before"])
        try again.close()
        _ = try Replica.rebuild(from: path, into: path + "-new", event: world.event.event, own: world.bob.own)
        let repaired = try Replica(path: path + "-new", event: world.event.event, own: world.bob.own)
        #expect(try titles(repaired) == ["late", "after", "ahead", "before"])
    }

    @Test func `a clock that is five minutes ahead is believed`() throws {
        let world = try World(seed: 3902)
        world.clock.now = Timestamp(milliseconds: Self.hour)
        _ = try world.moment("ahead", by: world.ana, at: Self.hour + 299_000)
        try world.bob.receiveAll(from: world.ana)
        _ = try world.moment("now", by: world.bob, at: Self.hour + 1000)
        #expect(try titles(world.bob) == ["ahead", "now"])
    }

    @Test func `ten moments of one start and 400 comments of one time stand alike on both nodes`() throws {
        let world = try World(seed: 3903)
        let noon = 12 * Self.hour
        world.clock.now = Timestamp(milliseconds: noon)
        let first = try world.moment("0", by: world.ana, at: noon)
        try world.bob.receiveAll(from: world.ana)
        for number in 1..<10 {
            _ = try world.moment("\(number)", by: number % 2 == 0 ? world.ana : world.bob, at: noon)
        }
        for number in 0..<200 {
            for author in [world.ana, world.bob] {
                let comment = Draft.create(.comment, on: .record(first), values: ["text": .text("\(number)")])
                try author.say(comment, at: noon + Int64(number % 3), world.event.randomness)
            }
        }
        try world.ana.receiveAll(from: world.bob)
        try world.bob.receiveAll(from: world.ana)
        let lists = try [world.ana, world.bob].map { replica in
            _ = try replica.recompute { $0.reverse() }
            return try (replica.moments().map(\.id), comments(on: first, of: replica))
        }
        #expect(lists[0].0.count == 10 && lists[0].0 == lists[1].0)
        #expect(lists[0].1.count == 400 && Set(lists[0].1).count == 400 && lists[0].1 == lists[1].1)
    }

    /// All comments, page by page.
    private func comments(on target: Reference, of replica: Replica) throws -> [Reference] {
        var (all, cursor): ([Reference], Cursor?) = ([], nil)
        repeat {
            let page = try replica.comments(on: target, before: cursor, limit: 7)
            all += page.items.reversed().map(\.id)
            cursor = page.next
        } while cursor != nil && all.count <= 400
        return all
    }
}
