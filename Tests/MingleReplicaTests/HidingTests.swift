// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What moderators hide, who sees it still, and who cannot hide anything.
struct HidingTests {
    /// An event with Ana the founder, Bob, Carl and Dora, who all hold what all wrote.
    private struct Party {
        var world: TestEvent
        let bob: Replica
        let carl: Replica
        let dora: Replica
        var ana: Replica { world.founder }
        private var time: Int64 = 10_000

        init(seed: UInt64) throws {
            world = try TestEvent(seed: seed)
            (bob, carl, dora) = (try world.join(), try world.join(), try world.join())
            try meet()
        }

        var everybody: [Replica] { [ana, bob, carl, dora] }

        /// Everybody hears of everything.
        func meet() throws {
            for _ in 0..<2 {
                for member in [bob, carl, dora] {
                    try ana.receiveAll(from: member)
                    try member.receiveAll(from: ana)
                }
            }
        }

        @discardableResult
        mutating func say(_ draft: Draft, by replica: Replica) throws -> Reference {
            time += 1
            return try replica.say(draft, at: time, world.randomness)
        }

        mutating func put(_ person: Replica, at level: Level) throws {
            try say(.setLevel(person.own.person, level), by: ana)
            try meet()
        }

        mutating func comment(_ text: String, on target: Reference, by replica: Replica) throws -> Reference {
            try say(.create(.comment, on: .record(target), values: ["text": .text(text)]), by: replica)
        }

        mutating func moment(_ title: String, by replica: Replica) throws -> Reference {
            let values: [String: Value] = [
                "title": .text(title), "start": .number(1), "end": .number(2), "place_name": .text("Quay"),
                "latitude": .number(1), "longitude": .number(2), "radius": .number(100),
            ]
            return try say(.create(.moment, on: .nothing, values: values), by: replica)
        }
    }

    private static let now = Timestamp(milliseconds: 1_000_000)

    private func texts(on target: Reference, at replica: Replica) throws -> [String] {
        try replica.comments(on: target, before: nil, limit: 50).items.map(\.text)
    }

    @Test func `a fave on what is hidden is counted, and can be taken back, by those who see it`() throws {
        var party = try Party(seed: 612)
        let moment = try party.moment("Dinner", by: party.carl)
        try party.meet()
        for member in [party.carl, party.dora] {
            try party.say(.set(.fave, on: .record(moment), values: ["on": .number(1)]), by: member)
        }
        try party.meet()
        try party.say(.hide(moment, because: "rude"), by: party.ana)
        try party.meet()
        let hidden = try party.carl.faves(of: moment)
        #expect(hidden == (2, true))
        try party.say(.set(.fave, on: .record(moment), values: ["on": .number(0)]), by: party.carl)
        let (left, shown) = (try party.carl.faves(of: moment), try party.carl.moment(moment).faves)
        #expect(left == (1, false) && shown == 1)
        #expect(throws: ReplicaError.self) { try party.dora.participants(of: moment) }
    }

    @Test func `what a moderator hides is shown to its author and to moderators, with the reason`() throws {
        var party = try Party(seed: 601)
        try party.put(party.bob, at: .moderator)
        let moment = try party.moment("Dinner", by: party.ana)
        try party.meet()
        let rude = try party.comment("Rude", on: moment, by: party.carl)
        _ = try party.comment("Nice", on: moment, by: party.dora)
        try party.meet()
        try party.say(.hide(rude, because: "unkind"), by: party.bob)
        try party.meet()
        #expect(try texts(on: moment, at: party.dora) == ["Nice"])
        #expect(throws: ReplicaError.self) { try party.dora.comment(rude) }
        for reader in [party.ana, party.bob, party.carl] {
            #expect(try texts(on: moment, at: reader) == ["Rude", "Nice"])
            let hiding = try reader.comment(rude).hiding
            #expect(hiding?.reason == "unkind" && hiding?.maker.id == party.bob.own.person)
            #expect(try reader.hiddenRecords().map(\.record) == [rude])
            // What counts is the same for everybody.
            #expect(try reader.moment(moment).comments == 1)
        }
        #expect(try party.dora.hiddenRecords().isEmpty && party.dora.moment(moment).comments == 1)
        #expect(Set(try party.everybody.map { try $0.dump() }).count == 1)
    }

    @Test func `what hangs on something hidden is hidden with it, and comes back with it`() throws {
        var party = try Party(seed: 602)
        try party.put(party.bob, at: .moderator)
        let moment = try party.moment("Brawl", by: party.carl)
        try party.meet()
        let comment = try party.comment("Wow", on: moment, by: party.dora)
        try party.meet()
        try party.say(.hide(moment, because: ""), by: party.bob)
        try party.meet()
        let ana = try party.world.reader()
        for member in party.everybody { try ana.receiveAll(from: member) }
        #expect(try ana.moments().isEmpty && ana.happenings(limit: 9).isEmpty)
        #expect(try ana.counts().moments == 0 && ana.lines("Wow").isEmpty)
        // Dora sees her own words, and why nobody else does.
        #expect(try party.dora.comment(comment).hiding?.record == moment)
        #expect(throws: ReplicaError.self) { try party.dora.moment(moment) }
        try party.say(.hide(moment, because: nil), by: party.ana)
        try party.meet()
        try ana.receiveAll(from: party.ana)
        #expect(try ana.moments().count == 1 && texts(on: moment, at: ana) == ["Wow"])
        #expect(try party.bob.hidings().map(\.reason) == [nil, ""] && party.bob.hiddenRecords().isEmpty)
        #expect(try party.carl.hidings().count == 2 && party.dora.hidings().isEmpty)
    }

