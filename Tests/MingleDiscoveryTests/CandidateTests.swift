// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

struct CandidateTests {
    @Test func `a node that is seen and answers is found, and lost when it goes`() {
        var bench = Bench.running()
        bench.hear(.seen(partyName(1), on: .v4))
        bench.pass(.seconds(1))
        #expect(bench.actions == [.resolve(partyName(1), on: .v4)])
        bench.hear(.resolved(partyName(1), on: .v4, to: .at(1)))
        let endpoint = Endpoint(name: partyName(1), event: "party", host: "10.0.0.1", port: 4000)
        #expect(bench.actions.suffix(2) == [.stopResolving(partyName(1)), .tell(.found(endpoint))])
        #expect(bench.hear(.gone(partyName(1), on: .v4)) == [.tell(.lost(name: partyName(1)))])
        bench.forget()
        bench.pass(.seconds(1_000))
        #expect(bench.actions.isEmpty)
        #expect(bench.plan.nextWake == nil)
    }

    @Test(arguments: hostileNames)
    func `a malformed name is dropped unread`(name: String) {
        var bench = Bench.running()
        bench.hear(.seen(name, on: .v4))
        bench.hear(.gone(name, on: .v6))
        bench.hear(.resolved(name, on: .v4, to: .at(1)))
        bench.pass(.seconds(1))
        #expect(bench.actions.isEmpty)
    }

    @Test func `eight of many are resolved at once, and others when some vanish or fail`() {
        var bench = Bench.running()
        for number in 1...1_000 { bench.hear(.seen(partyName(UInt64(number)), on: .v4)) }
        bench.pass(.seconds(1))
        let first = bench.resolving
        #expect(first.count == 8)
        #expect(Set(first).count == 8)
        for name in first { bench.hear(.resolved(name, on: .v4, to: .at(1))) }
        bench.forget()
        bench.pass(.seconds(100))
        #expect(bench.resolving.isEmpty)
        bench.hear(.gone(first[0], on: .v4))
        bench.give(.reject(first[1]))
        bench.pass(.seconds(1))
        #expect(bench.resolving.count == 2)
        #expect(Set(bench.resolving).isDisjoint(with: first))
        bench.hear(.resolved(bench.resolving[0], on: .v4, to: nil))
        bench.pass(.seconds(1))
        #expect(bench.resolving.count == 3)
    }

    @Test func `a crowded event leaves room for a small one`() {
        var bench = Bench.running()
        for number in 1...100 { bench.hear(.seen(partyName(UInt64(number)), on: .v4)) }
        bench.hear(.seen(weddingName(1), on: .v4))
        bench.pass(.seconds(1))
        #expect(bench.resolving.count == 9)
        #expect(bench.resolving.contains(weddingName(1)))
    }

    @Test func `two nodes choose differently`() {
        let choices = [UInt64(1), 2].map { seed in
            var plan = DiscoveryPlan(seed: seed, eventOf: eventOf, newName: { $0 })
            _ = plan.receive(.wake, at: .zero) + plan.receive(.running, at: .zero)
            for number in 1...100 {
                _ = plan.receive(.network(.seen(partyName(UInt64(number)), on: .v4)), at: .zero)
            }
            return plan.receive(.wake, at: .seconds(1))
        }
        #expect(choices[0].count == 8)
        #expect(choices[0] != choices[1])
    }

    @Test func `IPv4 is preferred to IPv6 and both to loopback`() {
        var bench = Bench.running()
        for sighting in [Sighting.loopback, .v6, .v4] { bench.hear(.seen(partyName(1), on: sighting)) }
        bench.pass(.seconds(1))
        #expect(bench.actions == [.resolve(partyName(1), on: .v4)])
    }

    @Test func `loopback serves when nothing else does`() {
        var bench = Bench.running()
        bench.hear(.seen(partyName(1), on: .loopback))
        bench.pass(.seconds(1))
        let local = Resolution(address: [127, 0, 0, 1], addressText: "127.0.0.1", port: 1)
        bench.hear(.resolved(partyName(1), on: .loopback, to: local))
        #expect(bench.told == [.found(Endpoint(name: partyName(1), event: "party", host: "127.0.0.1", port: 1))])
    }

    @Test func `when one path fails the next is tried at once, then all again after a growing pause`() {
        var bench = Bench.running()
        bench.hear(.seen(partyName(1), on: .v4))
        bench.hear(.seen(partyName(1), on: .v6))
        bench.pass(.seconds(1))
        bench.hear(.resolved(partyName(1), on: .v4, to: nil))
        bench.pass(.zero)
        #expect(bench.actions.last == .resolve(partyName(1), on: .v6))
        bench.hear(.resolved(partyName(1), on: .v6, to: nil))
        bench.forget()
        bench.pass(.milliseconds(4_999))
        #expect(bench.actions.isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.actions == [.resolve(partyName(1), on: .v4)])
    }

