// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Synchronization

/// A tag as good as any for tests.
func party(_ random: [UInt8]) -> [UInt8] { random.map { $0 &* 31 ^ 0x5a } }

/// The tag of another event.
func wedding(_ random: [UInt8]) -> [UInt8] { random.map { $0 &* 13 ^ 0xc3 } }

func partyName(_ number: UInt64) -> String { InstanceName.make(random: number, tag: party) }

func weddingName(_ number: UInt64) -> String { InstanceName.make(random: number, tag: wedding) }

func eventOf(_ name: String) -> String? {
    if InstanceName.matches(name, tag: party) { return "party" }
    return InstanceName.matches(name, tag: wedding) ? "wedding" : nil
}

extension Sighting {
    static let v4 = Sighting(interface: 2, family: .v4)
    static let v6 = Sighting(interface: 2, family: .v6)
    static let loopback = Sighting(interface: 1, family: .v4)
}

extension Resolution {
    /// 10.0.0.`last`.
    static func at(_ last: UInt8, port: UInt16 = 4000) -> Resolution {
        Resolution(address: [10, 0, 0, last], addressText: "10.0.0.\(last)", port: port)
    }
}

/// A plan, a clock, and a network that answers when it is told to.
struct Bench {
    var plan: DiscoveryPlan
    var now = Duration.zero
    private(set) var actions: [DiscoveryPlan.Action] = []

    init(
        limits: DiscoveryLimits = DiscoveryLimits(),
        newName: @escaping @Sendable (String) -> String = { $0 },
        eventOf: @escaping @Sendable (String) -> String? = { MingleDiscoveryTests.eventOf($0) }
    ) {
        plan = DiscoveryPlan(limits: limits, seed: 1, eventOf: eventOf, newName: newName)
    }

    /// A plan whose daemon runs.
    static func running(
        limits: DiscoveryLimits = DiscoveryLimits(),
        newName: @escaping @Sendable (String) -> String = { $0 },
        eventOf: @escaping @Sendable (String) -> String? = { MingleDiscoveryTests.eventOf($0) }
    ) -> Bench {
        var bench = Bench(limits: limits, newName: newName, eventOf: eventOf)
        bench.give(.wake)
        bench.give(.running)
        bench.forget()
        return bench
    }

    @discardableResult
    mutating func give(_ input: DiscoveryPlan.Input) -> [DiscoveryPlan.Action] {
        let new = plan.receive(input, at: now)
        actions += new
        return new
    }

    @discardableResult
    mutating func hear(_ report: DiscoveryPlan.Report) -> [DiscoveryPlan.Action] {
        give(.network(report))
    }

    /// Lets time pass, waking the plan whenever it asks for it.
    mutating func pass(_ pause: Duration) {
        let end = now + pause
        var turns = 0
        while let wake = plan.nextWake, wake <= end, turns < 10_000 {
            now = max(now, wake)
            give(.wake)
            turns += 1
        }
        now = end
    }

    mutating func forget() { actions = [] }

    /// The names being resolved since the last `forget`, in order.
    var resolving: [String] {
        actions.compactMap { if case .resolve(let name, _) = $0 { name } else { nil } }
    }

    var told: [DiscoveryEvent] {
        actions.compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    var published: [String] {
        actions.compactMap { if case .publish(let advertisement) = $0 { advertisement.name } else { nil } }
    }
}

/// Whether an event was joined, to be changed behind a plan's back.
final class Joined: Sendable {
    private let state = Mutex(false)

    var isTrue: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
