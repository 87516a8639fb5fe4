// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Moments that become private or public: case 11.
struct LineageTests {
    /// Bob makes his moment private or public, for Carl.
    private func change(_ old: Reference, of world: PrivateWorld, for audience: Audience, at time: Int64) throws
        -> Reference
    {
        var values = momentValues("Surprise")
        values["continues"] = .data(old.bytes)
        var made: Reference?
        _ = try world.bob.author(at: Timestamp(milliseconds: time), randomness: world.event.randomness) { write in
            let new = try write(.create(.moment, on: .nothing, values: values, for: audience))
            if audience != .event { _ = try write(.invite(world.carl.own.person, to: new)) }
            _ = try write(.delete(old))
            made = new
        }
        return try #require(made)
    }

    private func publicMoment(of world: PrivateWorld) throws -> Reference {
        let draft = Draft.create(.moment, on: .nothing, values: momentValues("Surprise"))
        let moment = try world.say(draft, by: world.bob, at: 4000)
        try world.meet()
        for guest in [world.carl, world.dora] {
            try world.say(world.joining(moment), by: guest, at: 4500)
            try world.say(world.comment("Hello from a guest", on: moment), by: guest)
        }
        try world.meet()
        return moment
    }

    @Test func `what hung on a public moment shows under the private one to its guests, and to nobody else`() throws {
        let world = try PrivateWorld(seed: 221)
        let old = try publicMoment(of: world)
        let new = try change(old, of: world, for: world.audience, at: 7000)
        try world.meet()
        for guest in [world.bob, world.carl] {
            let shown = try guest.moment(new)
            #expect(shown.isPrivate && shown.comments == 2 && shown.joined == 2 && shown.continues == [old])
            let comments = try guest.comments(on: new, before: nil, limit: 10)
            #expect(comments.items.count == 2 && comments.items.allSatisfy { $0.target == new })
            #expect(throws: ReplicaError.self) { try guest.moment(old) }
        }
        for outsider in [world.event.founder, world.dora] {
            #expect(try outsider.lines("Hello").isEmpty && outsider.counts().moments == 0)
            #expect(try outsider.dump() == world.bob.eventDump())
        }
        // What a guest says now of what was public is for the guests alone.
        try world.say(world.comment("Psst", on: new), by: world.carl, at: 8000)
        try world.meet()
        #expect(try world.bob.lines("Psst").count == 1 && world.dora.lines("Psst").isEmpty)
        #expect(try world.bob.dump() == world.carl.dump())
    }

    /// A world with the public moment that continues a private one, to which Carl came and said something.
    private func madePublic(seed: UInt64) throws -> (world: PrivateWorld, new: Reference) {
        let world = try PrivateWorld(seed: seed)
        let old = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        try world.say(world.joining(old), by: world.carl)
        try world.say(world.comment("Secret", on: old), by: world.carl)
        try world.meet()
        let new = try change(old, of: world, for: .event, at: 7000)
        try world.meet()
        return (world, new)
    }

    @Test func `what hung on a private moment shows under the public one to the guests, and counts for them alone`()
        throws
    {
        let (world, new) = try madePublic(seed: 222)
        #expect(try world.carl.moment(new).comments == 1 && world.carl.moment(new).joined == 1)
        #expect(try world.carl.inheritedParticipation(in: new) == .joined)
        #expect(try world.dora.moment(new).comments == 0 && world.dora.moment(new).joined == 0)
        #expect(try world.dora.lines("Secret").isEmpty && world.bob.dump() == world.carl.dump())
        #expect(try world.dora.dump() == world.bob.eventDump())
    }

    @Test func `a photo on a moment that became private twice, and a comment on the photo, keep their place`() throws {
        let world = try PrivateWorld(seed: 223)
        let old = try publicMoment(of: world)
        let between = try change(old, of: world, for: world.audience, at: 7000)
        try world.meet()
        try world.say(world.comment("Among us", on: between), by: world.carl, at: 7500)
        var values = momentValues("Surprise")
        values["continues"] = .data(between.bytes + old.bytes)
        let again = Audience.guests(owner: world.bob.own.person, salt: world.event.randomness.bytes(16))
        var made: Reference?
        try world.meet()
        _ = try world.bob.author(at: Timestamp(milliseconds: 8000), randomness: world.event.randomness) { write in
            let new = try write(.create(.moment, on: .nothing, values: values, for: again))
            _ = try write(.invite(world.dora.own.person, to: new))
            _ = try write(.delete(between))
            made = new
        }
        let last = try #require(made)
        try world.meet()
        // Dora was no guest of the one between, and sees what was public before it.
        #expect(try world.dora.moment(last).comments == 2 && world.bob.moment(last).comments == 3)
        #expect(throws: ReplicaError.self) { try world.carl.moment(last) }
        #expect(try world.carl.lines("Among us").isEmpty)
    }

    @Test func `nobody's moment takes over what hangs on another's`() throws {
        let world = try PrivateWorld(seed: 224)
        let old = try publicMoment(of: world)
        var values = momentValues("Mine now")
        values["continues"] = .data(old.bytes)
        let claim = try world.say(.create(.moment, on: .nothing, values: values), by: world.dora, at: 7000)
        try world.meet()
        for reader in world.everybody {
            #expect(try reader.moment(claim).comments == 0 && reader.moment(old).comments == 2)
        }
    }

    @Test func `the key of an earlier moment that comes last gives what one that came first gives`() throws {
        let (world, new) = try madePublic(seed: 225)
        let late = try world.event.reader()
        for other in [world.bob, world.carl] { try late.receiveAll(from: other) }
        #expect(try late.moment(new).comments == 0)
        for (epoch, key) in try world.bob.epochKeys(of: world.audience) {
            _ = try late.hold(key, of: epoch, for: world.audience)
        }
        #expect(try late.moment(new).comments == 1 && late.dump() == world.bob.dump())
        // Nothing is left of it once the moment is gone, or says that it continues nothing.
        try world.say(.edit(new, .moment, values: ["continues": .cleared]), by: world.bob, at: 8000)
        try late.receiveAll(from: world.bob)
        #expect(try late.moment(new).comments == 0 && late.lines("Secret").isEmpty)
    }
}
