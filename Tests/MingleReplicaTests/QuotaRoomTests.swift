// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// What a person can still do whose words or keys are many.
struct QuotaRoomTests {
    /// Opens somebody's replica again, of whose person others keep so much.
    private func reopen(_ replica: Replica, at path: String, _ quota: Quota) throws -> Replica {
        try? replica.close()
        return try Replica(path: path, event: replica.event, own: replica.own, ownQuota: quota)
    }

    private func makeMoment(_ replica: Replica, _ world: TestEvent, inviting guests: [Replica]) throws -> Reference {
        let salt = world.randomness.bytes(Audience.saltLength)
        let moment = try replica.say(
            .create(
                .moment,
                on: .nothing,
                values: momentValues("Mine"),
                for: .guests(owner: replica.own.person, salt: salt)
            ),
            at: 5000,
            world.randomness
        )
        for guest in guests { try replica.say(.invite(guest.own.person, to: moment), at: 5001, world.randomness) }
        return moment
    }

    /// Bytes of keys that a device wrote.
    private func keys(of replica: Replica) throws -> Int {
        try replica.write(isDurable: false) { transaction in
            transaction.memory.devices[replica.own.name].map { transaction.usage(of: $0.id).keys } ?? 0
        }
    }

    // MARK: - Keys

    @Test func `what others have a device hand on leaves room for what its person does`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try PrivateWorld(seed: 916, doraPath: path)
        let post = try world.say(.create(.moment, on: .nothing, values: momentValues("Public")), by: world.bob)
        let (phone, laptop) = try world.event.joinTwice()
        let dora = try reopen(world.dora, at: path, Quota(words: 1 << 20, keys: 16_000))
        for other in [world.bob, world.carl, phone, laptop] { try dora.receiveAll(from: other) }
        // Carl pretends to know nothing of the laptop, so whoever does is to hand each of his keys on to it.
        _ = try world.carl.merge(phone.runs(of: phone.own.name, .fabric, after: [], byteLimit: .max))
        let trap = Audience.guests(
            owner: world.carl.own.person,
            salt: [UInt8](repeating: 1, count: Audience.saltLength)
        )
        let moment = try world.say(
            .create(.moment, on: .nothing, values: momentValues("Trap"), for: trap),
            by: world.carl
        )
        for guest in [dora, phone] { try world.say(.invite(guest.own.person, to: moment), by: world.carl) }
        for round in 0..<80 {
            try world.say(.renew(trap), by: world.carl, at: Int64(7000 + round))
            try dora.receiveAll(from: world.carl)
            while try world.fulfilKeyNeed(dora, at: 8000) {}
        }
        #expect(try keys(of: dora) > 4000 && keys(of: dora) < 8000)
        let report = Draft.set(.report, on: .record(post), values: ["reason": .number(1)])
        try world.say(report, by: dora, at: 9000)
        let own = try makeMoment(dora, world.event, inviting: [world.bob, world.carl])
        try world.say(.uninvite(world.carl.own.person, from: own), by: dora, at: 9001)
        try world.say(world.comment("Among us", on: own), by: dora, at: 9002)
        try world.bob.receiveAll(from: dora)
        #expect(try world.bob.lines("Among us").count == 1)
        try dora.close()
    }

    @Test func `somebody is uninvited whose owner can make no further key, and a guest makes it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try PrivateWorld(seed: 917, doraPath: path)
        let (bob, carl) = (world.bob, world.carl)
        let moment = try makeMoment(world.dora, world.event, inviting: [bob, carl])
        for guest in [bob, carl] { try guest.receiveAll(from: world.dora) }
        let used = try keys(of: world.dora)
        let dora = try reopen(world.dora, at: path, Quota(words: 1 << 20, keys: used))
        #expect(throws: ReplicaError.keyQuotaReached(used * 3 / 4)) {
            try makeMoment(dora, world.event, inviting: [])
        }
        try world.say(.uninvite(carl.own.person, from: moment), by: dora, at: 6000)
        // Nothing is written under a key that Carl has.
        #expect(throws: ReplicaError.self) { try world.say(world.comment("Too soon", on: moment), by: dora, at: 6001) }
        try bob.receiveAll(from: dora)
        while try world.fulfilKeyNeed(bob, at: 400_000) {}
        #expect(try keys(of: bob) > 0)
        try dora.receiveAll(from: bob)
        try world.say(world.comment("Among us", on: moment), by: dora, at: 400_001)
        for guest in [bob, carl] { try guest.receiveAll(from: dora) }
        try carl.receiveAll(from: bob)
        #expect(try bob.lines("Among us").count == 1 && carl.lines("Among us").isEmpty)
        try dora.close()
    }

    @Test func `somebody is uninvited whose owner can make no further key, also where a retired device made the last`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 924)
        let carl = try world.join()
        let (phone, laptop) = try world.joinTwice()
        for device in [phone, laptop] { try device.receiveAll(from: carl) }
        let moment = try makeMoment(phone, world, inviting: [carl])
        try laptop.receiveAll(from: phone)
        // What a retired device wrote does not count with the others'.
        _ = try makeMoment(laptop, world, inviting: [])
        try laptop.say(.retire(phone.own.name), at: 6000, world.randomness)
        try laptop.copy(to: path)
        let quota = Quota(words: 1 << 20, keys: 10)
        let owner = try Replica(path: path, event: world.event, own: laptop.own, ownQuota: quota)
        try owner.say(.uninvite(carl.own.person, from: moment), at: 7000, world.randomness)
        try carl.receiveAll(from: owner)
        #expect(throws: ReplicaError.self) {
            let comment = Draft.create(.comment, on: .record(moment), values: ["text": .text("Still here")])
            try carl.say(comment, at: 7001, world.randomness)
        }
        try owner.close()
    }

    @Test func `one after the other is uninvited whose owner can make no further key`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try PrivateWorld(seed: 920, doraPath: path)
        let guests = [world.bob, world.carl]
        let moment = try makeMoment(world.dora, world.event, inviting: guests)
        for guest in guests { try guest.receiveAll(from: world.dora) }
        let quota = Quota(words: 1 << 20, keys: try keys(of: world.dora))
        let dora = try reopen(world.dora, at: path, quota)
        for guest in guests { try world.say(.uninvite(guest.own.person, from: moment), by: dora, at: 6000) }
        for guest in guests {
            try guest.receiveAll(from: dora)
            #expect(throws: ReplicaError.self, "there is no part that could end again") {
                try world.say(.uninvite(guest.own.person, from: moment), by: dora, at: 6001)
            }
            #expect(throws: ReplicaError.self) {
                try world.say(world.comment("Still here", on: moment), by: guest, at: 6002)
            }
        }
        #expect(throws: ReplicaError.self) { try world.say(world.comment("Too soon", on: moment), by: dora, at: 6003) }
        try dora.close()
    }

    // MARK: - Words

    @Test func `who invites until no more is taken can take all of it back`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try PrivateWorld(seed: 918, doraPath: path)
        try world.say(.create(.place, on: .nothing, values: quayValues("Quay")), by: world.carl, at: 4000)
        let moment = try makeMoment(world.dora, world.event, inviting: [])
        let dora = try reopen(world.dora, at: path, Quota(words: 12_000, keys: 1 << 20))
        try dora.receiveAll(from: world.carl)
        let refusal = #expect(throws: ReplicaError.self) {
            for time in 6000..<7000 {
                try dora.say(.invite(world.carl.own.person, to: moment), at: Int64(time), world.event.randomness)
            }
        }
        #expect(refusal == .quotaReached(9000))
        try world.say(.uninvite(world.carl.own.person, from: moment), by: dora, at: 8000)
        #expect(throws: ReplicaError.self) { try world.say(.uninvite(world.carl.own.person, from: moment), by: dora) }
        #expect(try dora.isUsageCounted())
        try dora.close()
    }

    @Test func `whatever a person wrote, what takes something back is written`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try PrivateWorld(seed: 919, doraPath: path)
        let moment = try makeMoment(world.dora, world.event, inviting: [world.carl])
        let place = try world.say(.create(.place, on: .nothing, values: quayValues("Quay")), by: world.dora)
        let post = try world.say(.create(.moment, on: .nothing, values: momentValues("Public")), by: world.bob)
        try world.event.founder.receiveAll(from: world.dora)
        let level = Draft.setLevel(world.dora.own.person, .moderator)
        try world.say(level, by: world.event.founder, at: 7000)
        let dora = try reopen(world.dora, at: path, Quota(words: 1, keys: 1 << 20))
        for other in [world.bob, world.event.founder] { try dora.receiveAll(from: other) }
        #expect(throws: ReplicaError.quotaReached(0)) {
            try world.say(.create(.place, on: .nothing, values: quayValues("Quay 2")), by: dora, at: 8000)
        }
        let report = Draft.set(.report, on: .record(post), values: ["reason": .number(1)])
        let drafts: [Draft] = [
            .uninvite(world.carl.own.person, from: moment), .hide(post, because: "No"), report, .delete(place),
        ]
        for (number, draft) in drafts.enumerated() {
            #expect(throws: Never.self) { try world.say(draft, by: dora, at: Int64(9000 + number)) }
        }
        #expect(try dora.isUsageCounted())
        try dora.close()
    }
}
