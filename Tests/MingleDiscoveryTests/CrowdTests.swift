// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

/// What many nodes could say, of whom a few are enough.
struct CrowdTests {
    private static let pause = Duration.seconds(3)
    private let names = (1...9).map { partyName($0) }.sorted()

    private func ours(_ name: String, most: Int = 4, pause: Duration = pause) -> Advertisement {
        let crowd = Crowd(event: "party", most: most, pause: pause)
        return Advertisement(name: name, port: 4000, text: ["v": "1"], crowd: crowd)
    }

    @Test func `each waits its pause, and is silent where enough others say the same by then`() {
        var bench = Bench.running()
        bench.give(.publish([ours(names[0])]))
        for name in names[1...3] { bench.hear(.seen(name, on: .v4)) }
        bench.pass(.milliseconds(2999))
        #expect(bench.published.isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.published == [names[0]], "three others are not enough")
        var late = Bench.running()
        late.give(.publish([ours(names[0])]))
        for name in names[1...4] { late.hear(.seen(name, on: .v4)) }
        late.pass(.seconds(60))
        #expect(late.published.isEmpty)
    }

    @Test func `what others say the same of is not resolved, and what is of another event is`() {
        var bench = Bench.running()
        bench.give(.publish([ours(names[0])]))
        bench.hear(.seen(names[1], on: .v4))
        bench.hear(.seen(weddingName(1), on: .v4))
        bench.pass(.seconds(1))
        #expect(bench.resolving == [weddingName(1)])
        bench.give(.publish([]))
        bench.pass(.seconds(1))
        #expect(bench.resolving == [weddingName(1), names[1]], "it is asked once nothing of the kind is said here")
    }

    @Test func `of those who say it too many the higher names give way, and come again when one goes`() {
        var bench = Bench.running()
        bench.give(.publish([ours(names[4])]))
        bench.pass(Self.pause)
        #expect(bench.published == [names[4]])
        for name in names[5...8] { bench.hear(.seen(name, on: .v4)) }
        bench.pass(.seconds(1))
        #expect(bench.actions.last == .publish(ours(names[4])), "higher names give way themselves")
        bench.forget()
        for name in names[0...3] { bench.hear(.seen(name, on: .v4)) }
        bench.pass(.seconds(1))
        #expect(bench.actions == [.withdraw(names[4])])
        bench.forget()
        for name in names[4...8] { bench.hear(.gone(name, on: .v4)) }
        bench.hear(.gone(names[0], on: .v4))
        bench.pass(.milliseconds(2999))
        #expect(bench.actions.isEmpty, "others may have seen that as well")
        bench.pass(.milliseconds(1))
        #expect(bench.published == [names[4]])
    }

    @Test(arguments: [0, 4])
    func `when the daemon starts anew each waits its pause again, whether it was out or left it to others`(others: Int)
    {
        var bench = Bench.running()
        bench.give(.publish([ours(names[4])]))
        for name in names[0..<others] { bench.hear(.seen(name, on: .v4)) }
        bench.pass(Self.pause)
        #expect(bench.published.isEmpty == (others == 4))
        bench.give(.failed(.disconnected))
        bench.pass(.seconds(1))
        bench.give(.running)
        bench.forget()
        bench.pass(.milliseconds(1999))
        #expect(bench.published.isEmpty)
        bench.pass(.milliseconds(1))
        #expect(bench.published == [names[4]])
    }

    @Test func `who need not share says it at once, whatever others say`() {
        var bench = Bench.running()
        for name in names[0...7] { bench.hear(.seen(name, on: .v4)) }
        bench.give(.publish([ours(names[8], most: .max, pause: .zero)]))
        bench.pass(.zero)
        #expect(bench.published == [names[8]])
        bench.pass(.seconds(60))
        #expect(!bench.actions.contains(.withdraw(names[8])))
    }

    @Test func `a crowd that grows changes nothing that is out`() {
        var bench = Bench.running()
        bench.give(.publish([ours(names[0])]))
        bench.pass(Self.pause)
        bench.forget()
        bench.give(.publish([ours(names[0], pause: .seconds(20))]))
        bench.pass(.seconds(60))
        #expect(bench.actions.isEmpty)
    }

    /// A node that leaves it to four others, and looks for the first time whether they are there.
    private func resting(_ name: String) -> Bench {
        var bench = Bench.running()
        bench.give(.publish([ours(name)]))
        for name in names[1...4] { bench.hear(.seen(name, on: .v4)) }
        bench.pass(Self.pause + DiscoveryLimits().rest + Self.pause)
        return bench
    }

    @Test func `who leaves it to others looks every few minutes whether they are there, and tells nobody of them`() {
        var bench = resting(names[0])
        for _ in 0..<3 {
            #expect(bench.resolving == Array(names[1...4]))
            bench.forget()
            for name in names[1...4] { bench.hear(.resolved(name, on: .v4, to: .at(7))) }
            bench.pass(DiscoveryLimits().rest - .seconds(1))
            #expect(bench.resolving.isEmpty && bench.published.isEmpty && bench.told.isEmpty)
            bench.pass(.seconds(1) + Self.pause)
        }
    }

    @Test func `who went without a goodbye keeps nobody silent`() {
        var bench = resting(names[8])
        for name in names[2...4] { bench.hear(.resolved(name, on: .v4, to: .at(7))) }
        // The first does not answer at all.
        bench.pass(DiscoveryLimits().resolution)
        #expect(bench.resolving.last == names[1], "what is lost is asked again")
        bench.pass(DiscoveryLimits().resolution + Self.pause)
        #expect(bench.published == [names[8]])
    }

