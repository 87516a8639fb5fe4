// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

struct LinkTests {
    @Test func `a plan connects first, then browses and says that it runs`() {
        var bench = Bench()
        #expect(bench.plan.nextWake == .zero)
        #expect(bench.give(.wake) == [.connect])
        #expect(bench.give(.registering) == [.browse, .tell(.state(.running))])
        #expect(bench.give(.running).isEmpty)
    }

    @Test func `without a daemon it says what to do, once, and waits for it`() throws {
        var bench = Bench()
        bench.give(.wake)
        bench.give(.connecting)
        bench.give(.connecting)
        let event = try #require(bench.told.first)
        #expect(bench.told.count == 1)
        #expect("\(event)".contains("systemctl start avahi-daemon"))
        #expect(bench.plan.nextWake == nil)
        #expect(bench.give(.running) == [.browse, .tell(.state(.running))])
    }

    @Test func `without a bus it tries again, at least every two seconds`() throws {
        var bench = Bench()
        var attempts: [Duration] = []
        while bench.now < .seconds(60) {
            bench.now = try #require(bench.plan.nextWake)
            #expect(bench.give(.wake) == [.connect])
            attempts.append(bench.now)
            bench.give(.failed(.noBus))
        }
        let pauses = zip(attempts.dropFirst(), attempts).map { $0 - $1 }
        #expect(pauses.first == .milliseconds(250))
        #expect(pauses.max() == .seconds(2))
        #expect(pauses == pauses.sorted())
        #expect(bench.told == [.state(.absent(reason: DiscoveryPlan.Failure.noBus.reason))])
    }

    @Test func `a restart of the daemon loses everything and rebuilds everything`() {
        var bench = Bench.running()
        let ours = Advertisement(name: partyName(9), port: 1)
        bench.give(.publish([ours]))
        bench.hear(.seen(partyName(1), on: .v4))
        bench.pass(.seconds(1))
        bench.hear(.established(partyName(9)))
        bench.hear(.resolved(partyName(1), on: .v4, to: .at(1)))
        bench.forget()
        bench.give(.failed(.disconnected))
        let reason = DiscoveryPlan.Failure.disconnected.reason
        #expect(bench.told == [.lost(name: partyName(1)), .state(.absent(reason: reason))])
        bench.forget()
        bench.hear(.seen(partyName(2), on: .v4))
        bench.give(.failed(.disconnected))
        bench.pass(.seconds(1))
        #expect(bench.actions == [.connect])
        bench.give(.running)
        bench.hear(.seen(partyName(1), on: .v4))
        bench.pass(.seconds(1))
        #expect(bench.actions.dropFirst().first == .browse)
        #expect(bench.published == [partyName(9)])
        #expect(bench.resolving == [partyName(1)])
    }

    @Test func `a daemon that keeps failing is tried ever less, and quickly again after a good time`() {
        var bench = Bench.running()
        func pause(_ bench: inout Bench) -> Duration? {
            bench.give(.failed(.disconnected))
            let pause = bench.plan.nextWake.map { $0 - bench.now }
            bench.pass(.seconds(5))
            bench.give(.running)
            return pause
        }
        #expect((0..<5).map { _ in pause(&bench) } == [250, 500, 1_000, 2_000, 2_000].map { .milliseconds($0) })
        bench.pass(.seconds(5))
        #expect(pause(&bench) == .milliseconds(250))
    }
}
