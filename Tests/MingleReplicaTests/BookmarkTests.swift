// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// What people mark to find it again: their own devices know, and nobody else.
struct BookmarkTests {
    @Test func `what one marks is found on all own devices, and nobody else has a word of it`() throws {
        let world = try BookmarkWorld(seed: 701)
        let (first, second) = (try world.moment("Cake", at: 4000), try world.moment("Dance", at: 4001))
        try world.meet()
        try world.mark(first, by: world.phone, at: 5000)
        try world.mark(second, by: world.phone, at: 5001)
        try world.meet()
        for device in [world.phone, world.laptop] {
            #expect(try device.bookmarks(limit: 10).items.map(\.record.moment) == [second, first])
            #expect(try device.bookmarks(limit: 10).items.map(\.at) == [5001, 5000])
            #expect(try device.moment(first).bookmarked)
        }
        for other in [world.event.founder, world.other] {
            #expect(try other.bookmarks(limit: 10).items.isEmpty && !other.moment(first).bookmarked)
            #expect(try other.dump() == world.phone.eventDump())
        }
        #expect(try world.phone.lines("bookmark\t").count == 2)
    }

    @Test func `a mark is taken away and set again from whichever device`() throws {
        let world = try BookmarkWorld(seed: 702)
        let moment = try world.moment("Cake", at: 4000)
        try world.meet()
        try world.mark(moment, by: world.phone, at: 5000)
        try world.meet()
        try world.mark(moment, by: world.laptop, on: false, at: 5001)
        try world.meet()
        #expect(try world.phone.bookmarks(limit: 10).items.isEmpty && world.phone.bookmarked(moment).isEmpty)
        try world.mark(moment, by: world.phone, at: 5002)
        try world.meet()
        #expect(try world.laptop.bookmarks(limit: 10).items.map(\.at) == [5002])
        #expect(try world.laptop.bookmarked(moment) == [moment])
    }

    @Test func `devices that marked something apart read each other once they met`() throws {
        let world = try BookmarkWorld(seed: 703)
        let (first, second) = (try world.moment("Cake", at: 4000), try world.moment("Dance", at: 4001))
        try world.meet()
        // Each begins the person's audience by itself.
        try world.mark(first, by: world.phone, at: 5000)
        try world.mark(second, by: world.laptop, at: 5001)
        try world.meet()
        for device in [world.phone, world.laptop] {
            #expect(try device.bookmarks(limit: 10).items.map(\.record.moment) == [second, first])
        }
        #expect(try world.phone.dump() == world.laptop.dump())
    }

    @Test func `a device that comes later is handed what was marked before`() throws {
        var world = try BookmarkWorld(seed: 704)
        let moment = try world.moment("Cake", at: 4000)
        try world.meet()
        try world.mark(moment, by: world.phone, at: 5000)
        let tablet = try world.event.join(identity: world.identity)
        try (world.everybody + [tablet]).meet()
        #expect(try tablet.bookmarks(limit: 10).items.isEmpty)
        let now = Timestamp(milliseconds: 6000)
        var pauses: [Audience: Duration] = [:]
        for _ in 0..<4 {
            guard let duty = try world.phone.keyDuty(at: now) else { break }
            pauses[duty.need.audience] = duty.pause
            _ = try world.phone.fulfil(duty, at: now, randomness: world.event.randomness)
        }
        #expect(pauses[.own(world.phone.own.person)] == .zero, "one's own device waits for nobody's turn")
        try (world.everybody + [tablet]).meet()
        #expect(try tablet.bookmarks(limit: 10).items.map(\.record.moment) == [moment])
    }

    @Test func `a retired device reads nothing of what is marked after it`() throws {
        let world = try BookmarkWorld(seed: 705)
        let (first, second) = (try world.moment("Cake", at: 4000), try world.moment("Dance", at: 4001))
        try world.meet()
        try world.mark(first, by: world.phone, at: 5000)
        try world.meet()
        try world.phone.say(.retire(world.laptop.own.name), at: 6000, world.event.randomness)
        // Nothing is to be done for it until the person marks something.
        try world.meet()
        #expect(try world.phone.keyNeed(at: Timestamp(milliseconds: 6500))?.audience != .own(world.phone.own.person))
        try world.mark(second, by: world.phone, at: 7000)
        try world.meet()
        #expect(try world.phone.bookmarks(limit: 10).items.map(\.record.moment) == [second, first])
        #expect(try world.laptop.bookmarks(limit: 10).items.map(\.record.moment) == [first])
    }

