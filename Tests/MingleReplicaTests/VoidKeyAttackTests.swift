// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleWire
import Testing

@testable import MingleReplica

/// What somebody with a modified node makes of keys that do not count and are handed on all the same.
struct VoidKeyAttackTests {
    /// What a key of an audience would have to obey by now, as far as somebody knows.
    private func concerns(_ replica: Replica, of audience: Audience) throws -> [UInt64] {
        try replica.write(isDurable: false) { transaction in
            let row = try transaction.audienceRow(audience)
            return transaction.concerns(of: row).listed.sorted()
        }
    }

    /// Lets somebody do what is due about the keys; false if that does not end.
    private func tendKeys(_ replica: Replica, _ world: TestEvent, at time: Int64 = 9000) throws -> Bool {
        let now = Timestamp(milliseconds: time)
        for _ in 0..<12 {
            guard let duty = try replica.keyDuty(at: now) else { return true }
            _ = try replica.fulfil(duty, at: now, randomness: world.randomness)
        }
        return false
    }

    /// A key of an audience in the name of a device, sealed to another one, and something under it.
    private func write(_ epoch: TestEpoch, by eve: Scribe, to reader: Replica, after last: Delta?) throws -> [Delta] {
        let plain = try epoch.payload(from: eve.keys.agreement, to: reader.own.agreement.publicKey, eve.randomness)
        let key = eve.write(Scribe.Entry(time: 8000, plain: plain), after: last)
        let words = Scribe.Entry(time: 8000, root: .itself, plain: [1, 2, 3], epoch: epoch)
        return [key, eve.write(words, after: key)]
    }

    @Test func `whoever was uninvited has the owner adopt no key in the owner's name`() throws {
        let world = try PrivateWorld(seed: 271)
        let eve = world.event.scribe()
        let introduction = Run(travelling: try eve.introduction(by: world.event.invitation))
        for reader in world.everybody { _ = try reader.merge([introduction]) }
        let moment = try world.makeMoment(inviting: [world.carl])
        try world.say(.invite(eve.own.person, to: moment), by: world.bob, at: 5100)
        #expect(try tendKeys(world.bob, world.event))
        try world.say(.uninvite(eve.own.person, from: moment), by: world.bob, at: 6000)
        let obeyed = try concerns(world.bob, of: world.audience)
        let used = try ConnectionWorld.privateEpochs(of: world.bob, in: world.event)
        var mine: TestEpoch
        repeat {
            mine = TestEpoch(
                eve.randomness,
                event: eve.event,
                for: world.audience,
                by: world.bob.own.name,
                obeying: obeyed
            )
        } while used.contains { $0 < mine.id }
        let run = Run(travelling: try write(mine, by: eve, to: world.bob, after: nil))
        for reader in [world.bob, world.carl] { _ = try reader.merge([run]) }
        #expect(try tendKeys(world.bob, world.event))
        try world.say(world.comment("Among us", on: moment), by: world.bob, at: 9001)
        #expect(try !ConnectionWorld.privateEpochs(of: world.bob, in: world.event).contains(mine.id))
    }

    @Test func `nobody ties a pair together in the open by a key in the other's name`() throws {
        let world = try ConnectionWorld(seed: 272)
        let eve = world.event.scribe()
        let introduction = Run(travelling: try eve.introduction(by: world.event.invitation))
        for reader in world.everybody { _ = try reader.merge([introduction]) }
        let pair = Audience.between(world.anna.own.person, and: eve.own.person)
        let mine = TestEpoch(eve.randomness, event: eve.event, for: pair, by: world.anna.own.name)
        _ = try world.anna.merge([Run(travelling: try write(mine, by: eve, to: world.anna, after: nil))])
        #expect(try tendKeys(world.anna, world.event))
        #expect(try !ConnectionWorld.privateEpochs(of: world.anna, in: world.event).contains(mine.id))
    }

    @Test func `keys that nobody made have nobody write into the fabric`() throws {
        let world = try TestEvent(seed: 273)
        let eve = world.scribe()
        let introduction = try eve.introduction(by: world.invitation)
        _ = try world.founder.merge([Run(travelling: introduction)])
        #expect(try tendKeys(world.founder, world))
        let (key, rules) = (eve.randomness.secret(), Bytes32.random(eve.randomness))
        let audience = EpochSlots.eventAudience(eve.event)
        let id = EpochSlots.id(key: key, event: eve.event, audience: audience, rules: rules)
        let founder = world.founder.own
        let slot = try EpochSlots.slot(
            key: key,
            epoch: id,
            label: founder.name.raw.prefix,
            author: eve.keys.agreement,
            recipient: founder.agreement.publicKey
        )
        let said = FabricPayload.epoch(EpochSlots(id: id, audience: audience, rules: rules, slots: [slot]))
        let fabric = try eve.fabric(said, after: introduction.last, time: 8000)
        let words = Scribe.Entry(plain: [1], epoch: TestEpoch(id: id, key: key, audience: .event))
        let runs = [[fabric], [eve.write(words, after: nil)]].map { Run(travelling: $0) }
        let before = try world.founder.frontier()
        _ = try world.founder.merge(runs)
        #expect(try world.founder.hasKey(of: id))
        #expect(try tendKeys(world.founder, world))
        let own = { (frontier: Frontier) in frontier.entries.filter { $0.device == founder.name }.map(\.sequence) }
        #expect(try own(world.founder.frontier()) == own(before))
    }

