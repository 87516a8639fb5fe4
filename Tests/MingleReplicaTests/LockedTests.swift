// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Keys that do not come, and keys that claim to be others.
struct LockedTests {
    /// Eve makes a key for Carl alone, and says something under it.
    private struct Scene {
        var world: TestEvent
        let bob: Replica
        let carl: Replica
        let eve: Scribe
        let epoch: TestEpoch
        let runs: [Run]

        init(seed: UInt64) throws {
            var world = try TestEvent(seed: seed)
            (bob, carl) = (try world.join(), try world.join())
            eve = world.scribe()
            let key = world.randomness.secret()
            let audience = EpochSlots.eventAudience(world.event)
            let earlier = [EpochMaking.Key(world.epoch.key, rules: nil)]
            let making = EpochMaking(obeys: [] as [UInt64], carried: EpochMaking.carry(earlier, under: key))
            let rules = making.rules(maker: eve.own.name)
            let id = EpochSlots.id(key: key, event: world.event, audience: audience, rules: rules)
            epoch = TestEpoch(id: id, key: key, audience: .event)
            let slot = try EpochSlots.slot(
                key: key,
                epoch: id,
                label: carl.own.name.raw.prefix,
                author: eve.own.agreement,
                recipient: carl.own.agreement.publicKey
            )
            let slots = EpochSlots(id: id, audience: audience, rules: rules, slots: [slot], making: making)
            let introduction = try eve.introduction(by: world.invitation)
            let made = try eve.fabric(.epoch(slots), after: introduction[1])
            var entry = try world.entry(.place, [Change(field: 1, value: .text("Roof"))], time: 4000)
            entry.epoch = epoch
            runs = [Run(travelling: introduction + [made]), Run(travelling: [eve.write(entry, after: nil)])]
            self.world = world
            for reader in [bob, carl] {
                for other in [bob, carl] where other !== reader { try reader.receiveAll(from: other) }
                _ = try reader.merge(runs)
            }
        }
    }

    @Test func `what stands behind a removal is not locked, and is again once the removal is lifted`() throws {
        let scene = try Scene(seed: 248)
        let founder = scene.world.founder
        // The founder knows all, but none of what Eve said.
        _ = try founder.merge([scene.runs[0]])
        let bob = scene.bob.own.name
        _ = try founder.merge(scene.bob.runs(of: bob, .fabric, after: [], byteLimit: 1 << 20))
        #expect(try scene.bob.locked().map(\.count) == [1])
        let (eve, randomness) = (scene.eve.keys.person, scene.world.randomness)
        try founder.say(.remove(eve, keepsLinks: true), at: 5000, randomness)
        try scene.bob.receiveAll(from: founder)
        #expect(try scene.bob.locked().isEmpty && scene.bob.level(of: scene.bob.own.person) == .attendee)
        try founder.say(.setLevel(eve, .attendee), at: 6000, randomness)
        try scene.bob.receiveAll(from: founder)
        #expect(try scene.bob.locked().map(\.count) == [1])
    }

    @Test func `whoever says that a slot does not open is not named as one who can unlock it`() throws {
        let scene = try Scene(seed: 247)
        let said = Draft.fabric(.wrongSlots(by: scene.eve.own.name))
        let now = Timestamp(milliseconds: 5000)
        _ = try scene.carl.author([said], at: now, randomness: scene.world.randomness)
        try scene.bob.receiveAll(from: scene.carl)
        let unlockers = try #require(try scene.bob.locked().first).unlockers.map(\.id)
        #expect(unlockers == [scene.eve.keys.person])
    }

    @Test func `what is sealed under a key that never came shows as locked, with who can unlock it`() throws {
        let scene = try Scene(seed: 241)
        let locked = try #require(try scene.bob.locked().first)
        #expect(locked.author.id == scene.eve.keys.person && locked.count == 1 && locked.latest == 4000)
        let unlockers = [scene.eve.keys.person, scene.carl.own.person]
        #expect(locked.unlockers.map(\.id) == unlockers)
        #expect(try scene.carl.locked().isEmpty)
        let said = scene.runs[1].deltas[0].reference
        #expect(try scene.bob.holds([said]) == [true] && scene.bob.readable([said]).isEmpty)
        #expect(try scene.carl.readable([said]) == [said])
        // Carl's node notices and hands the key on.
        let now = Timestamp(milliseconds: 5000)
        _ = try scene.carl.handOnKeys(at: now, randomness: scene.world.randomness)
        try scene.bob.receiveAll(from: scene.carl)
        #expect(try scene.bob.locked().isEmpty && scene.bob.epochKeys().map(\.0).contains(scene.epoch.id))
        #expect(try scene.bob.readable([said]) == [said])
    }