    @Test func `a mark on a moment goes with it to the one that continues it, and is taken away there`() throws {
        let world = try BookmarkWorld(seed: 708)
        let old = try world.moment("Cake", at: 4000)
        try world.meet()
        try world.mark(old, by: world.phone, at: 5000)
        var values = momentValues("Supper")
        values["continues"] = .data(old.bytes)
        let new = try world.other.say(.create(.moment, on: .nothing, values: values), at: 6000, world.event.randomness)
        try world.other.say(.delete(old), at: 6001, world.event.randomness)
        try world.meet()
        #expect(try world.laptop.bookmarks(limit: 10).items.map(\.record.moment) == [new])
        #expect(try world.laptop.moment(new).bookmarked && world.laptop.bookmarked(new) == [old])
        try world.mark(old, by: world.laptop, on: false, at: 7000)
        try world.meet()
        #expect(try world.phone.bookmarks(limit: 10).items.isEmpty && !world.phone.moment(new).bookmarked)
    }

    @Test func `pages follow each other, and what is hidden or deleted is left out`() throws {
        let world = try BookmarkWorld(seed: 706)
        let moments = try (0..<5).map { try world.moment("Moment \($0)", at: 4000 + Int64($0)) }
        try world.meet()
        for (place, moment) in moments.enumerated() { try world.mark(moment, by: world.phone, at: 5000 + Int64(place)) }
        let page = try world.phone.bookmarks(limit: 2)
        #expect(page.items.map(\.record.moment) == [moments[4], moments[3]])
        let rest = try world.phone.bookmarks(before: page.next, limit: 10)
        #expect(rest.items.map(\.record.moment) == [moments[2], moments[1], moments[0]] && rest.next == nil)
        try world.event.founder.say(.hide(moments[2], because: "rude"), at: 6000, world.event.randomness)
        try world.other.say(.delete(moments[1]), at: 6000, world.event.randomness)
        try world.meet()
        let left = try world.phone.bookmarks(limit: 10).items.map(\.record.moment)
        #expect(left == [moments[4], moments[3], moments[0]])
    }

    @Test func `nobody marks anything in another one's name`() throws {
        let world = try BookmarkWorld(seed: 707)
        let liar = world.event.scribe()
        let victim = world.phone.own.person
        let (moment, values) = (Reference(device: 1, journal: .content, sequence: 1, hash: 1), ["on": Value.number(1)])
        #expect(Kind.bookmark.audience.admits(.own(victim), on: .record(moment), by: victim))
        #expect(!Kind.bookmark.audience.admits(.own(victim), on: .record(moment), by: liar.own.person))
        #expect(!Kind.bookmark.audience.admits(.event, on: .record(moment), by: victim))
        #expect(throws: ReplicaError.notInvited) {
            let draft = Draft.set(.bookmark, on: .record(moment), values: values, for: .own(victim))
            _ = try world.other.say(draft, at: 5000, world.event.randomness)
        }
    }
}

/// A phone and a laptop of one person among others.
private struct BookmarkWorld {
    var event: TestEvent
    let identity: SigningKey
    let phone: Replica
    let laptop: Replica
    let other: Replica

    init(seed: UInt64) throws {
        var event = try TestEvent(seed: seed)
        identity = SigningKey(seed: event.randomness.secret())
        phone = try event.join(identity: identity)
        laptop = try event.join(identity: identity)
        other = try event.join()
        self.event = event
        try meet()
    }

    var everybody: [Replica] { [event.founder, other, phone, laptop] }

    func meet() throws { try everybody.meet() }

    /// Somebody else makes a moment.
    func moment(_ title: String, at time: Int64) throws -> Reference {
        try other.say(.create(.moment, on: .nothing, values: momentValues(title)), at: time, event.randomness)
    }

    func mark(_ target: Reference, by device: Replica, on: Bool = true, at time: Int64) throws {
        let draft = Draft.set(.bookmark, on: .record(target), values: ["on": .number(on ? 1 : 0)])
        _ = try device.say(draft, at: time, event.randomness)
    }
}

extension ShownBookmark.Record {
    fileprivate var moment: Reference? { if case .moment(let moment) = self { moment.id } else { nil } }
}
