// SPDX-License-Identifier: Apache-2.0

import MingleDiscovery
import Testing

struct PublicationTests {
    private let ours = Advertisement(name: partyName(1), port: 4000, text: ["v": "1"])

    @Test func `what is wanted is published as soon as the daemon runs`() {
        var bench = Bench()
        #expect(bench.give(.publish([ours])).isEmpty)
        bench.give(.wake)
        bench.give(.registering)
        bench.pass(.seconds(1))
        #expect(bench.published.isEmpty)
        bench.give(.running)
        bench.pass(.zero)
        #expect(bench.actions.last == .publish(ours))
    }

    @Test func `a new set withdraws, keeps, updates and adds`() {
        var bench = Bench.running()
        let all = (1...4).map { Advertisement(name: partyName($0), port: 1) }
        let (gone, kept, text, port) = (all[0], all[1], all[2], all[3])
        bench.give(.publish([gone, kept, text, port]))
        bench.pass(.zero)
        #expect(bench.published.count == 4)
        bench.forget()
        let loaded = Advertisement(name: text.name, port: 1, text: ["load": "3"])
        let moved = Advertisement(name: port.name, port: 2)
        let added = Advertisement(name: partyName(5), port: 1)
        bench.give(.publish([kept, loaded, moved, added, added]))
        bench.pass(.zero)
        #expect(
            bench.actions == [
                .update(loaded), .withdraw(moved.name), .withdraw(gone.name), .publish(moved), .publish(added),
            ]
        )
    }

    @Test func `our own names are never resolved, old ones neither`() {
        var bench = Bench.running()
        bench.give(.publish([ours]))
        bench.hear(.seen(ours.name, on: .v4))
        bench.give(.publish([Advertisement(name: partyName(2), port: 1)]))
        bench.hear(.seen(ours.name, on: .v4))
        bench.hear(.seen(partyName(2), on: .loopback))
        bench.pass(.seconds(1))
        #expect(bench.resolving.isEmpty)
    }

    @Test func `a collision takes a new name at once and says so`() {
        var bench = Bench.running { $0 == partyName(1) ? partyName(2) : partyName(3) }
        bench.give(.publish([ours]))
        bench.pass(.zero)
        bench.forget()
        bench.hear(.collided(partyName(1)))
        bench.pass(.zero)
        let renamed = Advertisement(name: partyName(2), port: ours.port, text: ours.text)
        #expect(
            bench.actions == [
                .withdraw(partyName(1)), .tell(.renamed(from: partyName(1), to: partyName(2))), .publish(renamed),
            ]
        )
        bench.hear(.collided(partyName(1)))
        #expect(bench.actions.count == 3)
    }

    @Test func `who collides with every name of ours is not followed quickly`() {
        var bench = Bench.running { _ in partyName(.random(in: 2 ... .max)) }
        bench.give(.publish([ours]))
        for _ in 0..<3_600 {
            if let name = bench.published.last { bench.hear(.collided(name)) }
            bench.pass(.seconds(1))
        }
        #expect((10...70).contains(bench.published.count))
    }

    @Test func `what could not be published is tried again after a growing pause`() {
        var bench = Bench.running()
        bench.give(.publish([ours]))
        bench.pass(.zero)
        for pause in [1, 2, 4] {
            bench.forget()
            bench.hear(.refused(ours.name))
            bench.pass(.milliseconds(pause * 1_000 - 1))
            #expect(bench.actions == [.withdraw(ours.name)])
            bench.pass(.milliseconds(1))
            #expect(bench.actions.last == .publish(ours))
        }
    }

    @Test func `while the host gets a new name services go, then come again`() {
        var bench = Bench.running()
        bench.give(.publish([ours]))
        bench.pass(.zero)
        bench.forget()
        bench.give(.registering)
        bench.pass(.seconds(10))
        #expect(bench.actions == [.withdraw(ours.name)])
        bench.give(.running)
        bench.pass(.zero)
        #expect(bench.actions.last == .publish(ours))
        #expect(bench.told.isEmpty)
    }

    @Test func `no more is published than the limit allows`() {
        var bench = Bench.running()
        bench.give(.publish((1...100).map { Advertisement(name: partyName($0), port: 1) }))
        bench.pass(.zero)
        #expect(bench.published.count == 64)
    }
}
