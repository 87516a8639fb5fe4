// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

extension CounterexampleTests {
    // Case 8.
    @Test func `who wrote with a clock a year ahead can edit it with a right one`() throws {
        var world = try TestEvent(seed: 108)
        let (phone, laptop) = try world.joinTwice()
        let ahead: Int64 = 40_000_000_000
        let moment = try phone.say(
            .create(.moment, on: .nothing, values: MergeTests.party),
            at: ahead,
            world.randomness
        )
        try phone.say(.edit(moment, .moment, values: ["title": .text("Ahead")]), at: ahead, world.randomness)
        try laptop.receiveAll(from: phone)
        try laptop.say(.edit(moment, .moment, values: ["title": .text("Right")]), at: 3000, world.randomness)
        try Self.exchange(phone, laptop)
        #expect(try phone.lines("title=\"Right\"").count == 1)
        try phone.say(.edit(moment, .moment, values: ["title": .text("Later")]), at: 3001, world.randomness)
        try Self.exchange(phone, laptop)
        #expect(try laptop.lines("title=\"Later\"").count == 1)
        // Nobody adopts the clock: the next record carries the time that its own device gave.
        try laptop.say(.create(.place, on: .nothing, values: Self.place), at: 3002, world.randomness)
        #expect(try laptop.lines("place\t")[0].contains("\t3002\t"))
    }

    // Case 8, where what had overwritten the words of that clock counts no more.
    @Test func `an edit stays that was made behind those of a lost device, whatever a clock ahead had said`() throws {
        var world = try TestEvent(seed: 119)
        let identity = SigningKey(seed: world.randomness.secret())
        let devices = try (0..<3).map { _ in try world.join(identity: identity) }
        let (phone, laptop, tablet) = (devices[0], devices[1], devices[2])
        let ahead: Int64 = 40_000_000_000
        let draft = Draft.create(.moment, on: .nothing, values: MergeTests.party)
        let moment = try phone.say(draft, at: ahead, world.randomness)
        for (reader, writer) in [(laptop, phone), (tablet, phone), (phone, laptop), (phone, tablet), (laptop, tablet)] {
            try reader.receiveAll(from: writer)
        }
        try tablet.say(.edit(moment, .moment, values: ["title": .text("Stolen")]), at: 3000, world.randomness)
        // The laptop reads that before it hears that the tablet is lost.
        try laptop.receiveAll(from: tablet)
        try laptop.say(.edit(moment, .moment, values: ["title": .text("Right")]), at: 4000, world.randomness)
        try phone.say(.retire(tablet.own.name), at: ahead, world.randomness)
        try Self.exchange(phone, laptop)
        try phone.receiveAll(from: tablet)
        for reader in [phone, laptop] { #expect(try reader.lines("title=\"Right\"").count == 1) }
    }

    // Case 8, where more edits are known than one change can name.
    @Test func `an edit overwrites the one edit of its field among hundreds of another device`() throws {
        var world = try TestEvent(seed: 118)
        let (phone, laptop) = try world.joinTwice()
        let moment = try phone.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 9000, world.randomness)
        let titles = [Draft.edit(moment, .moment, values: ["title": .text("Old")])]
        let others = (0..<200).map { Draft.edit(moment, .moment, values: ["description": .text("\($0)")]) }
        _ = try phone.author(titles + others, at: Timestamp(milliseconds: 9001), randomness: world.randomness)
        try laptop.receiveAll(from: phone)
        try laptop.say(.edit(moment, .moment, values: ["title": .text("New")]), at: 1, world.randomness)
        #expect(try laptop.lines("title=\"New\"").count == 1)
        #expect(try laptop.lines("description=\"199\"").count == 1)
    }

    // Case 9.
    @Test func `naming other fields, other records and what nobody knows has no effect and waits for nothing`() throws {
        let world = try TestEvent(seed: 109)
        let device = world.scribe()
        let introduction = try device.introduction(by: world.invitation)
        let name = Change(field: 1, value: .text("Name"))
        let picture = Change(field: 2, value: .data(introduction[0].reference.bytes))
        let first = device.write(try world.entry(.profile, root: .none, [name, picture]), after: nil)
        let stranger = world.scribe()
        let strangers = try stranger.introduction(by: world.invitation)
        let unknown = (0..<2000).map { Reference(device: $0, journal: .content, sequence: 1, hash: 7) }
        let hostile = Change(field: 1, value: .text("Other"), overwrites: [first.reference] + unknown)
        let other = stranger.write(try world.entry(.profile, root: .none, [hostile], time: 9000), after: nil)
        let mine = Change(field: 2, value: .cleared, overwrites: [first.reference, other.reference])
        let second = device.write(try world.entry(.profile, root: .none, [mine], time: 1), after: first)
        for order in [[first, second, other], [other, first, second]] {
            let reader = try world.reader()
            _ = try reader.merge([Run(introduction), Run(strangers)] + order.map { Run([$0]) })
            try reader.fill(order)
            let profiles = try reader.lines("profile")
            #expect(profiles.count == 2)
            #expect(profiles.contains { $0.hasSuffix("name=\"Name\"") })
            #expect(profiles.contains { $0.hasSuffix("name=\"Other\"") })
        }
    }