    @Test func `whoever is no moderator hides nothing, and what one hid counts once one becomes it`() throws {
        var party = try Party(seed: 603)
        let moment = try party.moment("Dinner", by: party.ana)
        try party.meet()
        #expect(throws: ReplicaError.notAtYourLevel(.attendee)) {
            try party.say(.hide(moment, because: "mine"), by: party.bob)
        }
        // A modified node writes it all the same.
        let mallory = party.world.scribe()
        let hide = try party.world.entry(
            .moment,
            root: .reference(moment),
            [Change(field: Hiding.field.number, value: .text("gone"))]
        )
        let runs = [
            Run(try mallory.introduction(by: party.world.invitation)), Run([mallory.write(hide, after: nil)]),
        ]
        for reader in party.everybody { _ = try reader.merge(runs) }
        #expect(try party.everybody.allSatisfy { try $0.moments().count == 1 && $0.hidings().isEmpty })
        try party.say(.setLevel(mallory.keys.person, .moderator), by: party.ana)
        try party.meet()
        #expect(try party.dora.moments().isEmpty && party.ana.hidings().count == 1)
        #expect(Set(try party.everybody.map { try $0.dump() }).count == 1)
    }

    @Test func `what a moderator hid stays hidden after a demotion, and nothing past it is`() throws {
        var party = try Party(seed: 604)
        try party.put(party.bob, at: .moderator)
        let first = try party.moment("First", by: party.carl)
        let second = try party.moment("Second", by: party.carl)
        try party.meet()
        try party.say(.hide(first, because: "a"), by: party.bob)
        try party.meet()
        // He does not know yet that he is none any more.
        try party.say(.setLevel(party.bob.own.person, .attendee), by: party.ana)
        try party.say(.hide(second, because: "b"), by: party.bob)
        try party.meet()
        #expect(try party.dora.moments().map(\.title) == ["Second"])
        #expect(try party.dora.dump() == party.ana.dump() && party.bob.dump() == party.ana.dump())
        try party.put(party.bob, at: .moderator)
        #expect(try party.dora.moments().isEmpty)
        try party.say(.remove(party.bob.own.person, keepsLinks: true), by: party.ana)
        try party.meet()
        #expect(try party.dora.moments().isEmpty)
    }

    @Test func `moderators who hide and unhide apart end alike, and the next word overwrites both`() throws {
        var party = try Party(seed: 605)
        for moderator in [party.bob, party.carl] { try party.put(moderator, at: .moderator) }
        let moment = try party.moment("Dispute", by: party.dora)
        try party.meet()
        try party.say(.hide(moment, because: "one"), by: party.bob)
        try party.meet()
        try party.say(.hide(moment, because: "two"), by: party.bob)
        try party.say(.hide(moment, because: nil), by: party.carl)
        // Each of two readers hears of them in another order.
        let readers = [try party.world.reader(), try party.world.reader()]
        for (reader, order) in zip(readers, [[party.bob, party.carl], [party.carl, party.bob]]) {
            for member in [party.ana, party.dora] + order { try reader.receiveAll(from: member) }
        }
        #expect(try readers[0].dump() == readers[1].dump() && readers[0].moments().count == 1)
        try party.meet()
        try party.say(.hide(moment, because: "three"), by: party.bob)
        try party.meet()
        #expect(try party.everybody.map { try $0.hiding(of: moment)?.reason } == ["three", "three", "three", "three"])
    }

    @Test func `a moderator hides what a host and the founder shared, and the founder shows it again`() throws {
        var party = try Party(seed: 606)
        try party.put(party.bob, at: .moderator)
        try party.put(party.carl, at: .host)
        for author in [party.ana, party.carl] {
            let moment = try party.moment("Speech", by: author)
            try party.meet()
            try party.say(.hide(moment, because: "long"), by: party.bob)
            try party.meet()
            #expect(try party.dora.moments().isEmpty)
            try party.say(.hide(moment, because: nil), by: party.ana)
            try party.say(.delete(moment), by: author)
            try party.meet()
        }
    }

    @Test func `what was deleted leaves neither the reason nor a line in the log`() throws {
        var party = try Party(seed: 607)
        let moment = try party.moment("Oops", by: party.carl)
        try party.meet()
        let hiding = try party.say(.hide(moment, because: "unique reason"), by: party.ana)
        try party.meet()
        try party.say(.delete(moment), by: party.carl)
        try party.meet()
        #expect(try party.everybody.allSatisfy { try $0.payloads([hiding]) == [.erased] && $0.hidings().isEmpty })
        #expect(throws: ReplicaError.self) { try party.say(.hide(moment, because: nil), by: party.ana) }
    }

    @Test func `hiding does not touch what the author says of the record`() throws {
        var party = try Party(seed: 608)
        let moment = try party.moment("Dinner", by: party.carl)
        try party.meet()
        try party.say(.hide(moment, because: "wait"), by: party.ana)
        try party.say(.edit(moment, .moment, values: ["title": .text("Supper")]), by: party.carl)
        try party.meet()
        #expect(try party.carl.moment(moment).title == "Supper" && party.dora.moments().isEmpty)
        try party.say(.hide(moment, because: nil), by: party.ana)
        try party.meet()
        #expect(try party.dora.moments().map(\.title) == ["Supper"])
        #expect(try party.dora.dump() == party.carl.dump())
        let before = try party.dora.dump()
        _ = try party.dora.recompute()
        #expect(try party.dora.dump() == before)
    }
}
