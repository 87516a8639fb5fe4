// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleWire
import TestSupport
import Testing

@testable import MingleReplica

/// That who lacks a key is found by looking only at those of whom something changed.
struct SealedKeysTests {
    /// An event to which all kinds of things happen that matter for who lacks a key.
    private struct Story {
        var world: TestEvent
        var whims: SplitMix
        var all: [Replica]
        var links: [InvitationKeys]
        var identities: [SigningKey]
        var time: Int64 = 5000
        /// Who looks after every step.
        let watcher: Replica

        init(seed: UInt64, watchesFounder: Bool) throws {
            world = try TestEvent(seed: seed)
            whims = SplitMix(seed: seed)
            let (phone, laptop) = try world.joinTwice()
            let identity = SigningKey(seed: world.randomness.secret())
            (identities, links) = ([identity], [world.invitation])
            all = [world.founder, try world.join(identity: identity), phone, laptop]
            watcher = watchesFounder ? all[0] : all[1]
            try all.meet()
        }

        mutating func goOn() throws {
            time += Int64(whims.next() % 50)
            let now = Timestamp(milliseconds: time)
            let other = whims.pick(Array(all.dropFirst()))
            switch whims.next() % 12 {
            case 0: all.append(try world.join(identity: newcomer()))
            // Somebody who is here brings another device.
            case 1: try link(at: now)
            case 2, 3: try open(by: whims.pick(all), at: now)
            case 4: try tell(.close(whims.pick(links).id), by: whims.pick(all), at: now)
            case 5: try tell(.setLevel(other.own.person, whims.pick([.host, .attendee, .guest])), at: now)
            case 6: try tell(.remove(other.own.person, keepsLinks: true), at: now)
            case 7: try tell(.fabric(.wrongSlots(by: all[0].own.name)), by: other, at: now)
            case 8: try tell(.renewKey, at: now)
            case 9: _ = try? all[0].handOnKeys(at: now, randomness: world.randomness)
            case 10: _ = try? other.handOnKeys(at: now, randomness: world.randomness)
            default: _ = try? all[2].retire(all[3].own.name, at: now, randomness: world.randomness)
            }
            try [watcher, all[0], other].meet()
            try [watcher, whims.pick(all)].meet()
        }

        private mutating func newcomer() -> SigningKey {
            let identity = SigningKey(seed: world.randomness.secret())
            identities.append(identity)
            return identity
        }

        private mutating func link(at now: Timestamp) throws {
            let keys = TestKeys(world.randomness, identity: whims.pick(identities))
            let device = try Replica(path: nil, event: world.event, own: keys.own(in: world.event))
            try device.receiveAll(from: all[0])
            let certificate = Draft.fabric(.certificate(keys.certificate(in: world.event)))
            _ = try device.author([certificate], at: now, randomness: world.randomness)
            all.append(device)
        }

        private mutating func open(by host: Replica, at now: Timestamp) throws {
            let keys = InvitationKeys(seed: world.randomness.secret())
            let expires = whims.chance(50) ? Timestamp(milliseconds: time + Int64(whims.next() % 100)) : nil
            let terms = InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey, expires: expires)
            links.append(keys)
            // Some come with their keys, and to some nobody sealed any.
            try tell(whims.chance(50) ? .open(terms) : .fabric(.invitation(terms)), by: host, at: now)
        }

        /// What may not be said is not said.
        private func tell(_ draft: Draft, by replica: Replica? = nil, at now: Timestamp) throws {
            do {
                _ = try (replica ?? all[0]).author([draft], at: now, randomness: world.randomness)
            } catch is ReplicaError {}
        }
    }

    @Test(arguments: [true, false])
    func `who looks after every step finds what who looks for the first time finds`(watchesFounder: Bool) throws {
        var found: [KeyNeed?] = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var story = try Story(seed: seed, watchesFounder: watchesFounder)
            for step in 0..<24 {
                try story.goOn()
                // Clocks are set back, too.
                let now = Timestamp(milliseconds: story.time - Int64(story.whims.next() % 60))
                let need = try story.watcher.keyNeed(at: now)
                try story.watcher.write(isDurable: false) { $0.memory.sealedKeys.forget() }
                #expect(try story.watcher.keyNeed(at: now) == need, "seed \(seed), step \(step)")
                // Else nobody would look anew again.
                if story.whims.chance(75) { _ = try story.watcher.keyNeed(at: now) }
                found.append(need)
            }
        }
        #expect(found.contains(nil))
        for isAsked in [isHanding, isRenewal] { #expect(found.contains(where: isAsked)) }
    }

    private static let now = Timestamp(milliseconds: 9000)

    /// Opens an invitation to which nobody seals a key.
    private func open(by host: Replica, asks: Bool = false, _ world: TestEvent) throws -> InvitationKeys {
        let keys = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey, asks: asks)
        _ = try host.author([.fabric(.invitation(terms))], at: Self.now, randomness: world.randomness)
        return keys
    }

    @Test func `an invitation lacks keys once it is open, and once a cut is lifted that it stood behind`() throws {
        var world = try TestEvent(seed: 151)
        let (founder, bob) = (world.founder, try world.join())
        func setLevel(_ level: Level) throws {
            try founder.say(.setLevel(bob.own.person, level), at: 9000, world.randomness)
        }
        try founder.receiveAll(from: bob)
        _ = try founder.handOnKeys(at: Self.now, randomness: world.randomness)
        try setLevel(.host)
        #expect(try founder.keyNeed(at: Self.now) == nil)
        _ = try open(by: founder, world)
        #expect(try isHanding(founder.keyNeed(at: Self.now)))
        _ = try founder.handOnKeys(at: Self.now, randomness: world.randomness)
        try bob.receiveAll(from: founder)
        _ = try open(by: bob, world)
        try setLevel(.attendee)
        try founder.receiveAll(from: bob)
        #expect(try founder.keyNeed(at: Self.now) == nil)
        try setLevel(.host)
        #expect(try isHanding(founder.keyNeed(at: Self.now)))
    }

    @Test func `a device lacks keys that comes anew by an invitation without them`() throws {
        var world = try TestEvent(seed: 152)
        let (founder, bob) = (world.founder, try world.join())
        try founder.receiveAll(from: bob)
        _ = try founder.handOnKeys(at: Self.now, randomness: world.randomness)
        // To those who come by it nobody seals a key before a host lets them in.
        let keys = try open(by: founder, asks: true, world)
        #expect(try founder.keyNeed(at: Self.now) == nil)
        let statement = FabricPayload.admissionStatement(event: world.event, person: bob.own.person)
        let admission = FabricPayload.admission(invitation: keys.id, signature: keys.signing.sign(statement))
        _ = try bob.author([.fabric(admission)], at: Self.now, randomness: world.randomness)
        try founder.receiveAll(from: bob)
        #expect(try isHanding(founder.keyNeed(at: Self.now)))
    }

    private func isHanding(_ need: KeyNeed?) -> Bool { if case .handing? = need { true } else { false } }

    private func isRenewal(_ need: KeyNeed?) -> Bool { if case .renewal? = need { true } else { false } }
}