    @Test func `a stolen device that was retired has its owner hand on no keys of its making`() throws {
        let world = try ConnectionWorld(seed: 274)
        let thief = world.event.scribe(identity: world.identity)
        let introduction = Run(travelling: try thief.introduction(by: nil))
        _ = try world.anna.merge([introduction])
        #expect(try tendKeys(world.anna, world.event))
        try world.anna.say(.retire(thief.own.name), at: 7000, world.event.randomness)
        #expect(try tendKeys(world.anna, world.event))
        let before = try ConnectionWorld.privateEpochs(of: world.anna, in: world.event)
        var written: [Delta] = []
        for _ in 0..<20 {
            let audience = Audience.own(world.anna.own.person)
            let key = TestEpoch(thief.randomness, event: thief.event, for: audience, by: thief.own.name)
            written += try write(key, by: thief, to: world.anna, after: written.last)
        }
        _ = try world.anna.merge([Run(travelling: written)])
        #expect(try tendKeys(world.anna, world.event))
        #expect(try ConnectionWorld.privateEpochs(of: world.anna, in: world.event) == before)
    }

    @Test func `words under the key of who was out open for later guests, whatever junk that one makes`() throws {
        let world = try PrivateWorld(seed: 275)
        let (bob, dora, founder) = (world.bob, world.dora, world.event.founder)
        let (eve, lost) = (world.event.scribe(), world.event.scribe())
        for scribe in [eve, lost] {
            let introduction = Run(travelling: try scribe.introduction(by: world.event.invitation))
            for reader in world.everybody { _ = try reader.merge([introduction]) }
        }
        let moment = try world.makeMoment(inviting: [dora])
        for guest in [eve, lost] { try world.say(.invite(guest.own.person, to: moment), by: bob, at: 5100) }
        try world.meet()
        // Bob has not heard of the removal, so that Eve's key is the only one that obeys it.
        try world.say(.remove(lost.own.person, keepsLinks: true), by: founder, at: 6000)
        try dora.receiveAll(from: founder)
        let obeyed = try concerns(dora, of: world.audience)
        let makeKey = {
            TestEpoch(eve.randomness, event: eve.event, for: world.audience, by: eve.own.name, obeying: obeyed)
        }
        let mine = makeKey()
        var written = try write(mine, by: eve, to: dora, after: nil)
        _ = try dora.merge([Run(travelling: written)])
        let words = try world.say(world.comment("In good faith", on: moment), by: dora, at: 6002)
        #expect(try dora.epoch(of: words) == mine.id)
        for _ in 0..<20 {
            var junk = makeKey()
            while mine.id < junk.id { junk = makeKey() }
            written += try write(junk, by: eve, to: bob, after: written.last)
        }
        try world.say(.uninvite(eve.own.person, from: moment), by: bob, at: 7000)
        _ = try bob.merge([Run(travelling: written)])
        try world.meet()
        while try !tendKeys(dora, world.event) {}
        try bob.receiveAll(from: dora)
        #expect(try bob.lines("In good faith").count == 1)
        try world.say(.invite(founder.own.person, to: moment), by: bob, at: 8000)
        #expect(try tendKeys(bob, world.event))
        try founder.receiveAll(from: bob)
        #expect(try founder.lines("In good faith").count == 1)
        let junk = Set(written.map(\.header.epoch)).subtracting([mine.id, .plaintext])
        #expect(try ConnectionWorld.privateEpochs(of: bob, in: world.event).isDisjoint(with: junk))
    }
}

extension Replica {
    /// Under which key an own delta is.
    fileprivate func epoch(of reference: Reference) throws -> EpochID? {
        let own = try runs(of: own.name, .content, after: [], byteLimit: .max).flatMap(\.deltas)
        return own.first { $0.reference == reference }?.header.epoch
    }

    /// Whether the key of an epoch is at hand.
    fileprivate func hasKey(of epoch: EpochID) throws -> Bool {
        try write(isDurable: false) { $0.memory.epochKeys[epoch] != nil }
    }
}

extension Bytes32 {
    fileprivate static func random(_ randomness: Randomness) -> Bytes32 {
        Bytes32(randomness.bytes(32)) ?? .zero
    }
}
