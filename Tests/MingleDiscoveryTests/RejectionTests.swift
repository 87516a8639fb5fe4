// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleDiscovery

/// What our side would not have, between those who say so and the plan.
struct RejectionTests {
    private let limits = DiscoveryLimits.open

    /// Answers all that is asked, tells of it, and hands on at the next turn what our side rejects of it; returns what was told.
    private func turn(_ bench: inout Bench, _ inbox: Inbox, rejects: (String) -> Bool) -> Set<String> {
        for name in inbox.take().rejected { bench.give(.reject(name)) }
        bench.pass(.seconds(9))
        let asked = bench.resolving
        bench.forget()
        for name in asked { bench.hear(.resolved(name, on: .v4, to: .at(1))) }
        let told = bench.told.compactMap { if case .found(let endpoint) = $0 { endpoint.name } else { nil } }
        bench.forget()
        for name in told where rejects(name) { inbox.reject(name) }
        return Set(told)
    }

    @Test(arguments: [0, 300, 600])
    func `however many say nonsense, what is none is found`(earlier: UInt64) throws {
        let honest = partyName(1)
        let inbox = Inbox(mostRejections: limits.rejections)
        var bench = Bench.running(limits: limits)
        for number in 2..<(2 + earlier) { bench.hear(.seen(partyName(number), on: .v4)) }
        bench.hear(.seen(honest, on: .v4))
        for number in (2 + earlier)..<602 { bench.hear(.seen(partyName(number), on: .v4)) }
        var turns: [Set<String>] = []
        while turns.count < 12, !turns.contains(where: { $0.contains(honest) }) {
            turns.append(turn(&bench, inbox) { $0 != honest })
        }
        let first = try #require(turns.first)
        #expect(first.count == 128, "as many as are resolved at once")
        #expect(turns.last?.contains(honest) == true)
        for (turn, next) in zip(turns, turns.dropFirst()) {
            #expect(turn.isDisjoint(with: next), "all give way to others")
        }
    }

    @Test func `names for which nobody answers give way as well`() {
        let honest = partyName(1)
        var bench = Bench.running(limits: limits)
        for number in 2...400 as ClosedRange<UInt64> { bench.hear(.seen(partyName(number), on: .v4)) }
        bench.hear(.seen(honest, on: .v4))
        var isFound = false
        for _ in 0..<6 where !isFound {
            bench.forget()
            bench.pass(.seconds(9))
            for name in bench.resolving {
                isFound = isFound || name == honest
                bench.hear(.resolved(name, on: .v4, to: name == honest ? .at(1) : nil))
            }
        }
        #expect(isFound)
    }

    @Test func `what finds no room while nobody looks is found once somebody does`() {
        let looks = Joined()
        var bench = Bench.running(limits: limits, eventOf: { looks.isTrue ? eventOf($0) : nil })
        for number in 1...400 as ClosedRange<UInt64> { bench.hear(.seen(partyName(number), on: .v4)) }
        looks.isTrue = true
        bench.give(.publish([]))
        var told: Set<String> = []
        let inbox = Inbox(mostRejections: limits.rejections)
        for _ in 0..<6 { told.formUnion(turn(&bench, inbox) { _ in true }) }
        #expect(told.count == 400, "each is looked at")
    }

    @Test func `what is rejected twice before it is taken takes one place`() {
        let inbox = Inbox(mostRejections: 3)
        for name in ["a", "b", "b", "b", "c"] { inbox.reject(name) }
        #expect(inbox.take().rejected == ["a", "b", "c"])
        for name in ["a", "b", "c", "d"] { inbox.reject(name) }
        #expect(inbox.take().rejected == ["b", "c", "d"], "strangers make it keep no more")
    }

    @Test func `names of one event take no room from another's`() {
        var limits = limits
        (limits.names, limits.namesPerEvent) = (4, 2)
        var bench = Bench.running(limits: limits)
        for number in 1...9 { bench.hear(.seen(weddingName(UInt64(number)), on: .v4)) }
        for number in 1...9 { bench.hear(.seen(partyName(UInt64(number)), on: .v4)) }
        bench.pass(.seconds(1))
        let weddings = [1, 2].map { weddingName($0) }
        #expect(Set(bench.resolving) == Set(weddings + [partyName(1), partyName(2)]))
    }
}
