// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Who sees a private moment, and what counts in it.
struct PrivateMomentTests {
    @Test func `a private moment and what hangs on it show to those who are invited, and to nobody else`() throws {
        let world = try PrivateWorld(seed: 201)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        try world.say(world.joining(moment), by: world.carl)
        try world.say(world.comment("Who brings the cake?", on: moment), by: world.carl)
        try world.say(.set(.fave, on: .record(moment), values: ["on": .number(1)]), by: world.carl)
        try world.meet()
        #expect(try world.bob.dump() == world.carl.dump())
        let shown = try world.bob.moment(moment)
        #expect(shown.isPrivate && shown.joined == 1 && shown.comments == 1 && shown.faves == 1)
        #expect(try world.carl.moment(moment).isInvited && !shown.isInvited)
        #expect(try world.bob.participants(of: moment).invited.map(\.id) == [world.carl.own.person])
        for outsider in [world.event.founder, world.dora] {
            #expect(try outsider.dump() == world.bob.eventDump() && outsider.counts().moments == 0)
            #expect(throws: ReplicaError.self) { try outsider.moment(moment) }
            #expect(try outsider.happenings(limit: 10).isEmpty)
        }
    }

    /// Case 28.
    @Test func `who is not invited carries all of it and finds no word of it in any file`() throws {
        let folder = try TemporaryFolder()
        let world = try PrivateWorld(seed: 202, doraPath: folder.file("replica.sqlite"))
        let moment = try world.makeMoment("Canary title", inviting: [world.carl])
        try world.meet()
        try world.say(world.comment("Canary comment", on: moment), by: world.carl)
        let outcome = try world.dora.merge(
            world.bob.runs(of: world.bob.own.name, .content, after: [], byteLimit: .max)
        )
        #expect(outcome.changedKinds.isEmpty, "what cannot be read tells the page nothing")
        try world.meet()
        #expect(try world.dora.frontier() == world.carl.frontier())
        try world.dora.close()
        let files = try folder.contents()
        #expect(!files.isEmpty && files.allSatisfy { $0.range(of: Data("Canary".utf8)) == nil })
    }

