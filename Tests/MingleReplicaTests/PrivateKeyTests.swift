// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Keys of private moments, with guests and people who are no guests any more among those who make and bring them.
struct PrivateKeyTests {
    private static let now = Timestamp(milliseconds: 9000)

    /// Eve has a modified node, and Bob invites her.
    private func invite(_ eve: Scribe, to moment: Reference, of world: PrivateWorld) throws -> Reference {
        let introduction = Run(travelling: try eve.introduction(by: world.event.invitation))
        for reader in world.everybody { _ = try reader.merge([introduction]) }
        let invite = try world.say(.invite(eve.keys.person, to: moment), by: world.bob)
        try world.meet()
        return invite
    }

    private func keys(_ replica: Replica, of world: PrivateWorld) throws -> Set<EpochID> {
        Set(try replica.epochKeys(of: world.audience).map(\.0))
    }

    /// The removals that somebody wrote.
    private func cuts(of replica: Replica) throws -> [Reference] {
        try replica.runs(of: replica.own.name, .fabric, after: [], byteLimit: .max).flatMap(\.deltas)
            .filter { delta in
                if case .cut? = delta.payload.flatMap({ try? FabricPayload(decoding: $0) }) { true } else { false }
            }
            .map(\.reference)
    }

    @Test func `a key that a guest made in advance is not written under once the guest is out`() throws {
        let world = try PrivateWorld(seed: 251)
        let moment = try world.makeMoment(inviting: [world.dora])
        let eve = world.event.scribe()
        let invite = try invite(eve, to: moment, of: world)
        // She obeys whatever she can guess of how she will be out, and seals it to Dora.
        let epoch = TestEpoch(
            world.event.randomness,
            event: world.event.event,
            for: world.audience,
            by: eve.own.name,
            obeying: [invite.hash, EpochMaking.concern(ofEnd: [0], of: invite)]
        )
        let dora = world.dora.own.agreement.publicKey
        let plain = try epoch.payload(from: eve.keys.agreement, to: dora, world.event.randomness)
        let made = Run(travelling: [eve.write(Scribe.Entry(plain: plain), after: nil)])
        for reader in [world.bob, world.dora] { _ = try reader.merge([made]) }
        #expect(try keys(world.dora, of: world).contains(epoch.id))
        let end = try world.say(.uninvite(eve.keys.person, from: moment), by: world.bob, at: 7000)
        // Dora hears of that, and Bob's new key is yet to come.
        try world.dora.receiveAll(from: world.bob) {
            $0.device == end.device && $0.journal == end.journal && $0.sequence > end.sequence
        }
        #expect(throws: ReplicaError.keyOutdated) {
            try world.say(world.comment("Among us", on: moment), by: world.dora, at: 8000)
        }
        // Whoever writes for everybody waits for none of that.
        #expect(try world.dora.isKeyOutdated(toWriteOn: moment) && !world.dora.isKeyOutdated())
        #expect(try !world.bob.isKeyOutdated(toWriteOn: moment))
        try world.dora.receiveAll(from: world.bob)
        #expect(try !world.dora.isKeyOutdated(toWriteOn: moment))
        try world.say(world.comment("Among us", on: moment), by: world.dora, at: 8000)
        let said = try world.dora.runs(of: world.dora.own.name, .content, after: [], byteLimit: .max).flatMap(\.deltas)
        #expect(said.last.map { $0.header.epoch != epoch.id } ?? false)
    }

    @Test func `a key that obeys an end of which a guest has not read is handed on to nobody`() throws {
        var world = try PrivateWorld(seed: 252)
        let identity = SigningKey(seed: world.event.randomness.secret())
        let phone = try world.event.join(identity: identity)
        let guest = try world.event.join()
        try world.meet(world.everybody + [phone, guest])
        let moment = try world.makeMoment(inviting: [world.carl, world.dora, phone, guest])
        try world.meet()
        let end = try world.say(.uninvite(world.carl.own.person, from: moment), by: world.bob, at: 7000)
        let (before, after) = (try keys(world.carl, of: world), try keys(world.bob, of: world))
        // Carl's node brings Dora the new key, and keeps back why it was made.
        try world.dora.receiveAll(from: world.bob, omitting: { $0 == end })
        #expect(try keys(world.dora, of: world) == after && before != after)
        let handed = try world.dora.handOnKeys(of: world.audience, at: Self.now, randomness: world.event.randomness)
        try world.carl.receiveAll(from: world.dora)
        #expect(try handed.runs.isEmpty && keys(world.carl, of: world) == before)
        // Nor does a key that she makes herself carry that one.
        let removal = Draft.remove(guest.own.person, keepsLinks: true)
        let founder = world.event.founder
        _ = try founder.author([removal], at: Timestamp(milliseconds: 7500), randomness: world.event.randomness)
        try world.dora.receiveAll(from: founder, omitting: { $0 == end })
        try world.say(.renew(world.audience), by: world.dora, at: 7600)
        try world.carl.receiveAll(from: world.dora)
        #expect(try keys(world.carl, of: world).isDisjoint(with: after.subtracting(before)))
        // Once she has read it she hands the key on, also if no key need obey it any more.
        try world.meet()
        try world.say(.invite(world.carl.own.person, to: moment), by: world.bob, at: 8000)
        let tablet = try world.event.join(identity: identity)
        try world.dora.receiveAll(from: world.bob)
        try world.dora.receiveAll(from: tablet)
        _ = try world.dora.handOnKeys(of: world.audience, at: Self.now, randomness: world.event.randomness)
        for other in [world.bob, world.dora] { try tablet.receiveAll(from: other) }
        #expect(try keys(tablet, of: world).isSuperset(of: after))
    }

    @Test func `what a guest handed on nobody hands on again, be it worked out anew or heard of with the key`() throws {
        var world = try PrivateWorld(seed: 254)
        let identity = SigningKey(seed: world.event.randomness.secret())
        let phone = try world.event.join(identity: identity)
        try world.meet(world.everybody + [phone])
        _ = try world.makeMoment(inviting: [world.dora, phone])
        try world.meet(world.everybody + [phone])
        let tablet = try world.event.join(identity: identity)
        try world.dora.receiveAll(from: tablet)
        func handsOn(_ replica: Replica) throws -> Bool {
            let now = Self.now
            return try !replica.handOnKeys(of: world.audience, at: now, randomness: world.event.randomness).runs.isEmpty
        }
        #expect(try handsOn(world.dora))
        #expect(try !handsOn(world.dora))
        _ = try world.dora.recompute()
        #expect(try !handsOn(world.dora))
        for other in [world.dora, world.bob, phone] { try tablet.receiveAll(from: other) }
        #expect(try !keys(tablet, of: world).isEmpty && !handsOn(tablet))
    }

    @Test func `the event's key is handed on to nobody while it obeys a removal that was not read`() throws {
        let world = try PrivateWorld(seed: 253)
        let founder = world.event.founder
        let removal = Draft.remove(world.carl.own.person, keepsLinks: true)
        _ = try founder.author([removal], at: Timestamp(milliseconds: 6000), randomness: world.event.randomness)
        let cut = try #require(try cuts(of: founder).first)
        let after = try founder.epochKeys().map(\.0)
        try world.dora.receiveAll(from: founder, omitting: { $0 == cut })
        #expect(try world.dora.epochKeys().map(\.0) == after)
        _ = try world.dora.handOnKeys(at: Self.now, randomness: world.event.randomness)
        try world.carl.receiveAll(from: world.dora)
        #expect(try world.carl.epochKeys().count == after.count - 1)
    }

    @Test func `nobody writes under a guest's key that obeys what nobody said, however much else it obeys`() throws {
        let world = try PrivateWorld(seed: 255)
        let moment = try world.makeMoment(inviting: [world.carl, world.dora])
        let eve = world.event.scribe()
        _ = try invite(eve, to: moment, of: world)
        let founder = world.event.founder
        let removal = Draft.remove(world.carl.own.person, keepsLinks: true)
        _ = try founder.author([removal], at: Timestamp(milliseconds: 7000), randomness: world.event.randomness)
        let cut = try #require(try cuts(of: founder).first)
        // Nobody would hand that key to who is invited later.
        var written: Delta?
        for obeyed in [[cut.hash, 7], [cut.hash]] as [[UInt64]] {
            let epoch = TestEpoch(
                world.event.randomness,
                event: world.event.event,
                for: world.audience,
                by: eve.own.name,
                obeying: obeyed
            )
            let dora = world.dora.own.agreement.publicKey
            let plain = try epoch.payload(from: eve.keys.agreement, to: dora, world.event.randomness)
            let delta = eve.write(Scribe.Entry(plain: plain), after: written)
            written = delta
            _ = try world.dora.merge([Run(travelling: [delta])])
            try world.dora.receiveAll(from: founder)
            #expect(try keys(world.dora, of: world).contains(epoch.id))
            #expect(try world.dora.isKeyOutdated(toWriteOn: moment) == (obeyed.count > 1))
        }
    }

    @Test(arguments: [false, true])
    func `many keys of low ids by a guest, or by who was one, do not keep the owner's from newcomers`(isOut: Bool)
        throws
    {
        let world = try PrivateWorld(seed: 254)
        let moment = try world.makeMoment(inviting: [world.carl])
        let eve = world.event.scribe()
        _ = try invite(eve, to: moment, of: world)
        if isOut { try world.say(.uninvite(eve.keys.person, from: moment), by: world.bob, at: 7000) }
        let own = try keys(world.bob, of: world)
        let lowest = try #require(own.map(\.bytes).min { $0.lexicographicallyPrecedes($1) })
        var written: [Delta] = []
        while written.count < 300 {
            let epoch = TestEpoch(
                world.event.randomness,
                event: world.event.event,
                for: world.audience,
                by: eve.own.name
            )
            guard epoch.id.bytes.lexicographicallyPrecedes(lowest) else { continue }
            let bob = world.bob.own.agreement.publicKey
            let plain = try epoch.payload(from: eve.keys.agreement, to: bob, world.event.randomness)
            written.append(eve.write(Scribe.Entry(plain: plain), after: written.last))
        }
        let length = Limits.runLength
        let runs = stride(from: 0, to: written.count, by: length)
            .map { Run(travelling: written[$0..<min($0 + length, written.count)]) }
        _ = try world.bob.merge(runs)
        #expect(try keys(world.bob, of: world).count == own.count + 300)
        try world.say(.invite(world.dora.own.person, to: moment), by: world.bob, at: 8000)
        try world.say(.renew(world.audience), by: world.bob, at: 8001)
        try world.meet()
        #expect(try world.dora.moment(moment).title == "Surprise" && keys(world.dora, of: world).isSuperset(of: own))
    }
}
