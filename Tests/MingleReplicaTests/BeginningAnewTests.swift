// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// A founder whose disk lost the event's key, and who goes on as another device.
struct BeginningAnewTests {
    private let world: TestEvent
    private let guest: Replica
    /// The founder's new device, which holds how the event began and no key that it can open.
    private let anew: Replica
    private let now = Timestamp(milliseconds: 9000)
    /// The founder's, which is on every device.
    private let identity = SigningKey(seed: Randomness.seeded(71).secret())

    init() throws {
        var world = try TestEvent(seed: 72, identity: identity)
        guest = try world.join()
        try world.founder.receiveAll(from: guest)
        try guest.say(.create(.moment, on: .nothing, values: momentValues("Cheers")), at: 3000, world.randomness)
        let keys = TestKeys(world.randomness, identity: identity)
        anew = try Replica(path: nil, event: world.event, own: keys.own(in: world.event))
        let founding = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: 1)
        _ = try anew.merge(founding)
        let certificate = Draft.fabric(.certificate(keys.certificate(in: world.event)))
        _ = try anew.author([certificate], at: now, randomness: world.randomness)
        self.world = world
    }

    @Test func `a founder who has lost every key may make another one, and invite and share again`() throws {
        #expect(try anew.keyNeed(at: now) == .beginning)
        let invitation = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        #expect(throws: ReplicaError.locked) { try anew.author([.open(terms)], at: now, randomness: world.randomness) }
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        #expect(try anew.keyNeed(at: now) == nil)
        _ = try anew.author([.open(terms)], at: now, randomness: world.randomness)
        try anew.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 9100, world.randomness)
        let keys = TestKeys(world.randomness)
        let own = keys.own(in: world.event, invitation: invitation)
        let newcomer = try Replica(path: nil, event: world.event, own: own)
        try newcomer.receiveAll(from: anew)
        try newcomer.enter(keys, by: invitation, at: 9200, world.randomness)
        #expect(try newcomer.dump().filter { $0.hasPrefix("moment") }.count == 1)
    }

    @Test func `a key that was only thought lost joins the one made meanwhile, and all read all`() throws {
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        try anew.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 9100, world.randomness)
        let all = [anew, guest, world.founder]
        for _ in 0..<4 {
            for replica in all {
                for other in all where other !== replica { try replica.receiveAll(from: other) }
                _ = try replica.handOnKeys(at: now, randomness: world.randomness)
            }
        }
        let dumps = try all.map { try $0.dump() }
        #expect(dumps[0] == dumps[1] && dumps[1] == dumps[2])
        #expect(try all.allSatisfy { try $0.epochKeys().count == 2 })
        #expect(dumps[0].contains { $0.hasPrefix("moment") } && dumps[0].contains { $0.contains("Cheers") })
    }

    @Test func `a private key, or one that nobody is known to have made, keeps no founder from it`() throws {
        let lost = TestEpoch(world.randomness, event: world.event)
        _ = try anew.hold(lost.key, of: lost.id)
        _ = try anew.author([.renew(.own(anew.own.person))], at: now, randomness: world.randomness)
        #expect(try anew.keyNeed(at: now) == .beginning)
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        try anew.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 9100, world.randomness)
    }

    @Test func `a key made anew gives way at once to one that is not for somebody who was removed`() throws {
        try world.founder.say(.remove(guest.own.person, keepsLinks: true), at: 4000, world.randomness)
        try anew.receiveAll(from: world.founder)
        #expect(try anew.removal(of: guest.own.person) != nil && anew.keyNeed(at: now) == .beginning)
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        // The first key obeys nothing, so that one is due that does.
        guard case .renewal(.event, _)? = try anew.keyNeed(at: now) else {
            Issue.record("\(String(describing: try anew.keyNeed(at: now))) is due")
            return
        }
        #expect(try anew.isKeyOutdated())
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        #expect(try !anew.isKeyOutdated())
        try anew.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 9100, world.randomness)
        try guest.receiveAll(from: anew)
        #expect(try anew.dump().contains { $0.hasPrefix("moment") })
        // What the guest said itself is cut.
        #expect(try !guest.dump().contains { $0.hasPrefix("moment") })
        #expect(try anew.epochKeys().count == 2)
        #expect(try Set(anew.epochKeys().map(\.0)).isDisjoint(with: guest.epochKeys().map(\.0)))
    }

    @Test func `an attendee's key that obeys what nobody has said keeps no founder from it`() throws {
        let old = world.founder
        _ = try anew.merge(old.runs(of: old.own.name, .fabric, after: [], byteLimit: .max))
        let eve = world.scribe()
        let introduction = try eve.introduction(by: world.invitation)
        let (id, key) = try eve.epoch(obeying: [42], sealedTo: anew.own, after: introduction[1])
        _ = try anew.merge([Run(travelling: introduction + [key])])
        #expect(try anew.level(of: eve.own.person) == .attendee)
        #expect(try anew.epochKeys().map(\.0) == [id])
        #expect(try anew.keyNeed(at: now) == .beginning)
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        #expect(try anew.keyNeed(at: now) != .beginning)
        try anew.say(.create(.moment, on: .nothing, values: MergeTests.party), at: 9100, world.randomness)
        // Who has the first key as well reads that, and knows of nothing that it would have to obey.
        _ = try anew.handOnKeys(at: now, randomness: world.randomness)
        try old.receiveAll(from: anew)
        #expect(try old.dump().contains { $0.hasPrefix("moment") })
    }

    @Test(arguments: [1, 1000])
    func `hosts' keys that obey what nobody has said keep no founder from it`(count: Int) throws {
        let (old, eve) = (world.founder, world.scribe())
        let introduction = try eve.introduction(by: world.invitation)
        _ = try old.merge([Run(travelling: introduction)])
        try old.say(.setLevel(eve.own.person, .host), at: 3000, world.randomness)
        _ = try anew.merge(old.runs(of: old.own.name, .fabric, after: [], byteLimit: .max))
        var deltas = introduction
        var ids: Set<EpochID> = []
        for _ in 0..<count {
            let (id, delta) = try eve.epoch(obeying: [42], sealedTo: anew.own, after: deltas[deltas.count - 1])
            deltas.append(delta)
            ids.insert(id)
        }
        for start in stride(from: 0, to: deltas.count, by: Limits.runLength) {
            _ = try anew.merge([Run(travelling: deltas[start..<min(start + Limits.runLength, deltas.count)])])
        }
        #expect(try anew.level(of: eve.own.person) == .host && anew.epochKeys().count == count)
        #expect(try anew.keyNeed(at: now) == .beginning)
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        let own = try #require(try anew.epochKeys().map(\.0).first { !ids.contains($0) })
        // Nobody can choose where a key stands among so many; here more stand before it than are looked at.
        #expect(count == 1 || ids.count { $0 < own } > 256)
        #expect(try anew.keyNeed(at: now) != .beginning)
        let invitation = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        _ = try anew.author([.open(terms)], at: now, randomness: world.randomness)
    }

    @Test func `a private key that is to be handed on keeps no founder from it`() throws {
        _ = try anew.author([.renew(.own(anew.own.person))], at: now, randomness: world.randomness)
        let keys = TestKeys(world.randomness, identity: identity)
        let phone = try Replica(path: nil, event: world.event, own: keys.own(in: world.event))
        try phone.receiveAll(from: anew)
        let certificate = Draft.fabric(.certificate(keys.certificate(in: world.event)))
        _ = try phone.author([certificate], at: now, randomness: world.randomness)
        try anew.receiveAll(from: phone)
        #expect(try anew.keyNeed(at: now) == .beginning)
        _ = try anew.author([.renew(.event)], at: now, randomness: world.randomness)
        #expect(try anew.keyNeed(at: now)?.audience == .own(anew.own.person))
    }

    @Test func `a founder waits a minute, and makes no key if one has come meanwhile`() throws {
        let duty = try #require(try anew.keyDuty(at: now))
        #expect(duty.need == .beginning && duty.pause == .seconds(60))
        try anew.receiveAll(from: world.founder)
        try anew.receiveAll(from: guest)
        for member in [world.founder, guest] {
            try member.receiveAll(from: anew)
            _ = try member.handOnKeys(at: now, randomness: world.randomness)
            try anew.receiveAll(from: member)
        }
        #expect(try anew.hasKey())
        #expect(try anew.fulfil(duty, at: now, randomness: world.randomness) == nil)
        #expect(try anew.epochKeys().count == 1)
    }

    @Test func `who came by an invitation that every disk lost waits for the founder, and for nobody else`() throws {
        let scribe = world.scribe()
        let introduction = Run(travelling: try scribe.introduction(by: InvitationKeys(seed: world.randomness.secret())))
        for replica in [anew, guest] { _ = try replica.merge([introduction]) }
        let waiting = try anew.waitingPeople()
        #expect(waiting.map(\.id) == [scribe.own.person] && waiting[0].invitedTo == nil)
        #expect(try guest.waitingPeople().isEmpty)
        _ = try anew.setLevel(of: scribe.own.person, to: .attendee, at: now, randomness: world.randomness)
        #expect(try anew.waitingPeople().isEmpty && anew.level(of: scribe.own.person) == .attendee)
    }

    @Test func `nobody else begins anew, and no founder who holds a key`() throws {
        #expect(try world.founder.keyNeed(at: now) != .beginning)
        let own = TestKeys(world.randomness).own(in: world.event)
        let stranger = try Replica(path: nil, event: world.event, own: own)
        try stranger.receiveAll(from: world.founder)
        #expect(try stranger.keyNeed(at: now) == nil)
        #expect(throws: ReplicaError.locked) {
            try stranger.author([.renew(.event)], at: now, randomness: world.randomness)
        }
    }

    @Test func `a guest without a key waits for one`() throws {
        let keys = TestKeys(world.randomness)
        let guest = try Replica(path: nil, event: world.event, own: keys.own(in: world.event))
        try guest.receiveAll(from: world.founder)
        try guest.enter(keys, by: world.invitation, at: 2000, world.randomness)
        #expect(try guest.keyNeed(at: now) == nil)
        #expect(throws: ReplicaError.locked) {
            try guest.author([.renew(.event)], at: now, randomness: world.randomness)
        }
    }
}
