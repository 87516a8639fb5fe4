// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleSync
import MingleWire
import Testing

@testable import MingleNode

struct DialPlanTests {
    static func target(_ number: Int, event: UInt8 = 1) -> DialTarget {
        DialTarget(event: TransportNode.event(event).event, host: "10.0.\(number / 256).\(number % 256)", port: 4781)
    }

    private static func person(_ number: UInt8) -> PersonID { PersonID(Blake2b.hash(.identity, [number])) }

    private let one = target(1)

    @Test func `what is heard of is dialled at once, and once`() {
        var plan = DialPlan()
        plan.learn(one, .hint, at: .seconds(5))
        #expect(plan.nextTime == .seconds(5))
        #expect(plan.due(at: .milliseconds(4999)).isEmpty)
        #expect(plan.due(at: .seconds(5)) == [one])
        plan.learn(one, .discovered, at: .seconds(6))
        #expect(plan.due(at: .seconds(60)).isEmpty && plan.nextTime == nil)
    }

    @Test func `what the operator does not name any more is forgotten, at the latest with its link`() {
        var plan = DialPlan()
        for number in 1...4 { plan.learn(Self.target(number), number < 4 ? .configured : .discovered, at: .zero) }
        #expect(plan.due(at: .zero).count == 4)
        for number in [1, 4] { plan.ended(Self.target(number), wasUseful: false, at: .zero) }
        plan.forgetConfigured()
        // What is named again is dialled again.
        plan.learn(Self.target(3), .configured, at: .zero)
        #expect(plan.due(at: .seconds(600)) == [Self.target(4)])
        for number in 2...3 { plan.ended(Self.target(number), wasUseful: true, at: .seconds(600)) }
        #expect(plan.due(at: .seconds(6000)) == [Self.target(3)])
    }

    @Test func `the surest is dialled first`() {
        var plan = DialPlan()
        let origins: [(Int, DialPlan.Origin)] = [(4, .hint), (3, .configured), (2, .discovered), (1, .hint)]
        for (number, origin) in origins { plan.learn(Self.target(number), origin, at: .zero) }
        #expect(plan.due(at: .zero) == [2, 3, 1, 4].map { Self.target($0) })
    }

    @Test func `beside a relay three others are dialled, whoever they are, and more once it is gone`() {
        let all = (1...40).map { Self.target($0) }
        var chosen: [Set<DialTarget>] = []
        for seed in [1, 2] as [UInt64] {
            var plan = DialPlan(seed: seed)
            plan.learn(one, .hint, relayLoad: 0, at: .zero)
            #expect(plan.due(at: .zero) == [one])
            plan.meetRelay(by: PeerID(7), of: one.event, at: one)
            for target in all.dropFirst() { plan.learn(target, .discovered, at: .zero) }
            let due = plan.due(at: .zero)
            #expect(due.count == DialPlan.dialledBesideRelays)
            chosen.append(Set(due))
            #expect(plan.due(at: .seconds(100)).isEmpty)
            plan.linkEnded(PeerID(7), at: .seconds(100))
            #expect(plan.due(at: .seconds(100)).count == DialPlan.dialledPerEvent - due.count)
        }
        #expect(chosen[0] != chosen[1])
    }

    @Test func `relays are dialled first, the least loaded two, however they were heard of`() {
        var plan = DialPlan(seed: 5)
        for number in 1...40 { plan.learn(Self.target(number), .discovered, at: .zero) }
        for (number, load) in [(41, 2), (42, 0), (43, 1)] {
            plan.learn(Self.target(number), .hint, relayLoad: load, at: .zero)
        }
        let due = plan.due(at: .zero)
        // Anybody can say to be a relay; links name those that were met.
        #expect(plan.relays(of: one.event).isEmpty)
        plan.meetRelay(by: PeerID(7), of: one.event, at: Self.target(43))
        #expect(plan.relays(of: one.event) == ["10.0.0.43:4781"])
        // One that came by itself is where it says to be, if that is the machine that it came from.
        plan.meetRelay(by: PeerID(8), of: one.event, at: nil, host: "10.0.0.42")
        #expect(plan.relays(of: one.event) == ["10.0.0.42:4781", "10.0.0.43:4781"])
        #expect(Array(due.prefix(2)) == [42, 43].map { Self.target($0) } && !due.contains(Self.target(41)))
        plan.ended(Self.target(42), wasUseful: false, at: .zero)
        #expect(plan.due(at: .milliseconds(1)) == [Self.target(41)])
    }