    @Test func `who says it in the place of others gives way once they are back, and not before`() {
        var bench = resting(names[8])
        bench.pass(seconds: 60, answering: Set(names[2...4]))
        #expect(bench.published == [names[8]])
        bench.pass(seconds: 1200, answering: Set(names[2...4]))
        #expect(bench.isOut(names[8]), "it has a higher name than four that are remembered")
        #expect(bench.resolving.suffix(5) == names[2...4] + [names[1], names[1]])
        bench.pass(seconds: 200, answering: Set(names[1...4]))
        #expect(!bench.isOut(names[8]))
    }

    @Test func `who answers on one of its paths is there`() {
        var bench = Bench.running()
        bench.give(.publish([ours(names[0])]))
        for name in names[1...4] {
            for path in [Sighting.v4, .v6, .loopback] { bench.hear(.seen(name, on: path)) }
        }
        bench.pass(Self.pause + DiscoveryLimits().rest + Self.pause)
        for name in names[1...4] {
            for _ in 0..<2 {
                guard case .resolve(name, let path)? = bench.actions.last(where: { $0.asks(for: name) }) else { return }
                bench.hear(.resolved(name, on: path, to: nil))
            }
        }
        let paths = bench.actions.compactMap { if case .resolve(names[1], let path) = $0 { path } else { nil } }
        #expect(Set(paths) == [.v4, .v6, .loopback])
        for name in names[1...4] { bench.hear(.resolved(name, on: paths[2], to: .at(7))) }
        bench.pass(.seconds(60))
        #expect(bench.published.isEmpty)
    }

    @Test func `a name that did not answer counts no more because it made way for another`() {
        var limits = DiscoveryLimits()
        (limits.names, limits.namesPerEvent) = (8, 4)
        var bench = Bench.running(limits: limits)
        bench.give(.publish([ours(names[8])]))
        for name in names[0...7] { bench.hear(.seen(name, on: .v4)) }
        let round = limits.rest + Self.pause * 2 + limits.resolution * 2
        for _ in 0..<4 where bench.published.isEmpty { bench.pass(round) }
        #expect(bench.published == [names[8]])
        bench.pass(.seconds(1200))
        #expect(!bench.actions.contains(.withdraw(names[8])))
    }

    @Test func `who was away for a while counts again once it is there`() {
        var bench = resting(names[8])
        bench.hear(.seen(names[5], on: .v4))
        for _ in 0..<2 { bench.hear(.resolved(names[1], on: .v4, to: nil)) }
        for name in names[2...4] { bench.hear(.resolved(name, on: .v4, to: .at(7))) }
        bench.pass(DiscoveryLimits().rest + Self.pause)
        #expect(bench.published.isEmpty, "four others are there")
        #expect(bench.resolving.suffix(5) == names[2...5] + [names[1]])
        for name in names[1...5] where name != names[2] { bench.hear(.resolved(name, on: .v4, to: .at(7))) }
        bench.hear(.resolved(names[2], on: .v4, to: nil))
        bench.pass(.seconds(60))
        #expect(bench.published.isEmpty, "one went and one came")
    }

    @Test func `of very many names few are looked at at a time`() {
        var bench = Bench.running()
        bench.give(.publish([ours(names[0])]))
        for number in 10...200 { bench.hear(.seen(partyName(UInt64(number)), on: .v4)) }
        bench.pass(Self.pause + DiscoveryLimits().rest + Self.pause)
        #expect(bench.resolving.count == DiscoveryLimits().checks)
        bench.pass(DiscoveryLimits().rest + Self.pause)
        #expect(Set(bench.resolving).count == 2 * DiscoveryLimits().checks)
    }

    @Test func `many nodes that learn of it at once come down to four`() {
        var benches: [String: Bench] = [:]
        let all = (1...200).map { partyName($0) }
        for (place, name) in all.enumerated() {
            var bench = Bench.running()
            bench.give(.publish([ours(name, pause: .milliseconds(place * 30))]))
            benches[name] = bench
        }
        var heard: Set<String> = []
        var most = 0
        // The network tells of each a second after it was said.
        for _ in 0..<40 {
            var out: Set<String> = []
            for name in all {
                guard var bench = benches[name] else { continue }
                for other in heard where other != name { bench.hear(.seen(other, on: .v4)) }
                bench.pass(.seconds(1))
                if bench.isOut(name) { out.insert(name) }
                benches[name] = bench
            }
            for gone in heard.subtracting(out) {
                for name in all { benches[name]?.hear(.gone(gone, on: .v4)) }
            }
            heard = out
            most = max(most, out.count)
        }
        #expect(heard.count == 4)
        #expect(most < 80, "the rest never spoke: \(most)")
    }
}

extension DiscoveryPlan.Action {
    fileprivate func asks(for name: String) -> Bool { if case .resolve(name, _) = self { true } else { false } }
}

extension Bench {
    /// Lets time pass, while of those who are asked for some answer at once and the others as soon as nothing has come.
    fileprivate mutating func pass(seconds: Int, answering there: Set<String>) {
        var answered = 0
        for _ in 0..<seconds {
            while answered < actions.count {
                if case .resolve(let name, let path) = actions[answered] {
                    hear(.resolved(name, on: path, to: there.contains(name) ? .at(7) : nil))
                }
                answered += 1
            }
            pass(.seconds(1))
        }
    }

    /// Whether a service is published and was not withdrawn since.
    fileprivate func isOut(_ name: String) -> Bool {
        let last = actions.last { action in
            switch action {
            case .publish(let advertisement): advertisement.name == name
            case .withdraw(name): true
            default: false
            }
        }
        if case .publish = last { return true }
        return false
    }
}
