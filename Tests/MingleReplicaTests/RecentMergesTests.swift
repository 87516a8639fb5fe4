// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MingleWire
import Synchronization
import Testing

@testable import MingleReplica

/// Records that two devices of a person edit: each edit is added to what was merged, and nothing is kept that may count no more.
struct RecentMergesTests {
    /// Carl, who reads, and Bob with his two devices.
    private struct World {
        let event: TestEvent
        let phone: Replica
        let laptop: Replica
        let reader: Replica

        init(seed: UInt64) throws {
            var event = try TestEvent(seed: seed)
            (phone, laptop) = try event.joinTwice()
            reader = try event.join()
            self.event = event
            try level()
        }

        /// Both say what Bob is called, knowing nothing of each other's word, and the reader hears of one after the other.
        func rename(_ round: Int, at time: Int64) throws {
            for device in [phone, laptop] {
                let name = "Bob \(round) on \(device === phone ? "phone" : "laptop")"
                let draft = Draft.set(.profile, on: .nothing, values: ["name": .text(name)])
                try device.say(draft, at: time, event.randomness)
                _ = try reader.merge(news(of: device))
            }
        }

        /// What a device wrote that the reader does not hold.
        func news(of device: Replica) throws -> [Run] {
            let held = try reader.locator(of: device.own.name, .content)
            return try device.runs(of: device.own.name, .content, after: held, byteLimit: .max)
        }

        /// Makes a moment that all know.
        func makeMoment() throws -> Reference {
            let draft = Draft.create(.moment, on: .nothing, values: MergeTests.party)
            let moment = try phone.say(draft, at: 3000, event.randomness)
            try level()
            return moment
        }

        func level() throws { try [event.founder, phone, laptop, reader].meet() }

        /// Expects that merging has given what comes of merging all anew.
        func expectWhole(_ comment: Comment) throws {
            let shown = try reader.dump()
            _ = try reader.recompute { $0.reverse() }
            #expect(try reader.dump() == shown, comment)
        }
    }

    /// How many statements run on a replica's writer meanwhile.
    private func statements(of replica: Replica, _ body: () throws -> Void) throws -> Int {
        let count = Mutex(0)
        let trace: @Sendable (Database.TraceEvent) -> Void = { _ in count.withLock { $0 += 1 } }
        replica.pool.writeWithoutTransaction { $0.trace(trace) }
        try body()
        replica.pool.writeWithoutTransaction { $0.trace(nil) }
        return count.withLock { $0 }
    }

    @Test func `one more edit costs as much after fifty as after ten`() throws {
        let world = try World(seed: 401)
        for round in 0..<10 { try world.rename(round, at: 3000 + Int64(round)) }
        let early = try statements(of: world.reader) { try world.rename(10, at: 4000) }
        for round in 11..<50 { try world.rename(round, at: 4000 + Int64(round)) }
        let late = try statements(of: world.reader) { try world.rename(50, at: 5000) }
        #expect(late < early + 20, "\(early) statements, then \(late)")
        try world.expectWhole("after all")
    }

    @Test func `what was merged is forgotten when a device is retired whose words counted`() throws {
        let world = try World(seed: 402)
        try world.level()
        for round in 0..<3 { try world.rename(round, at: 3000 + Int64(round)) }
        // The phone knows of nothing but the laptop's first words.
        try world.phone.receiveAll(from: world.reader)
        for round in 3..<6 { try world.rename(round, at: 9000 + Int64(round)) }
        try world.phone.say(.retire(world.laptop.own.name), at: 9100, world.event.randomness)
        try world.reader.receiveAll(from: world.phone)
        try world.expectWhole("after the retirement")
        try world.rename(6, at: 9200)
        try world.expectWhole("after further words of both")
        #expect(try world.reader.lines("on laptop").isEmpty)
    }

    @Test func `what was merged is forgotten when its author is removed by somebody who knew less`() throws {
        let world = try World(seed: 403)
        for round in 0..<3 { try world.rename(round, at: 3000 + Int64(round)) }
        try world.event.founder.receiveAll(from: world.reader)
        for round in 3..<6 { try world.rename(round, at: 5000 + Int64(round)) }
        let removal = Draft.remove(world.phone.own.person, keepsLinks: true)
        try world.event.founder.say(removal, at: 6000, world.event.randomness)
        #expect(try !world.reader.lines("Bob 5").isEmpty)
        try world.reader.receiveAll(from: world.event.founder)
        for round in 6..<8 { try world.rename(round, at: 7000 + Int64(round)) }
        try world.expectWhole("after the removal")
        #expect(try world.reader.lines("Bob 5").isEmpty && !world.reader.lines("Bob 2").isEmpty)
    }

