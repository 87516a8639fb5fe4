// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// What a stolen device can use up of what others keep of its person.
struct QuotaTheftTests {
    /// A stolen phone that writes on, its owner's laptop, and somebody who keeps little of one person.
    private struct Theft {
        var world: TestEvent
        let phone, laptop, bob: Replica

        init(seed: UInt64, laptopPath: String? = nil) throws {
            world = try TestEvent(seed: seed)
            (phone, laptop) = try world.joinTwice()
            let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
            bob = try Replica(path: nil, event: world.event, own: own, quota: Quota(words: 2000))
            for other in [world.founder, laptop, phone] { try bob.receiveAll(from: other) }
            for number in 0..<40 { try say("Stolen \(number)", by: phone) }
        }

        @discardableResult
        func say(_ name: String, by replica: Replica) throws -> Reference {
            try replica.say(.create(.place, on: .nothing, values: quayValues(name)), at: 3000, world.randomness)
        }
    }

    @Test func `a stolen device uses up its own quota, and once it is retired nobody else's`() throws {
        let theft = try Theft(seed: 920)
        let (laptop, bob) = (theft.laptop, theft.bob)
        try bob.receiveAll(from: theft.phone)
        let before = try theft.say("Mine before", by: laptop)
        try bob.receiveAll(from: laptop)
        #expect(try bob.holds([before]) == [false] && bob.beyondQuota().count == 1)
        try laptop.say(.retire(theft.phone.own.name), at: 4000, theft.world.randomness)
        let after = try theft.say("Mine after", by: laptop)
        try bob.receiveAll(from: laptop)
        #expect(try bob.holds([after]) == [true])
        _ = try bob.reviewQuota()
        try bob.receiveAll(from: laptop)
        #expect(try bob.lines("Mine").count == 2 && bob.isUsageCounted())
    }

    @Test func `a stolen device that was retired before it was heard of uses up its own quota, too`() throws {
        var world = try TestEvent(seed: 925)
        let identity = SigningKey(seed: world.randomness.secret())
        let owner = try world.join(identity: identity)
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let bob = try Replica(path: nil, event: world.event, own: own, quota: Quota(words: 1000))
        let device = world.scribe(identity: identity)
        let introduction = Run(travelling: try device.introduction(by: nil))
        _ = try owner.merge([introduction])
        try owner.say(.retire(device.own.name), at: 4000, world.randomness)
        let before = try owner.say(
            .create(.place, on: .nothing, values: quayValues("Mine")),
            at: 4500,
            world.randomness
        )
        try bob.receiveAll(from: world.founder)
        for journal in [Journal.fabric, .content] {
            _ = try bob.merge(owner.runs(of: owner.own.name, journal, after: [], byteLimit: .max))
        }
        _ = try bob.merge([introduction])
        let change = Change(field: 1, value: .text(String(repeating: "x", count: 800)))
        let words = device.write(try world.entry(.comment, [change]), after: nil)
        _ = try bob.merge([Run(travelling: [words])])
        let mine = try owner.say(.create(.place, on: .nothing, values: quayValues("Mine")), at: 5000, world.randomness)
        try bob.receiveAll(from: owner)
        #expect(try bob.holds([before, words.reference, mine]) == [true, true, true])
    }

    @Test func `who has retired a stolen device that wrote too much goes on writing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let theft = try Theft(seed: 921)
        try theft.laptop.copy(to: path)
        let own = theft.laptop.own
        let laptop = try Replica(path: path, event: theft.world.event, own: own, ownQuota: Quota(words: 2000))
        try laptop.receiveAll(from: theft.phone)
        #expect(throws: ReplicaError.self) { try theft.say("Mine", by: laptop) }
        try laptop.say(.retire(theft.phone.own.name), at: 4000, theft.world.randomness)
        #expect(throws: Never.self) { try theft.say("Mine", by: laptop) }
        try laptop.close()
    }

    @Test func `of what a retired device wrote its person's others keep no more than of anybody's`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let theft = try Theft(seed: 923)
        try theft.laptop.copy(to: path)
        let own = theft.laptop.own
        let laptop = try Replica(path: path, event: theft.world.event, own: own, quota: Quota(words: 2000))
        let mine = try (0..<40).map { try theft.say("Mine \($0)", by: laptop) }
        try laptop.say(.retire(theft.phone.own.name), at: 4000, theft.world.randomness)
        try laptop.receiveAll(from: theft.phone)
        #expect(try laptop.holds(mine).allSatisfy { $0 })
        #expect(try laptop.beyondQuota().map(\.person) == [own.person] && laptop.isUsageCounted())
        try laptop.close()
    }

    @Test func `who retires one device after the other comes to the quota of so many, and no more`() throws {
        var world = try TestEvent(seed: 922)
        let identity = SigningKey(seed: world.randomness.secret())
        let owner = try world.join(identity: identity)
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let bob = try Replica(path: nil, event: world.event, own: own, quota: Quota(words: 1000))
        for other in [world.founder, owner] { try bob.receiveAll(from: other) }
        let change = Change(field: 1, value: .text(String(repeating: "x", count: 800)))
        var written: [Reference] = []
        for time in Int64(4000)..<4020 {
            let device = world.scribe(identity: identity)
            let introduction = Run(travelling: try device.introduction(by: nil))
            let words = device.write(try world.entry(.comment, [change]), after: nil)
            _ = try owner.merge([introduction])
            try owner.say(.retire(device.own.name), at: time, world.randomness)
            try bob.receiveAll(from: owner)
            _ = try bob.merge([Run(travelling: [words])])
            written.append(words.reference)
        }
        #expect(try bob.holds(written) == (0..<20).map { $0 <= Standing.retiredDevices })
        #expect(try bob.isUsageCounted())
    }
}
