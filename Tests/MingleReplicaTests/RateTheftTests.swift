// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleWire
import Testing

@testable import MingleReplica

private let hour: Int64 = 3_600_000

/// What a stolen device can use up of what a relay keeps.
struct RateTheftTests {
    private func say(_ name: String, by replica: Replica, _ world: TestEvent) throws -> Reference {
        try replica.say(.create(.place, on: .nothing, values: quayValues(name)), at: hour, world.randomness)
    }

    /// A phone that is stolen, and a relay that has merged what it wrote first, and then what its owner's laptop did.
    private func theft(seed: UInt64, retires: Bool) throws -> (relay: Replica, stolen: [Reference], mine: [Reference]) {
        var world = try TestEvent(seed: seed)
        let (phone, laptop) = try world.joinTwice()
        let relay = try world.relay()
        let stolen = try (0..<8).map { try say("Stolen \($0)", by: phone, world) }
        for other in [world.founder, laptop, phone] { try relay.receiveAll(from: other) }
        if retires { try laptop.say(.retire(phone.own.name), at: hour, world.randomness) }
        let mine = try (0..<4).map { try say("Mine \($0)", by: laptop, world) }
        try relay.receiveAll(from: laptop)
        return (relay, stolen, mine)
    }

    @Test func `a relay takes nothing from the hours of whoever has retired a stolen device`() throws {
        let (relay, stolen, mine) = try theft(seed: 980, retires: true)
        let policy = RetentionPolicy(authorHourly: 5)
        _ = try relay.evict(policy.evictions(of: relay.holdings(byHour: true), quiet: .zero))
        #expect(try relay.holds(mine) == mine.map { _ in true })
        #expect(try relay.holds(stolen).filter { $0 }.count == 5 && relay.isUsageCounted())
    }

    @Test func `a relay counts what a stolen device wrote against its owner until it is retired`() throws {
        let (relay, _, mine) = try theft(seed: 981, retires: false)
        let policy = RetentionPolicy(authorHourly: 5)
        _ = try relay.evict(policy.evictions(of: relay.holdings(byHour: true), quiet: .zero))
        #expect(try relay.holds(mine) == mine.map { _ in false })
    }

    @Test func `a relay takes no bytes from whose stolen device was retired`() throws {
        let (relay, stolen, mine) = try theft(seed: 982, retires: true)
        let held = try relay.holdings()
        let policy = RetentionPolicy(authorBytes: held.map(\.bytes).max().map { $0 * 5 })
        _ = try relay.evict(policy.evictions(of: held, quiet: .zero))
        #expect(try relay.holds(mine) == mine.map { _ in true } && relay.holds(stolen).contains(false))
        #expect(held.allSatisfy { $0.hour == nil })
    }
}