    @Test func `a name that never answers is asked less and less`() {
        var bench = Bench.running()
        bench.hear(.seen(partyName(1), on: .v4))
        bench.pass(.seconds(3_600))
        #expect((10...20).contains(bench.resolving.count))
        #expect(bench.told.isEmpty)
        let stops = bench.actions.count { $0 == .stopResolving(partyName(1)) }
        #expect((0...1).contains(bench.resolving.count - stops))
    }

    @Test func `a rejected node is found again, elsewhere or at the same place`() {
        var bench = Bench.running()
        bench.hear(.seen(partyName(1), on: .v4))
        for (last, pause) in [(UInt8(1), 1), (1, 5), (2, 10)] {
            bench.pass(.seconds(pause))
            bench.forget()
            bench.hear(.resolved(partyName(1), on: .v4, to: .at(last)))
            #expect(
                bench.told == [
                    .found(Endpoint(name: partyName(1), event: "party", host: "10.0.0.\(last)", port: 4000))
                ]
            )
            bench.give(.reject(partyName(1)))
        }
    }

    @Test func `losing the path in use moves to another, and says so only if the address differs`() {
        var bench = Bench.running()
        let other = Sighting(interface: 3, family: .v4)
        bench.hear(.seen(partyName(1), on: .v4))
        bench.hear(.seen(partyName(1), on: other))
        bench.pass(.seconds(1))
        bench.hear(.resolved(partyName(1), on: .v4, to: .at(1)))
        bench.forget()
        bench.hear(.gone(partyName(1), on: .v4))
        bench.pass(.seconds(1))
        #expect(bench.actions == [.resolve(partyName(1), on: other)])
        bench.hear(.resolved(partyName(1), on: other, to: .at(2)))
        #expect(bench.told == [.found(Endpoint(name: partyName(1), event: "party", host: "10.0.0.2", port: 4000))])
    }

    @Test func `an answer that was not asked for is ignored`() {
        var bench = Bench.running()
        bench.hear(.resolved(partyName(1), on: .v4, to: .at(1)))
        bench.hear(.seen(partyName(1), on: .v4))
        bench.hear(.resolved(partyName(1), on: .v4, to: .at(1)))
        bench.pass(.seconds(1))
        bench.hear(.resolved(partyName(1), on: .v6, to: .at(1)))
        #expect(bench.told.isEmpty)
    }

    @Test func `no more names are kept than the limit allows`() {
        var limits = DiscoveryLimits()
        limits.names = 3
        limits.sightingsPerName = 2
        var bench = Bench.running(limits: limits)
        for number in 1...10 {
            for interface in Int32(2)...9 {
                let sighting = Sighting(interface: interface, family: .v4)
                bench.hear(.seen(partyName(UInt64(number)), on: sighting))
            }
        }
        bench.pass(.seconds(1))
        #expect(Set(bench.resolving) == Set((1...3).map { partyName($0) }))
        for _ in 1...4 {
            for name in bench.resolving {
                bench.hear(.resolved(name, on: Sighting(interface: 2, family: .v4), to: nil))
            }
            for name in bench.resolving {
                bench.hear(.resolved(name, on: Sighting(interface: 3, family: .v4), to: nil))
            }
            bench.pass(.zero)
        }
        let interfaces = bench.actions.compactMap { if case .resolve(_, let path) = $0 { path.interface } else { nil } }
        #expect(Set(interfaces) == [2, 3])
    }

    @Test func `names seen before an event was joined are resolved after`() {
        let joined = Joined()
        var plan = DiscoveryPlan(seed: 1, eventOf: { joined.isTrue ? eventOf($0) : nil }, newName: { $0 })
        _ = plan.receive(.wake, at: .zero) + plan.receive(.running, at: .zero)
        _ = plan.receive(.network(.seen(partyName(1), on: .v4)), at: .zero)
        #expect(plan.receive(.wake, at: .seconds(1)).isEmpty)
        joined.isTrue = true
        _ = plan.receive(.publish([]), at: .seconds(2))
        #expect(plan.receive(.wake, at: .seconds(3)) == [.resolve(partyName(1), on: .v4)])
        joined.isTrue = false
        #expect(plan.receive(.publish([]), at: .seconds(4)) == [.stopResolving(partyName(1))])
    }
}
