// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// What concerns a person, as it follows from the records that the person sees.
struct NoticeTests {
    /// Ana, who founded the event and has made a moment; Bob and Carl; all hold what the others wrote.
    private struct Party {
        let event: TestEvent
        let bob: Replica
        let carl: Replica
        let moment: Reference
        var ana: Replica { event.founder }

        init(seed: UInt64) throws {
            var event = try TestEvent(seed: seed)
            (bob, carl) = (try event.join(), try event.join())
            self.event = event
            let values = momentValues("Toast")
            moment = try event.founder.say(.create(.moment, on: .nothing, values: values), at: 4000, event.randomness)
            try meet()
        }

        func meet() throws { try [ana, bob, carl].meet() }

        @discardableResult
        func say(_ author: Replica, _ draft: Draft, at time: Int64) throws -> Reference {
            let reference = try author.say(draft, at: time, event.randomness)
            try meet()
            return reference
        }

        @discardableResult
        func comment(_ author: Replica, _ text: String, on target: Reference, at time: Int64) throws -> Reference {
            try say(author, .create(.comment, on: .record(target), values: ["text": .text(text)]), at: time)
        }

        func fave(_ author: Replica, _ on: Int64 = 1, at time: Int64) throws {
            try say(author, .set(.fave, on: .record(moment), values: ["on": .number(on)]), at: time)
        }
    }