    // Case 12.
    @Test func `a child of a void, deleted, locked or missing parent shows when its parent does`() throws {
        let world = try TestEvent(seed: 112)
        let later = TestEpoch(world.randomness, event: world.event)
        let device = world.scribe()
        let introduction = try device.introduction(by: world.invitation)
        let party = MergeTests.party.sorted { $0.key < $1.key }.compactMap { name, value in
            Kind.moment.field(named: name).map { Change(field: $0.number, value: value) }
        }
        var void = try world.entry(.moment, party)
        void.plain += [0xff]
        var locked = try world.entry(.moment, party)
        locked.epoch = later
        var parents: [Delta] = []
        for entry in [void, try world.entry(.moment, party), locked, try world.entry(.moment, party)] {
            parents.append(device.write(entry, after: parents.last))
        }
        let deletion = Scribe.Entry(root: .reference(parents[1].reference), isDeletion: true)
        parents.append(device.write(deletion, after: parents.last))
        let talker = world.scribe()
        var comments: [Delta] = []
        for (index, parent) in parents.prefix(4).enumerated() {
            let text = [Change(field: 1, value: .text("on \(index)"))]
            let entry = try world.entry(.comment, on: .record(parent.reference), text)
            comments.append(talker.write(entry, after: comments.last))
        }
        let reader = try world.reader()
        _ = try reader.merge([Run(introduction), Run(try talker.introduction(by: world.invitation)), Run(comments)])
        _ = try reader.merge([Run(Array(parents.prefix(3)))])
        #expect(try reader.lines("comment").map { $0.suffix(5) } == ["on 1\""])
        _ = try reader.merge([Run(parents)])
        #expect(try reader.lines("comment").map { $0.suffix(5) } == ["on 3\""])
        _ = try reader.hold(later.key, of: later.id)
        #expect(try Set(reader.lines("comment").map { $0.suffix(5) }) == ["on 2\"", "on 3\""])
        // The deleted parent's words are gone; what hung on it, and on the void one, is held and not shown.
        #expect(try reader.payloads([parents[1].reference]) == [.erased])
        for comment in comments { #expect(try reader.payloads([comment.reference]) == [.held(comment.payload ?? [])]) }
    }

    // Case 13.
    @Test func `a key that comes late gives what a key that came first gives`() throws {
        var world = try TestEvent(seed: 113)
        let (phone, laptop) = try world.joinTwice()
        let moment = try phone.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 3000, world.randomness)
        try laptop.receiveAll(from: phone)
        try laptop.say(.edit(moment, .moment, values: ["title": .text("Lunch")]), at: 3, world.randomness)
        try laptop.say(.set(.fave, on: .record(moment), values: ["on": .number(1)]), at: 4, world.randomness)
        try Self.exchange(phone, laptop)
        let late = try world.reader(hasInvitation: false)
        try late.receiveAll(from: phone)
        #expect(try late.dump().isEmpty)
        _ = try late.hold(world.epoch.key, of: world.epoch.id)
        try phone.receiveAll(from: world.founder)
        #expect(try late.dump() == phone.dump())
    }

    // Case 20.
    @Test func `backdating changes nothing that others wrote`() throws {
        let world = try TestEvent(seed: 120)
        let device = world.scribe()
        let introduction = try device.introduction(by: world.invitation)
        let name = { (text: String) in [Change(field: 1, value: .text(text))] }
        let first = device.write(try world.entry(.profile, root: .none, name("first"), time: 5000), after: nil)
        let second = device.write(try world.entry(.profile, root: .none, name("second"), time: 6000), after: first)
        // An earlier time in the right place overwrites all the same; an earlier place is a fork, and no earlier.
        let third = device.write(try world.entry(.profile, root: .none, name("third"), time: 1), after: second)
        let forked = device.write(try world.entry(.profile, root: .none, name("forked"), time: 0), after: first)
        let runs = [Run([first]), Run([second]), Run([third])]
        for order in [runs + [Run([forked])], [runs[0], Run([forked]), runs[1], runs[2]]] {
            let reader = try world.reader()
            _ = try reader.merge([Run(introduction)] + order)
            #expect(try reader.lines("profile").map { $0.hasSuffix("\"third\"") } == [true])
        }
    }
}

extension Replica {
    /// Hands over payloads that came too late for their runs.
    func fill(_ deltas: [Delta]) throws {
        _ = try merge(payloads: deltas.map { ($0.reference, $0.payload ?? []) })
    }
}