    /// Found by the simulator, seed 17 of calm worlds.
    @Test func `a device gets a key that is sealed only to an invitation by which another one of its person came`()
        throws
    {
        var world = try TestEvent(seed: 245)
        let identity = SigningKey(seed: world.randomness.secret())
        let phone = try world.join(identity: identity)
        let now = Timestamp(milliseconds: 5000)
        let later = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: later.id, agreementKey: later.agreement.publicKey)
        _ = try world.founder.author([.open(terms)], at: now, randomness: world.randomness)
        try phone.receiveAll(from: world.founder)
        let admission = world.scribe(identity: identity).admission(by: later)
        _ = try phone.author([.fabric(admission)], at: now, randomness: world.randomness)
        try world.founder.receiveAll(from: phone)
        _ = try world.founder.author([.close(world.invitation.id), .renewKey], at: now, randomness: world.randomness)
        // A machine with yesterday's backup, which knows the earlier invitation only.
        let laptop = try world.join(identity: identity)
        #expect(try laptop.locked().isEmpty && laptop.isKeyOutdated())
        try world.founder.receiveAll(from: laptop)
        guard case .handing? = try world.founder.keyNeed(at: now) else {
            return #expect(Bool(false), "nobody lacks a key")
        }
        _ = try world.founder.handOnKeys(at: now, randomness: world.randomness)
        #expect(try world.founder.keyNeed(at: now) == nil)
        try laptop.receiveAll(from: world.founder)
        #expect(try !laptop.isKeyOutdated())
    }

    @Test func `who was removed is not told of what is locked since`() throws {
        let scene = try Scene(seed: 242)
        let removal = Draft.remove(scene.bob.own.person, keepsLinks: true)
        let now = Timestamp(milliseconds: 5000)
        try scene.world.founder.receiveAll(from: scene.bob)
        _ = try scene.world.founder.author([removal], at: now, randomness: scene.world.randomness)
        try scene.bob.receiveAll(from: scene.world.founder)
        #expect(try scene.bob.locked().isEmpty)
    }

    @Test(arguments: [false, true])
    func `nobody makes what is private pass for something that is locked for everybody`(liesFirst: Bool) throws {
        let world = try PrivateWorld(seed: 244)
        let moment = try world.makeMoment(inviting: [world.carl])
        let id = try #require(try world.bob.epochKeys(of: world.audience).first?.0)
        // Whoever carries a header reads the epoch's id in it.
        let mallory = world.event.scribe()
        let claim = EpochSlots(
            id: id,
            audience: EpochSlots.eventAudience(world.event.event),
            slots: [world.event.randomness.bytes(EpochSlots.slotLength)]
        )
        let introduction = try mallory.introduction(by: world.event.invitation)
        let lie = Run(travelling: introduction + [try mallory.fabric(.epoch(claim), after: introduction[1])])
        if liesFirst { _ = try world.dora.merge([lie]) }
        try world.dora.receiveAll(from: world.bob)
        if !liesFirst { _ = try world.dora.merge([lie]) }
        #expect(try world.dora.locked().isEmpty)
        // A door opens nothing private, and knows all the same what is.
        let door = try Replica(path: nil, event: world.event.event, own: world.dora.own.asDoor)
        if liesFirst { _ = try door.merge([lie]) }
        for member in [world.dora, world.bob] { try door.receiveAll(from: member) }
        if !liesFirst { _ = try door.merge([lie]) }
        #expect(try door.locked().isEmpty)
        #expect(throws: ReplicaError.self) { try world.dora.moment(moment) }
    }

    @Test(arguments: [false, true])
    func `nobody makes a key that the removed has pass for one that obeys the removal`(liesFirst: Bool) throws {
        let scene = try Scene(seed: 243)
        let world = scene.world
        for member in [scene.bob, scene.carl] { try world.founder.receiveAll(from: member) }
        let removal = Draft.remove(scene.carl.own.person, keepsLinks: true)
        let now = Timestamp(milliseconds: 5000)
        _ = try world.founder.author([removal], at: now, randomness: world.randomness)
        let cut = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max)
            .flatMap(\.deltas).first { delta in
                if case .cut? = delta.payload.flatMap({ try? FabricPayload(decoding: $0) }) { true } else { false }
            }
        // Mallory helps Carl, and says it earlier in a journal than Eve made the key in hers.
        let mallory = world.scribe()
        let claim = EpochMaking(obeys: [try #require(cut).reference.hash], carried: [])
        let lie = EpochSlots(
            id: scene.epoch.id,
            audience: EpochSlots.eventAudience(world.event),
            rules: claim.rules(maker: mallory.own.name),
            slots: [],
            making: claim
        )
        let certificate = try mallory.introduction(by: nil)[0]
        let second = try mallory.fabric(.epoch(lie), after: certificate)
        let third = try mallory.fabric(mallory.admission(by: world.invitation), after: second)
        let lying = Run(travelling: [certificate, second, third])
        // The founder's new key is the only clean one, and this reader has no slot of it.
        let outdated = try world.reader(hasInvitation: false)
        for run in liesFirst ? [lying] + scene.runs : scene.runs + [lying] { _ = try outdated.merge([run]) }
        _ = try outdated.hold(scene.epoch.key, of: scene.epoch.id)
        #expect(try outdated.isKeyOutdated())
        _ = try outdated.recompute()
        #expect(try outdated.isKeyOutdated())
    }
}