    @Test func `what others do to one's own is told once for each thing, the latest first`() throws {
        let party = try Party(seed: 4301)
        #expect(try party.ana.told().isEmpty)
        try party.fave(party.bob, at: 5000)
        try party.fave(party.carl, at: 5001)
        try party.comment(party.bob, "Cheers", on: party.moment, at: 5002)
        try party.say(
            party.carl,
            .set(.participation, on: .record(party.moment), values: ["state": .number(2)]),
            at: 5003
        )
        try party.say(party.carl, .create(.checkIn, on: .record(party.moment), values: [:]), at: 5004)
        #expect(
            try party.ana.told() == [
                "check_in 1 Toast", "join 1 Toast", "comment 1 Toast", "fave 2 Toast",
            ]
        )
        // A thing of one's own is no news to oneself, and others are told nothing of it.
        try party.fave(party.ana, at: 5005)
        #expect(try party.ana.told().contains("fave 2 Toast") && party.bob.told().isEmpty)
        try party.fave(party.bob, 0, at: 5006)
        #expect(try party.ana.told().contains("fave 1 Toast"))
    }

    @Test func `who said something is told what others say after it`() throws {
        let party = try Party(seed: 4302)
        try party.comment(party.carl, "First", on: party.moment, at: 5000)
        try party.comment(party.bob, "Second", on: party.moment, at: 5001)
        #expect(try party.bob.told().isEmpty && party.carl.told() == ["reply 1 Toast"])
        let last = try party.comment(party.carl, "Third", on: party.moment, at: 5002)
        #expect(try party.bob.told() == ["reply 1 Toast"] && party.ana.told() == ["comment 2 Toast"])
        let text = try party.bob.notices(at: 100_000) { reader in try reader.comment(of: reader.notices()[0])?.text }
        #expect(text == "Third")
        try party.say(party.carl, .delete(last), at: 5003)
        #expect(try party.bob.told().isEmpty)
    }

    @Test func `what was deleted or hidden, or is a muted person's, is not told`() throws {
        let party = try Party(seed: 4303)
        let rude = try party.comment(party.bob, "Rude", on: party.moment, at: 5000)
        try party.say(party.ana, .hide(rude, because: "rude"), at: 5001)
        #expect(try party.ana.told().isEmpty && party.bob.told() == ["hidden 1 Rude"])
        try party.say(party.ana, .hide(rude, because: nil), at: 5002)
        #expect(try party.ana.told() == ["comment 1 Toast"] && party.bob.told() == ["shown 1 Rude"])
        try party.ana.mute(party.bob.own.person)
        #expect(try party.ana.told().isEmpty)
        try party.ana.unmute(party.bob.own.person)
        try party.say(party.ana, .delete(party.moment), at: 5003)
        #expect(try party.ana.told().isEmpty)
    }

    private static func place(_ name: String) -> [String: Value] {
        ["name": .text(name), "latitude": .number(1), "longitude": .number(1), "radius": .number(10)]
    }

    @Test func `of more than ten thousand notices the latest ten thousand are told, also of somebody who was removed`()
        throws
    {
        let party = try Party(seed: 4312)
        let places = try party.ana.author(
            (0..<5100).map { .create(.place, on: .nothing, values: Self.place("Stand \($0)")) },
            at: Timestamp(milliseconds: 4500),
            randomness: party.event.randomness
        ).references
        try party.meet()
        for (number, guest) in [party.bob, party.carl].enumerated() {
            let drafts = places.map { place in
                number == 0
                    ? Draft.set(.fave, on: .record(place), values: ["on": .number(1)])
                    : .create(.comment, on: .record(place), values: ["text": .text("Nice")])
            }
            let time = Timestamp(milliseconds: 5000 + Int64(number))
            _ = try guest.author(drafts, at: time, randomness: party.event.randomness)
        }
        try party.meet()
        let told = try party.ana.notices(at: 100_000) { try $0.notices().map(\.kind) }
        #expect(told.count == NoticeReader.limit && told.prefix(5100).allSatisfy { $0 == .comment })
        try party.say(party.ana, .remove(party.carl.own.person, keepsLinks: true), at: 6000)
        #expect(try party.ana.notices(at: 100_000) { try $0.notices().map(\.kind) } == told)
    }

    @Test func `a moderator is told what was reported, and the others are not`() throws {
        let party = try Party(seed: 4304)
        let rude = try party.comment(party.bob, "Rude", on: party.moment, at: 5000)
        let report = Draft.set(.report, on: .record(rude), values: ["reason": .number(2)])
        try party.say(party.carl, report, at: 5001)
        #expect(try party.ana.told().contains("report 1 Rude"))
        #expect(try party.bob.told().isEmpty && party.carl.told().isEmpty)
        try party.say(party.ana, .hide(rude, because: "rude"), at: 5002)
        #expect(try party.ana.told().isEmpty)
    }

    @Test func `what an attendee tells those who run the event they are told, and nobody else`() throws {
        let party = try Party(seed: 4308)
        let said = try party.say(
            party.carl,
            .create(.feedback, on: .nothing, values: ["text": .text("Too loud")]),
            at: 5000
        )
        #expect(try party.ana.told() == ["feedback 1 Too loud"])
        #expect(try party.bob.told().isEmpty && party.carl.told().isEmpty)
        #expect(try party.bob.records(of: .feedback).items.isEmpty)
        #expect(try party.ana.records(of: .feedback).items.count == 1)
        #expect(try party.carl.records(of: .feedback).items.count == 1)
        // Who moderates later reads it, and lists none of it once that is over.
        try party.say(party.ana, .setLevel(party.bob.own.person, .moderator), at: 5001)
        try party.say(party.carl, .create(.feedback, on: .nothing, values: ["text": .text("Still")]), at: 5002)
        #expect(try party.ana.handOnKeys(party.event.randomness))
        try party.meet()
        #expect(throws: ReplicaError.self) { try party.say(party.ana, .hide(said, because: "rude"), at: 5003) }
        #expect(try party.bob.records(of: .feedback).items.contains { $0.values["text"] == .text("Still") })
        try party.say(party.ana, .setLevel(party.bob.own.person, .attendee), at: 5003)
        #expect(try party.bob.records(of: .feedback).items.isEmpty && party.bob.told().isEmpty)
        try party.say(party.carl, .delete(said), at: 5004)
        #expect(try party.ana.told() == ["feedback 1 Still"])
    }

    @Test func `hosts are told of a claim until one answers, and moderators of a place to approve`()
        throws
    {
        let party = try Party(seed: 4309)
        let values: [String: Value] = [
            "name": .text("Stand"), "latitude": .number(1), "longitude": .number(2), "radius": .number(30),
        ]
        let place = try party.say(party.carl, .create(.place, on: .nothing, values: values), at: 5000)
        #expect(try party.ana.told() == ["approval 1 Stand"] && party.bob.told().isEmpty)
        try party.say(party.ana, .edit(place, .place, values: ["approved": .number(1)]), at: 5001)
        #expect(try party.ana.told().isEmpty)
        try party.say(party.ana, .setLevel(party.bob.own.person, .moderator), at: 5002)
        try party.say(party.carl, .set(.claim, on: .record(place), values: ["on": .number(1)]), at: 5003)
        // Moderators can read it, and it is for hosts to answer.
        #expect(try party.ana.told() == ["claim 1 Stand"] && party.bob.told().isEmpty)
        let who = try party.ana.notices(at: 100_000) { reader in
            try reader.people(of: reader.notices()[0], limit: 3).map(\.id)
        }
        #expect(who == [party.carl.own.person])
        var open = RecordQuery()
        open.isOpenClaim = true
        #expect(try party.ana.records(of: .claim, open).items.count == 1)
        @discardableResult func answer(_ on: Int64, at time: Int64) throws -> Reference {
            let owner: [String: Value] = ["person": .data(party.carl.own.person.bytes), "on": .number(on)]
            return try party.say(party.ana, .create(.ownership, on: .record(place), values: owner), at: time)
        }
        // Declined, it is open no more until it is made again.
        let declined = try answer(0, at: 5004)
        #expect(try party.ana.told().isEmpty && party.ana.records(of: .claim, open).items.isEmpty)
        #expect(try party.carl.told() == ["declined 1 Stand"] && party.bob.told().isEmpty)
        // An answer that a moderator hid is none.
        try party.say(party.bob, .hide(declined, because: "no"), at: 5005)
        #expect(try party.ana.told() == ["claim 1 Stand"] && party.carl.told().isEmpty)
        try party.say(party.bob, .hide(declined, because: nil), at: 5006)
        #expect(try party.ana.told().isEmpty && party.carl.told() == ["declined 1 Stand"])
        try party.say(party.carl, .set(.claim, on: .record(place), values: ["on": .number(1)]), at: 5007)
        #expect(try party.ana.told() == ["claim 1 Stand"] && party.carl.told().isEmpty)
        try answer(1, at: 5008)
        #expect(try party.ana.told().isEmpty && party.ana.records(of: .claim, open).items.isEmpty)
        #expect(try party.ana.records(of: .claim).items.count == 1)
        #expect(try party.carl.told() == ["owner 1 Stand"] && party.bob.told().isEmpty)
    }

    @Test func `who asks to connect and who answers is told to the other alone`() throws {
        let party = try Party(seed: 4305)
        func wish(_ one: Replica, _ other: Replica, at time: Int64) throws {
            let draft = try one.draft(connecting: true, with: other.own.person)
            try party.say(one, try #require(draft), at: time)
        }
        try wish(party.bob, party.carl, at: 5000)
        #expect(try party.carl.told().map { $0.prefix(10) } == ["request 1 "])
        #expect(try party.bob.told().isEmpty && party.ana.told().isEmpty)
        try wish(party.carl, party.bob, at: 5001)
        #expect(try party.bob.told().map { $0.prefix(12) } == ["connected 1 "])
        #expect(try party.carl.told().isEmpty && party.ana.told().isEmpty)
    }

    @Test func `an invitation is told until it is taken back`() throws {
        let party = try Party(seed: 4306)
        try party.say(party.ana, .invite(party.bob.own.person, to: party.moment), at: 5000)
        #expect(try party.bob.told() == ["invitation 1 Toast"] && party.carl.told().isEmpty)
        try party.say(party.ana, .uninvite(party.bob.own.person, from: party.moment), at: 5001)
        #expect(try party.bob.told().isEmpty)
    }

    @Test func `what is read and muted on one device is so on the other, and nobody else learns of it`() throws {
        var event = try TestEvent(seed: 4307)
        let (phone, laptop) = try event.joinTwice()
        let everybody = [event.founder, phone, laptop]
        try everybody.meet()
        let values = momentValues("Toast")
        let moment = try phone.say(.create(.moment, on: .nothing, values: values), at: 4000, event.randomness)
        try everybody.meet()
        func set(_ device: Replica, on target: Target, _ values: [String: Value], at time: Int64) throws {
            try device.say(.set(.reading, on: target, values: values), at: time, event.randomness)
            try everybody.meet()
        }
        try set(phone, on: .record(moment), ["until": .number(5000)], at: 5000)
        // An earlier mark, made later, takes nothing back.
        try set(laptop, on: .record(moment), ["until": .number(4500), "muted": .number(1)], at: 5001)
        try set(laptop, on: .nothing, ["until": .number(4800)], at: 5002)
        for device in [phone, laptop] {
            let readings = try device.notices(at: 100_000) { try $0.readings() }
            #expect(readings[0]?.until == 4800 && readings[0]?.isMuted == false && readings.count == 2)
            #expect(readings.values.contains { $0.until == 5000 && $0.isMuted })
        }
        #expect(try event.founder.notices(at: 100_000) { try $0.readings() }.isEmpty)
        #expect(try phone.lines("reading\t").count == 2 && event.founder.lines("reading\t").isEmpty)
        #expect(try event.founder.dump() == phone.eventDump())
    }
}