    @Test func `an edit that stood alone is not missing once another device has edited too`() throws {
        let world = try World(seed: 404)
        let randomness = world.event.randomness
        let moment = try world.makeMoment()
        for (time, title) in [(Int64(3001), "One"), (3005, "Two")] {
            try world.phone.say(.edit(moment, .moment, values: ["title": .text(title)]), at: time, randomness)
            try world.reader.receiveAll(from: world.phone)
            guard title == "One" else { continue }
            // What a moderator says has all be merged that was said.
            try world.event.founder.say(.hide(moment, because: "Why not"), at: 3002, randomness)
            try world.event.founder.say(.hide(moment, because: nil), at: 3003, randomness)
            try world.reader.receiveAll(from: world.event.founder)
        }
        let place = Draft.edit(moment, .moment, values: ["place_name": .text("Garden")])
        try world.laptop.say(place, at: 3006, randomness)
        try world.reader.receiveAll(from: world.laptop)
        try world.phone.say(.edit(moment, .moment, values: ["radius": .number(7)]), at: 3007, randomness)
        try world.reader.receiveAll(from: world.phone)
        let shown = try world.reader.moment(moment)
        #expect(shown.title == "Two" && shown.place.name == "Garden" && shown.place.radius == 7)
        try world.expectWhole("after all")
    }

    @Test func `what was merged is forgotten when the record is deleted`() throws {
        let world = try World(seed: 405)
        let randomness = world.event.randomness
        let moment = try world.makeMoment()
        for (time, device) in [(Int64(3001), world.phone), (3002, world.laptop), (3003, world.phone)] {
            let title = Draft.edit(moment, .moment, values: ["title": .text("Secret \(time)")])
            try device.say(title, at: time, randomness)
            try world.reader.receiveAll(from: device)
        }
        let row = try #require(try world.reader.write(isDurable: false) { try $0.resolve(moment) })
        try world.phone.say(.delete(moment), at: 3004, randomness)
        try world.reader.receiveAll(from: world.phone)
        let kept = try world.reader.write(isDurable: false) { $0.memory.merges.take(row) }
        #expect(kept == nil)
        try world.laptop.say(.edit(moment, .moment, values: ["title": .text("Late")]), at: 3005, randomness)
        try world.reader.receiveAll(from: world.laptop)
        try world.expectWhole("after an edit of what was deleted")
    }

    @Test(arguments: [0, 1, 1000])
    func `no more is kept than the limit, whatever is edited`(names: Int) {
        var merges = RecentMerges()
        let most = RecentMerges.limit / merge(1, naming: names).weight
        for row in 0..<most * 2 { merges.keep(merge(row, naming: names), of: Int64(row), by: 1) }
        let kept = (0..<most * 2).compactMap { merges.take(Int64($0))?.weight }
        #expect(kept.reduce(0, +) <= RecentMerges.limit && !kept.isEmpty)
    }

    @Test func `a record that weighs more than all may is not kept, and keeps the others where they are`() {
        var merges = RecentMerges()
        merges.keep(merge(1, naming: 1), of: 1, by: 7)
        merges.keep(merge(2, naming: RecentMerges.limit / 50), of: 2, by: 7)
        #expect(merges.take(2) == nil && merges.take(1) != nil)
    }

    @Test func `what other people said is kept when one person's records are worked out anew`() {
        var merges = RecentMerges()
        for row in 1...4 { merges.keep(merge(row, naming: 2), of: Int64(row), by: Int64(row % 2)) }
        merges.forgetAll(of: 1)
        #expect((1...4).map { merges.take($0) != nil } == [false, true, false, true])
    }

    @Test func `of a delta no more is kept than what it says of the fields that there are`() {
        let junk = Change(field: 99, value: .data([UInt8](repeating: 1, count: 60_000)))
        #expect(merge(1, naming: 1, besides: [junk]).weight < 5000)
    }

    /// What one delta comes to that overwrites some others by name.
    private func merge(_ number: Int, naming count: Int, besides others: [Change] = []) -> RecordMerge {
        let reference = { (sequence: Int) in
            Reference(device: UInt64(number), journal: .content, sequence: UInt32(sequence), hash: UInt64(sequence))
        }
        let change = Change(field: 1, value: .text("x"), overwrites: (0..<count).map { reference($0 + 2) })
        var merge = RecordMerge(kind: .profile)
        merge.add(
            Contribution(
                reference: reference(1),
                hash: HeaderHash(.zero),
                timestamp: Timestamp(milliseconds: 1),
                branch: BranchPosition(branch: Int64(number), sequence: 1),
                changes: others + (count > 0 ? [change] : [])
            )
        )
        return merge
    }
}
