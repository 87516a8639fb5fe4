// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// What moderators hide in private moments, and that nobody else learns of it.
struct PrivateHidingTests {
    private static let now = Timestamp(milliseconds: 100_000)

    /// A world in which Carl, a guest, and Dora, who is none, moderate.
    private func moderated(seed: UInt64, doraPath: String? = nil) throws -> PrivateWorld {
        let world = try PrivateWorld(seed: seed, doraPath: doraPath)
        for person in [world.carl, world.dora] {
            try world.say(.setLevel(person.own.person, .moderator), by: world.event.founder, at: 3000)
        }
        try world.meet()
        return world
    }

    @Test func `what a guest hides who moderates, and why, is known to the guests alone`() throws {
        let folder = try TemporaryFolder()
        let world = try moderated(seed: 231, doraPath: folder.file("replica.sqlite"))
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        let rude = try world.say(world.comment("Rude", on: moment), by: world.bob)
        try world.meet()
        try world.say(.hide(rude, because: "Canary reason"), by: world.carl, at: 7000)
        try world.meet()
        #expect(try world.bob.comment(rude).hiding?.reason == "Canary reason", "its author sees it still")
        #expect(try world.bob.hidings().count == 1 && world.carl.hidings().count == 1)
        #expect(try world.carl.moment(moment).comments == 0 && world.bob.dump() == world.carl.dump())
        // The founder and Dora are above moderators or among them, and not invited.
        for outsider in [world.event.founder, world.dora] {
            #expect(try outsider.hidings().isEmpty && outsider.hiddenRecords().isEmpty)
            #expect(try outsider.dump() == world.bob.eventDump())
            #expect(throws: ReplicaError.notFound(rude.description)) {
                try world.say(.hide(rude, because: nil), by: outsider, at: 8000)
            }
        }
        try world.dora.close()
        #expect(try folder.contents().allSatisfy { $0.range(of: Data("Canary".utf8)) == nil })
        try world.say(.hide(rude, because: nil), by: world.carl, at: 9000)
        try world.bob.receiveAll(from: world.carl)
        #expect(try world.bob.comment(rude).hiding == nil && world.bob.moment(moment).comments == 1)
    }

    @Test func `a private moment that a guest hides goes with all that hangs on it, and comes back whole`() throws {
        let world = try moderated(seed: 232)
        let laptop = world.event.founder
        let moment = try world.makeMoment(inviting: [world.carl, laptop])
        try world.meet()
        try world.say(world.comment("Hello", on: moment), by: laptop)
        try world.meet()
        let before = try world.bob.dump()
        try world.say(.hide(moment, because: "Dull"), by: world.carl, at: 7000)
        try world.meet()
        #expect(try world.bob.moment(moment).hiding?.reason == "Dull" && world.bob.counts().moments == 0)
        #expect(try world.bob.lines("Hello").isEmpty && world.bob.dump() == laptop.dump())
        #expect(try world.dora.dump() == world.bob.eventDump() && world.dora.hidings().isEmpty)
        try world.say(.hide(moment, because: nil), by: laptop, at: 8000)
        try world.meet()
        #expect(try world.bob.dump() == before)
    }

    @Test func `what a moderator hides counts up to where the invitation ended, and not at all without one`() throws {
        let world = try moderated(seed: 233)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        let (early, late) = (
            try world.say(world.comment("Early", on: moment), by: world.bob),
            try world.say(world.comment("Late", on: moment), by: world.bob)
        )
        try world.meet()
        try world.say(.hide(early, because: "One"), by: world.carl, at: 7000)
        try world.meet()
        try world.say(.uninvite(world.carl.own.person, from: moment), by: world.bob, at: 7500)
        // Carl has not heard of it.
        try world.say(.hide(late, because: "Two"), by: world.carl, at: 8000)
        try world.meet()
        #expect(try world.bob.comment(early).hiding?.reason == "One" && world.bob.comment(late).hiding == nil)
        let dump = try world.bob.dump()
        _ = try world.bob.recompute()
        #expect(try world.bob.dump() == dump)
        try world.say(.invite(world.carl.own.person, to: moment), by: world.bob, at: 9000)
        #expect(try world.bob.comment(late).hiding?.reason == "Two", "all that Carl said counts again")
    }

    @Test func `what was posted while a moment was public is not hidden for everybody to read why`() throws {
        let world = try moderated(seed: 234)
        let old = try world.say(.create(.moment, on: .nothing, values: momentValues("Open")), by: world.bob, at: 4000)
        try world.meet()
        let comment = try world.say(world.comment("Public then", on: old), by: world.dora, at: 4500)
        try world.meet()
        var values = momentValues("Closed")
        values["continues"] = .data(old.bytes)
        _ = try world.bob.author(at: Timestamp(milliseconds: 5000), randomness: world.event.randomness) { write in
            let new = try write(.create(.moment, on: .nothing, values: values, for: world.audience))
            _ = try write(.invite(world.carl.own.person, to: new))
            _ = try write(.delete(old))
        }
        try world.meet()
        #expect(try world.carl.lines("Public then").count == 1)
        let written = try world.carl.frontier()
        do {
            try world.say(.hide(comment, because: "Rude"), by: world.carl, at: 7000)
            Issue.record("it was hidden")
        } catch ReplicaError.invalid(let message) { #expect(message.contains("Ask its author")) }
        #expect(try world.carl.frontier() == written)
    }

    @Test func `a hidden moment that continues another takes what hangs on the earlier one with it`() throws {
        let world = try moderated(seed: 235)
        let old = try world.say(.create(.moment, on: .nothing, values: momentValues("Open")), by: world.bob, at: 4000)
        try world.meet()
        try world.say(world.comment("Under the old one", on: old), by: world.carl, at: 4500)
        try world.meet()
        var values = momentValues("Again")
        values["continues"] = .data(old.bytes)
        var made: Reference?
        _ = try world.bob.author(at: Timestamp(milliseconds: 5000), randomness: world.event.randomness) { write in
            made = try write(.create(.moment, on: .nothing, values: values))
            _ = try write(.delete(old))
        }
        let new = try #require(made)
        try world.meet()
        #expect(try world.dora.moment(new).comments == 1 && world.dora.lines("Under").count == 1)
        try world.say(.hide(new, because: "Dull"), by: world.dora, at: 7000)
        try world.meet()
        #expect(try world.bob.lines("Under").isEmpty && world.carl.lines("Under").isEmpty)
        let seen = try world.dora.comments(on: new, before: nil, limit: 10).items
        #expect(seen.map(\.hiding?.reason) == ["Dull"], "moderators see it with why it is hidden")
    }

    @Test(arguments: [false, true])
    func `a moment that continues a hidden one is hidden with it, and with all that hangs on either`(isPrivate: Bool)
        throws
    {
        let world = try moderated(seed: 236)
        let old = try world.say(.create(.moment, on: .nothing, values: momentValues("Open")), by: world.bob, at: 4000)
        try world.meet()
        let comment = try world.say(world.comment("Under the old one", on: old), by: world.carl, at: 4500)
        try world.meet()
        try world.say(.hide(old, because: "Dull"), by: world.dora, at: 5000)
        try world.meet()
        // Bob's node is a modified one.
        var values = momentValues("Again")
        values["continues"] = .data(old.bytes)
        let audience = isPrivate ? world.audience : .event
        let new = try world.say(.create(.moment, on: .nothing, values: values, for: audience), by: world.bob, at: 6000)
        if isPrivate { try world.say(.invite(world.carl.own.person, to: new), by: world.bob, at: 6001) }
        try world.meet()
        for reader in world.everybody {
            #expect(try reader.counts().moments == 0 && reader.lines("Under").isEmpty && reader.lines("Again").isEmpty)
        }
        #expect(try world.bob.moment(new).hiding?.reason == "Dull")
        #expect(try world.carl.comment(comment).hiding?.reason == "Dull")
        #expect(try world.dora.dump() == world.bob.eventDump())
        try world.say(.hide(old, because: nil), by: world.dora, at: 8000)
        try world.meet()
        #expect(try world.bob.moment(new).comments == 1 && world.carl.lines("Again").count == 1)
    }

    @Test func `what guests hid says nothing to those who could not read it`() throws {
        let world = try moderated(seed: 237)
        let old = try world.makeMoment("Closed", inviting: [world.carl])
        try world.meet()
        try world.say(.hide(old, because: "Dull"), by: world.carl, at: 7000)
        try world.meet()
        var values = momentValues("Open now")
        values["continues"] = .data(old.bytes)
        try world.say(.create(.moment, on: .nothing, values: values), by: world.bob, at: 8000)
        try world.meet()
        #expect(try world.dora.lines("Open now").count == 1 && world.dora.dump() == world.bob.eventDump())
    }
}
