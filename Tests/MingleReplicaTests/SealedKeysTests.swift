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
        var time: Int64 = 5000
        /// Who looks after every step.
        let watcher: Replica

        init(seed: UInt64, watchesFounder: Bool) throws {
            world = try TestEvent(seed: seed)
            whims = SplitMix(seed: seed)
            let (phone, laptop) = try world.joinTwice()
            all = [world.founder, try world.join(), phone, laptop]
            links = [world.invitation]
            watcher = watchesFounder ? all[0] : all[1]
            try all.meet()
        }

        mutating func goOn() throws {
            time += Int64(whims.next() % 50)
            let now = Timestamp(milliseconds: time)
            let other = whims.pick(Array(all.dropFirst()))
            switch whims.next() % 12 {
            case 0, 1:
                all.append(
                    try world.join(identity: whims.chance(33) ? SigningKey(seed: world.randomness.secret()) : nil)
                )
            case 2, 3: try open(at: now)
            case 4: try tell(.close(whims.pick(links).id), at: now)
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

        private mutating func open(at now: Timestamp) throws {
            let keys = InvitationKeys(seed: world.randomness.secret())
            let expires = whims.chance(50) ? Timestamp(milliseconds: time + Int64(whims.next() % 100)) : nil
            let terms = InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey, expires: expires)
            links.append(keys)
            // Some come with their keys, and to some nobody sealed any.
            try tell(whims.chance(50) ? .open(terms) : .fabric(.invitation(terms)), at: now)
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

    private func isHanding(_ need: KeyNeed?) -> Bool { if case .handing? = need { true } else { false } }

    private func isRenewal(_ need: KeyNeed?) -> Bool { if case .renewal? = need { true } else { false } }
}