    @Test func `what hangs on a private moment for everybody to read counts for nothing`() throws {
        let world = try PrivateWorld(seed: 203)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        // Carl's node is a modified one: it says so to everybody.
        try world.say(
            .create(.comment, on: .record(moment), values: ["text": .text("Leaked")], for: .event),
            by: world.carl
        )
        try world.meet()
        for reader in world.everybody { #expect(try reader.lines("Leaked").isEmpty) }
        #expect(try world.bob.moment(moment).comments == 0)
    }

    @Test func `who has the key and is not invited says nothing that counts`() throws {
        let world = try PrivateWorld(seed: 204)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        // Carl gives Dora the keys, and Eve, who has a modified node.
        let keys = try world.carl.epochKeys(of: world.audience)
        for (epoch, key) in keys { _ = try world.dora.hold(key, of: epoch, for: world.audience) }
        #expect(try world.dora.moment(moment).title == "Surprise")
        #expect(throws: ReplicaError.notInvited) { try world.say(world.comment("Hello", on: moment), by: world.dora) }
        let eve = world.event.scribe()
        let epoch = TestEpoch(id: keys[0].0, key: keys[0].1, audience: world.audience)
        let change = Change(field: 1, value: .text("Intruder"))
        let payload = RecordPayload(kind: Kind.comment.number, target: .record(moment), changes: [change])
        let post = Scribe.Entry(root: .itself, plain: try payload.encoded(), epoch: epoch)
        let comment = eve.write(post, after: nil)
        let invitation = RecordPayload(
            kind: Kind.invite.number,
            target: .record(moment),
            changes: [Change(field: 1, value: .data(eve.keys.person.bytes))]
        )
        // Nor can she invite herself.
        let claim = Scribe.Entry(root: .itself, plain: try invitation.encoded(), epoch: epoch)
        let invite = eve.write(claim, after: comment)
        let introduction = try eve.introduction(by: world.event.invitation)
        _ = try world.bob.merge([Run(travelling: introduction), Run(travelling: [comment, invite])])
        #expect(try world.bob.lines("Intruder").isEmpty && world.bob.lines("invite\t").count == 1)
        // What she says counts as soon as Bob invites her.
        try world.say(.invite(eve.keys.person, to: moment), by: world.bob, at: 8000)
        #expect(try world.bob.lines("Intruder").count == 1)
    }

    @Test func `a later device of a guest gets the key, and of an outsider does not`() throws {
        var world = try PrivateWorld(seed: 205)
        let identity = SigningKey(seed: world.event.randomness.secret())
        let (phone, laptop) = (try world.event.join(identity: identity), try world.event.join())
        try world.meet(world.everybody + [phone, laptop])
        let moment = try world.makeMoment(inviting: [phone])
        let tablet = try world.event.join(identity: identity)
        try world.meet(world.everybody + [phone, laptop, tablet])
        #expect(throws: ReplicaError.self) { try tablet.moment(moment) }
        // The event's key is due first, as the founder drew it without a slot.
        let fulfilled = try (0..<4).filter { _ in try world.fulfilKeyNeed(world.bob) }
        #expect(!fulfilled.isEmpty && fulfilled.count < 4, "nobody lacks a key any more")
        try world.meet(world.everybody + [phone, laptop, tablet])
        #expect(try tablet.dump() == phone.dump() && tablet.moment(moment).title == "Surprise")
        #expect(throws: ReplicaError.self) { try laptop.moment(moment) }
    }

    @Test func `what was said before an invitation was taken back stays, and what follows neither counts nor is read`()
        throws
    {
        let world = try PrivateWorld(seed: 206)
        let moment = try world.makeMoment(inviting: [world.carl, world.dora])
        try world.meet()
        try world.say(world.comment("Early", on: moment), by: world.carl)
        try world.meet()
        try world.say(.uninvite(world.carl.own.person, from: moment), by: world.bob)
        // Carl has not heard of it, and then Dora and Bob go on.
        try world.say(world.comment("Late", on: moment), by: world.carl)
        try world.meet()
        try world.say(world.comment("Among us", on: moment), by: world.dora, at: 7000)
        try world.meet()
        for reader in [world.bob, world.dora] {
            #expect(try reader.lines("Early").count == 1 && reader.lines("Late").isEmpty)
            #expect(try reader.lines("Among us").count == 1)
        }
        #expect(try world.carl.lines("Among us").isEmpty && world.bob.dump() == world.dora.dump())
        #expect(throws: ReplicaError.self) { try world.say(world.comment("Still here", on: moment), by: world.carl) }
        // Invited again, all that Carl said counts, and all that was said without him is his to read.
        try world.say(.invite(world.carl.own.person, to: moment), by: world.bob, at: 8000)
        try world.meet()
        #expect(try world.carl.dump() == world.bob.dump() && world.carl.lines("Among us").count == 1)
        #expect(try world.dora.lines("Late").count == 1)
    }

    /// Case 24.
    @Test func `a guest who knows of a removal while the owner sleeps makes the key that the removed lacks`() throws {
        let world = try PrivateWorld(seed: 207)
        let moment = try world.makeMoment(inviting: [world.carl, world.dora])
        try world.meet()
        let now = Timestamp(milliseconds: 6000)
        let removal = Draft.remove(world.carl.own.person, keepsLinks: true)
        _ = try world.event.founder.author([removal], at: now, randomness: world.event.randomness)
        try world.dora.receiveAll(from: world.event.founder)
        #expect(throws: ReplicaError.keyOutdated) { try world.say(world.comment("Secret", on: moment), by: world.dora) }
        guard case .renewal(world.audience, _)? = try world.dora.keyNeed(at: now) else {
            return #expect(Bool(false), "no key is needed")
        }
        #expect(try world.fulfilKeyNeed(world.dora))
        try world.say(world.comment("Secret", on: moment), by: world.dora, at: 8000)
        try world.meet()
        #expect(try world.carl.lines("Secret").isEmpty && world.bob.lines("Secret").count == 1)
        #expect(try world.bob.dump() == world.dora.dump())
    }

    /// Case 26.
    @Test func `keys that an owner made come before a guest's that leaves people out`() throws {
        let world = try PrivateWorld(seed: 208)
        let moment = try world.makeMoment(inviting: [world.carl, world.dora])
        try world.meet()
        for _ in 0..<8 { try world.say(.renew(world.audience), by: world.carl) }
        try world.meet()
        try world.say(world.comment("Hello", on: moment), by: world.dora, at: 7000)
        try world.meet()
        func written(by replica: Replica) throws -> [Delta] {
            try world.bob.runs(of: replica.own.name, .content, after: [], byteLimit: .max).flatMap(\.deltas)
        }
        let used = try #require(try written(by: world.dora).last?.header.epoch)
        let owners = try written(by: world.bob).compactMap { try? PrivateEpoch(decoding: $0.payload ?? []).id }
        #expect(owners.contains(used))
    }

    /// Case 13.
    @Test func `a key that comes last gives what a key that came first gives`() throws {
        let world = try PrivateWorld(seed: 209)
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.meet()
        try world.say(world.joining(moment), by: world.carl)
        try world.say(world.comment("Hello", on: moment), by: world.carl)
        try world.meet()
        let late = try world.event.reader()
        try late.receiveAll(from: world.bob)
        #expect(try late.dump() == world.dora.dump())
        for (epoch, key) in try world.bob.epochKeys(of: world.audience).reversed() {
            _ = try late.hold(key, of: epoch, for: world.audience)
        }
        #expect(try late.dump() == world.bob.dump())
        let before = try late.dump()
        _ = try late.recompute()
        #expect(try late.dump() == before)
    }

    /// Case 27.
    @Test func `a wrong key in a slot is refused, and the next right one taken`() throws {
        let world = try PrivateWorld(seed: 210)
        let scribe = world.event.scribe()
        let (randomness, carl) = (world.event.randomness, world.carl.own.agreement.publicKey)
        let epoch = TestEpoch(
            randomness,
            event: world.event.event,
            for: world.audience,
            by: scribe.own.name,
            carrying: []
        )
        let wrong = try epoch.payload(
            from: scribe.keys.agreement,
            to: carl,
            randomness,
            insteadOfKey: randomness.secret()
        )
        let first = scribe.write(Scribe.Entry(plain: wrong), after: nil)
        let right = try epoch.payload(from: scribe.keys.agreement, to: carl, randomness)
        let second = scribe.write(Scribe.Entry(plain: right), after: first)
        let introduction = try scribe.introduction(by: world.event.invitation)
        _ = try world.carl.merge([Run(travelling: introduction), Run(travelling: [first])])
        #expect(try !world.carl.epochKeys(of: world.audience).map(\.0).contains(epoch.id))
        _ = try world.carl.merge([Run(travelling: [second])])
        #expect(try world.carl.epochKeys(of: world.audience).map(\.0).contains(epoch.id))
    }
}
