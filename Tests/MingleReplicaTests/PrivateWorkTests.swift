// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// How much work people can make for others with private audiences.
struct PrivateWorkTests {
    private static let now = Timestamp(milliseconds: 9000)

    @Test func `those who are invited together get the key together`() throws {
        let world = try PrivateWorld(seed: 261)
        let moment = try world.makeMoment(inviting: [world.carl, world.dora, world.event.founder])
        let written = try world.bob.runs(of: world.bob.own.name, .content, after: [], byteLimit: .max).flatMap(\.deltas)
        let keys = written.compactMap { try? PrivateEpoch(decoding: $0.payload ?? []) }
        #expect(keys.count == 2, "one when Bob makes the key, and one for all three")
        try world.meet()
        for guest in [world.carl, world.dora, world.event.founder] {
            #expect(try guest.moment(moment).title == "Surprise")
        }
    }

    @Test func `what a guest wrote for others is not worked out anew where an invitation ends`() throws {
        let world = try PrivateWorld(seed: 262)
        let moment = try world.makeMoment(inviting: [world.carl])
        let place: [String: Value] = [
            "name": .text("Plaza"), "latitude": .number(1), "longitude": .number(2), "radius": .number(3),
        ]
        try world.say(.create(.place, on: .nothing, values: place), by: world.carl, at: 3000)
        try world.meet()
        try world.say(world.comment("Hello", on: moment), by: world.carl)
        try world.meet()
        let before = try world.bob.dump()
        let end = Draft.uninvite(world.carl.own.person, from: moment)
        let now = Timestamp(milliseconds: 7000)
        let ended = try world.bob.author([end], at: now, randomness: world.event.randomness).outcome
        #expect(ended.changedKinds.contains("comment") && !ended.changedKinds.contains("place"))
        #expect(try world.bob.lines("Plaza").count == 1 && world.bob.lines("Hello").count == 1)
        try world.say(.invite(world.carl.own.person, to: moment), by: world.bob, at: 8000)
        #expect(try world.bob.dump().filter { !$0.hasPrefix("invite") } == before.filter { !$0.hasPrefix("invite") })
    }

    @Test func `a journal that forks where an invitation ended has that guest's words looked at, and nothing else`()
        throws
    {
        let world = try PrivateWorld(seed: 263)
        let moment = try world.makeMoment(inviting: [world.dora])
        let eve = world.event.scribe()
        let introduction = Run(travelling: try eve.introduction(by: world.event.invitation))
        for reader in world.everybody { _ = try reader.merge([introduction]) }
        try world.say(.invite(eve.keys.person, to: moment), by: world.bob)
        try world.meet()
        let key = try #require(try world.bob.epochKeys(of: world.audience).first)
        let epoch = TestEpoch(id: key.0, key: key.1, audience: world.audience)
        func comment(_ text: String, after parent: Delta?) throws -> Delta {
            let change = Change(field: 1, value: .text(text))
            let payload = RecordPayload(kind: Kind.comment.number, target: .record(moment), changes: [change])
            return eve.write(Scribe.Entry(root: .itself, plain: try payload.encoded(), epoch: epoch), after: parent)
        }
        let first = try comment("First", after: nil)
        let second = try comment("Second", after: first)
        _ = try world.bob.merge([Run(travelling: [first, second])])
        try world.say(.uninvite(eve.keys.person, from: moment), by: world.bob, at: 7000)
        let other = try comment("Other", after: first)
        // Dora hears of the end before she holds the header that it names, so that its sequence alone counts.
        _ = try world.dora.merge(world.bob.runs(of: world.bob.own.name, .content, after: [], byteLimit: .max))
        _ = try world.dora.merge([Run(travelling: [first, other])])
        #expect(try world.dora.lines("Other").count == 1)
        for (reader, news) in [(world.bob, other), (world.dora, second)] {
            let outcome = try reader.merge([Run(travelling: [news])])
            #expect(!outcome.isRecomputed)
        }
        for reader in [world.bob, world.dora] {
            #expect(try reader.lines("Second").count == 1 && reader.lines("Other").isEmpty)
            let dump = try reader.dump()
            _ = try reader.recompute()
            #expect(try reader.dump() == dump)
        }
        #expect(try world.bob.dump() == world.dora.dump())
    }

    @Test func `keys of one's own moments are seen to before those of others'`() throws {
        var world = try PrivateWorld(seed: 264)
        let identity = SigningKey(seed: world.event.randomness.secret())
        let phone = try world.event.join(identity: identity)
        try world.meet(world.everybody + [phone])
        // Carl's audience is the first of which Bob hears.
        let foreign = Audience.guests(owner: world.carl.own.person, salt: world.event.randomness.bytes(16))
        let now = Timestamp(milliseconds: 4000)
        _ = try world.carl.author(at: now, randomness: world.event.randomness) { write in
            let moment = try write(.create(.moment, on: .nothing, values: momentValues("Carl's"), for: foreign))
            for guest in [world.bob, phone] { _ = try write(.invite(guest.own.person, to: moment)) }
        }
        try world.meet()
        _ = try world.makeMoment(inviting: [phone])
        let tablet = try world.event.join(identity: identity)
        try world.meet(world.everybody + [phone, tablet])
        var needs: [Audience] = []
        for _ in 0..<4 {
            guard let need = try world.bob.keyNeed(at: Self.now) else { break }
            needs.append(need.audience)
            _ = try world.fulfilKeyNeed(world.bob)
        }
        #expect(needs == [.event, world.audience, foreign])
    }
}