    @Test(arguments: [true, false])
    func `where a relay is that came by itself, links name it, however often it had not answered`(isMetFirst: Bool) {
        var plan = DialPlan()
        plan.learn(one, .discovered, relayLoad: 0, at: .zero)
        #expect(plan.due(at: .zero) == [one])
        plan.ended(one, wasUseful: false, at: .zero)
        #expect(plan.due(at: .seconds(1)) == [one])
        // It came by another address of its own, as machines have several.
        let meet = { plan.meetRelay(by: PeerID(7), of: one.event, at: nil, host: "fe80::7%eth0") }
        if isMetFirst { meet() }
        plan.rest(one, while: PeerID(7), at: .seconds(1))
        if !isMetFirst { meet() }
        #expect(plan.relays(of: one.event) == ["10.0.0.1:4781"])
    }

    @Test func `a relay that came by an address is one from then on`() {
        var plan = DialPlan()
        plan.learn(one, .configured, at: .zero)
        _ = plan.due(at: .zero)
        plan.meetRelay(by: PeerID(7), of: one.event, at: one)
        for number in 2...10 { plan.learn(Self.target(number), .hint, at: .zero) }
        #expect(plan.due(at: .zero).count == DialPlan.dialledBesideRelays)
    }

    @Test func `who does not answer is tried ever less often, but every half minute`() {
        var plan = DialPlan()
        plan.learn(one, .configured, at: .zero)
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<12 {
            #expect(plan.due(at: now) == [one])
            plan.ended(one, wasUseful: false, at: now)
            let next = plan.nextTime ?? .zero
            pauses.append(next - now)
            now = next
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30].map { Duration.seconds($0) })
    }

    @Test func `who does not let this node in is tried ever less often, until this node's own person is another`() {
        var plan = DialPlan()
        plan.learn(one, .discovered, at: .zero)
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<10 {
            #expect(plan.due(at: now) == [one])
            plan.ended(one, wasUseful: false, refusal: .there, at: now)
            let next = plan.nextTime ?? .zero
            pauses.append(next - now)
            now = next
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256].map { Duration.seconds($0) })
        #expect(plan.due(at: now) == [one])
        plan.ended(one, wasUseful: false, refusal: .there, at: now)
        plan.doorsChanged(.anybody, in: Self.target(1, event: 2).event, at: now)
        plan.doorsChanged(.some([Self.person(1)]), in: one.event, at: now)
        #expect(plan.nextTime == now + .seconds(256))
        plan.doorsChanged(.anybody, in: one.event, at: now)
        #expect(plan.nextTime == now + .milliseconds(500))
    }

    @Test func `whom this node does not let in it leaves alone, until that concerns whoever is there`() {
        var plan = DialPlan()
        plan.learn(one, .discovered, at: .zero)
        #expect(plan.due(at: .zero) == [one])
        plan.ended(one, wasUseful: true, refusal: .here(Self.person(1)), at: .zero)
        plan.doorsChanged(.some([Self.person(2)]), in: one.event, at: .seconds(4))
        #expect(plan.nextTime == .seconds(600))
        plan.doorsChanged(.some([Self.person(2), Self.person(1)]), in: one.event, at: .seconds(5))
        #expect(plan.due(at: .milliseconds(5500)) == [one])
        // Once somebody else is there, all is as before.
        plan.ended(one, wasUseful: false, at: .seconds(6))
        plan.doorsChanged(.anybody, in: one.event, at: .seconds(6))
        #expect(plan.nextTime == .seconds(7))
    }

    @Test func `whoever proved to be nobody is dialled again where anybody may come in`() {
        var plan = DialPlan()
        plan.learn(one, .discovered, at: .zero)
        plan.ended(one, wasUseful: false, refusal: .here(nil), at: .zero)
        plan.doorsChanged(.some([Self.person(1)]), in: one.event, at: .zero)
        #expect(plan.nextTime == .seconds(600))
        plan.doorsChanged(.anybody, in: one.event, at: .zero)
        #expect(plan.nextTime == .milliseconds(500))
    }

    @Test func `a link that was useful is dialled again soon`() {
        var plan = DialPlan()
        plan.learn(one, .configured, at: .zero)
        for _ in 0..<6 { plan.ended(one, wasUseful: false, at: .zero) }
        plan.ended(one, wasUseful: true, at: .seconds(100))
        #expect(plan.nextTime == .milliseconds(100_500))
        plan.ended(one, wasUseful: false, at: .seconds(200))
        #expect(plan.nextTime == .seconds(201))
    }

    @Test func `who is seen just now is not waited for`() {
        var plan = DialPlan()
        plan.learn(one, .hint, at: .zero)
        for _ in 0..<9 { plan.ended(one, wasUseful: false, at: .zero) }
        plan.learn(one, .hint, at: .seconds(1))
        plan.learn(one, .configured, at: .seconds(1))
        #expect(plan.nextTime == .seconds(30))
        plan.learn(one, .discovered, at: .seconds(2))
        #expect(plan.nextTime == .seconds(2))
        // The pauses begin anew too, and what is discovered is not forgotten.
        plan.ended(one, wasUseful: false, at: .seconds(2))
        #expect(plan.nextTime == .seconds(3))
    }

    @Test func `a hint that led nowhere ten times is forgotten, and nothing else is`() {
        var plan = DialPlan()
        let origins: [DialPlan.Origin] = [.hint, .configured, .discovered]
        for (number, origin) in origins.enumerated() { plan.learn(Self.target(number), origin, at: .zero) }
        for _ in 0..<9 {
            for number in 0..<3 { plan.ended(Self.target(number), wasUseful: false, at: .zero) }
        }
        #expect(plan.due(at: .seconds(30)).count == 3)
        for number in 0..<3 { plan.ended(Self.target(number), wasUseful: false, at: .zero) }
        #expect(plan.due(at: .seconds(30)) == [Self.target(2), Self.target(1)])
    }

    @Test func `an event has 256 targets at most, and takes nothing from another`() {
        var plan = DialPlan()
        for number in 0..<300 { plan.learn(Self.target(number), .hint, at: .zero) }
        plan.learn(Self.target(1, event: 2), .hint, at: .zero)
        // One that is known may still become surer.
        plan.learn(Self.target(255), .discovered, at: .zero)
        var seen: [DialTarget] = []
        while case let due = plan.due(at: .zero), !due.isEmpty {
            seen += due
            for target in due { plan.ended(target, wasUseful: false, at: .zero) }
        }
        #expect(seen.first == Self.target(255))
        #expect(seen.count == 257 && Set(seen).count == 257)
        #expect(seen.filter { $0.event == TransportNode.event(2).event }.count == 1)
    }

    @Test func `what is forgotten makes room for others`() {
        var plan = DialPlan()
        for number in 1...256 { plan.learn(Self.target(number), number < 3 ? .configured : .hint, at: .zero) }
        plan.forgetConfigured()
        for number in 257...260 { plan.learn(Self.target(number), .hint, at: .zero) }
        plan.learn(Self.target(261), .discovered, at: .zero)
        var dialled = Set<DialTarget>()
        for _ in 0..<10 {
            for target in plan.due(at: .zero) where dialled.insert(target).inserted { plan.rest(target, at: .zero) }
        }
        #expect(dialled.count == 256 && dialled.isSuperset(of: [257, 261].map { Self.target($0) }))
        plan.forget(one.event)
        for number in 1...300 { plan.learn(Self.target(number), .hint, at: .zero) }
        dialled = []
        for _ in 0..<10 {
            for target in plan.due(at: .zero) where dialled.insert(target).inserted { plan.rest(target, at: .zero) }
        }
        #expect(dialled.count == 256)
    }

    @Test func `of an event that was left no relay is remembered`() {
        var plan = DialPlan()
        plan.learn(one, .discovered, relayLoad: 0, at: .zero)
        plan.meetRelay(by: PeerID(7), of: one.event, at: one, host: one.host)
        plan.forget(one.event)
        plan.learn(one, .discovered, relayLoad: 0, at: .zero)
        #expect(plan.relays(of: one.event).isEmpty)
        for number in 2...40 { plan.learn(Self.target(number), .discovered, at: .zero) }
        #expect(plan.due(at: .zero).count == 1 + DialPlan.dialledPerEvent)
    }

    @Test func `hints give way to what is seen, and to nothing else`() {
        var plan = DialPlan()
        for number in 0..<256 { plan.learn(Self.target(number), .hint, at: .zero) }
        for number in 300..<310 { plan.learn(Self.target(number), .hint, at: .zero) }
        for number in 400..<410 { plan.learn(Self.target(number), .discovered, at: .zero) }
        #expect(plan.due(at: .zero).prefix(10) == (400..<410).map { Self.target($0) }[...])
        for number in 500..<800 { plan.learn(Self.target(number), .configured, at: .zero) }
        var seen: Set<DialTarget> = []
        while case let due = plan.due(at: .seconds(100)), !due.isEmpty {
            seen.formUnion(due)
            for target in due { plan.rest(target, at: .seconds(100)) }
        }
        #expect(seen.count <= 256 && !seen.contains(Self.target(300)))
    }

    @Test func `an event has 32 links at most that this node dialled`() {
        var plan = DialPlan()
        for number in 0..<40 {
            plan.learn(Self.target(number), .hint, at: .zero)
            plan.learn(Self.target(number, event: 2), .hint, at: .zero)
        }
        let first = plan.due(at: .zero)
        #expect(first.count == 64 && plan.due(at: .zero).isEmpty)
        plan.ended(first[0], wasUseful: true, at: .zero)
        let next = plan.due(at: .zero)
        #expect(next.count == 1 && next[0].event == first[0].event && !first.contains(next[0]))
    }

    @Test func `a target at rest is left alone for half a minute`() {
        var plan = DialPlan()
        plan.learn(one, .configured, at: .zero)
        #expect(plan.due(at: .zero) == [one])
        plan.rest(one, at: .seconds(1))
        #expect(plan.due(at: .seconds(30)).isEmpty && plan.due(at: .seconds(31)) == [one])
    }

    @Test func `a target whose node is connected otherwise is left alone as long as that link lasts`() {
        var plan = DialPlan()
        plan.learn(one, .configured, at: .zero)
        #expect(plan.due(at: .zero) == [one])
        plan.rest(one, while: PeerID(7), at: .zero)
        #expect(plan.due(at: .seconds(599)).isEmpty)
        plan.linkEnded(PeerID(8), at: .seconds(599))
        #expect(plan.nextTime == .seconds(600))
        plan.linkEnded(PeerID(7), at: .seconds(100))
        #expect(plan.nextTime == .milliseconds(100_500))
        // The next time it ends no other link is waited for.
        #expect(plan.due(at: .seconds(101)) == [one])
        plan.rest(one, at: .seconds(101))
        plan.linkEnded(PeerID(7), at: .seconds(101))
        #expect(plan.nextTime == .seconds(131))
    }

    @Test func `a target that rests is dialled when it is seen anew, or after ten minutes`() {
        for isSeen in [true, false] {
            var plan = DialPlan()
            plan.learn(one, .discovered, at: .zero)
            #expect(plan.due(at: .zero) == [one])
            plan.rest(one, while: PeerID(7), at: .zero)
            if isSeen { plan.learn(one, .discovered, at: .seconds(50)) }
            #expect(plan.nextTime == .seconds(isSeen ? 50 : 600))
        }
    }

    @Test func `an event that was left is not dialled any more`() {
        var plan = DialPlan()
        let other = Self.target(1, event: 2)
        for target in [one, other] { plan.learn(target, .configured, at: .zero) }
        plan.forget(one.event)
        plan.ended(one, wasUseful: false, at: .zero)
        plan.rest(one, at: .zero)
        #expect(plan.due(at: .seconds(60)) == [other])
    }
}
