// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Keys whose makers were out before they made them, as a cut says that nobody knew of who wrote under them.
struct VoidKeyTests {
    private func name(_ text: String) -> Draft { .set(.profile, on: .nothing, values: ["name": .text(text)]) }

    private func remove(_ replica: Replica, by host: Replica, _ world: TestEvent, at time: Int64) throws {
        let removal = Draft.remove(replica.own.person, keepsLinks: true)
        _ = try host.author([removal], at: Timestamp(milliseconds: time), randomness: world.randomness)
    }

    /// An event in which Bob wrote under Carl's key, and the founder had removed Carl before either heard of it.
    private func makeEvent(seed: UInt64) throws -> (world: TestEvent, bob: Replica, carl: Replica) {
        var world = try TestEvent(seed: seed)
        let all = try (0..<4).map { _ in try world.join() }
        for replica in all { try world.founder.receiveAll(from: replica) }
        for replica in all { try replica.receiveAll(from: world.founder) }
        let now = Timestamp(milliseconds: 5000)
        _ = try world.founder.author([.setLevel(all[2].own.person, .host)], at: now, randomness: world.randomness)
        for replica in all { try replica.receiveAll(from: world.founder) }
        // Neither host's key obeys both removals, so Carl, who is none, makes one.
        let guest = try world.join()
        for host in [world.founder, all[2]] { try host.receiveAll(from: guest) }
        try remove(all[3], by: world.founder, world, at: 6000)
        try remove(guest, by: all[2], world, at: 6000)
        for replica in all.prefix(2) {
            for host in [world.founder, all[2]] { try replica.receiveAll(from: host) }
        }
        let (bob, carl) = (all[0], all[1])
        _ = try carl.author([.renewKey], at: Timestamp(milliseconds: 7000), randomness: world.randomness)
        try bob.receiveAll(from: carl)
        try bob.say(name("In good faith"), at: 7001, world.randomness)
        try remove(carl, by: world.founder, world, at: 7000)
        try world.founder.receiveAll(from: all[2])
        _ = try world.founder.author([.renewKey], at: Timestamp(milliseconds: 7002), randomness: world.randomness)
        for replica in [carl, bob] { try world.founder.receiveAll(from: replica) }
        return (world, bob, carl)
    }

    private func newcomer(to world: TestEvent) throws -> Replica {
        let keys = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey)
        let now = Timestamp(milliseconds: 8500)
        _ = try world.founder.author([.open(terms)], at: now, randomness: world.randomness)
        let own = TestKeys(world.randomness).own(in: world.event, invitation: keys)
        return try Replica(path: nil, event: world.event, own: own)
    }

    // Found by the simulator (seed 1 with 20 peers for twenty hours), whose newcomer knew nobody but the key's maker.
    @Test func `whoever holds no key but one that obeys what is not known yet is told to try again`() throws {
        let world = try TestEvent(seed: 99)
        let keys = TestKeys(world.randomness)
        let bob = try Replica(path: nil, event: world.event, own: keys.own(in: world.event))
        try bob.receiveAll(from: world.founder)
        try bob.enter(keys, by: world.invitation, at: 2000, world.randomness)
        let carl = world.scribe()
        let arrival = try carl.introduction(by: world.invitation)
        let (id, made) = try carl.epoch(obeying: [42], sealedTo: bob.own, after: arrival[1])
        #expect(throws: ReplicaError.locked) { try bob.say(name("Bob"), at: 3000, world.randomness) }
        _ = try bob.merge([Run(arrival + [made])])
        #expect(try bob.epochKeys().map(\.0) == [id] && bob.hasKey())
        #expect(throws: ReplicaError.keyOutdated) { try bob.say(name("Bob"), at: 3000, world.randomness) }
    }

    // Found by the simulator (seed 5 with 20 peers for five hours): such words stayed locked for all who came later.
    @Test(arguments: [false, true])
    func `what was written in good faith under a removed person's key opens for newcomers`(isRenewed: Bool) throws {
        let (world, bob, carl) = try makeEvent(seed: 261)
        #expect(try world.founder.lines("In good faith").count == 1)
        if isRenewed {
            // Whoever makes the next key has it carry that one.
            let now = Timestamp(milliseconds: 8000)
            _ = try world.founder.author([.renewKey], at: now, randomness: world.randomness)
        }
        let reader = try newcomer(to: world)
        for member in [world.founder, carl, bob] { try reader.receiveAll(from: member) }
        #expect(try reader.lines("In good faith").count == 1)
    }

    @Test func `a removed person's key is handed on if others wrote under it`() throws {
        let (world, bob, carl) = try makeEvent(seed: 262)
        let invitation = InvitationKeys(seed: world.randomness.secret())
        let terms = InvitationTerms(id: invitation.id, agreementKey: invitation.agreement.publicKey)
        let now = Timestamp(milliseconds: 8000)
        _ = try world.founder.author([.fabric(.invitation(terms))], at: now, randomness: world.randomness)
        let keys = TestKeys(world.randomness)
        let late = try Replica(path: nil, event: world.event, own: keys.own(in: world.event, invitation: invitation))
        try late.receiveAll(from: world.founder)
        try late.enter(keys, by: invitation, at: 8000, world.randomness)
        try world.founder.receiveAll(from: late)
        guard case .handing? = try world.founder.keyNeed(at: now) else { return #expect(Bool(false), "none is needed") }
        _ = try world.founder.handOnKeys(at: now, randomness: world.randomness)
        #expect(try world.founder.keyNeed(at: now) == nil)
        for member in [world.founder, carl, bob] { try late.receiveAll(from: member) }
        #expect(try late.lines("In good faith").count == 1)
        #expect(try late.keyNeed(at: now) == nil)
    }

    @Test func `a removed person's key under which nobody else wrote is handed on to nobody`() throws {
        var world = try TestEvent(seed: 263)
        let (bob, carl) = (try world.join(), try world.join())
        for replica in [bob, carl] { try world.founder.receiveAll(from: replica) }
        for replica in [bob, carl] { try replica.receiveAll(from: world.founder) }
        try remove(carl, by: world.founder, world, at: 6000)
        for time in 0..<40 as Range<Int64> {
            _ = try carl.author([.renewKey], at: Timestamp(milliseconds: 7000 + time), randomness: world.randomness)
            try carl.say(name("I \(time)"), at: 7000 + time, world.randomness)
        }
        for reader in [world.founder, bob] { try reader.receiveAll(from: carl) }
        let now = Timestamp(milliseconds: 8000)
        _ = try world.founder.author([.renewKey], at: now, randomness: world.randomness)
        let own = try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max)
        let made = own.flatMap(\.deltas).compactMap(\.payload).compactMap { payload -> EpochSlots? in
            if case .epoch(let epoch)? = try? FabricPayload(decoding: payload) { epoch } else { nil }
        }
        // The key that the removal made and, through that, the first one.
        #expect(made.last?.making?.carried.count == 1)
        #expect(try world.founder.keyNeed(at: now) == nil)
    }
}
