// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// What somebody with a modified node does to others' connections.
struct ConnectionAttackTests {
    private static let on: [Change] = [Change(field: 1, value: .number(1))]

    /// Eve, whom everybody has let in.
    private func eve(in world: ConnectionWorld) throws -> Scribe {
        let eve = world.event.scribe()
        let introduction = Run(travelling: try eve.introduction(by: world.event.invitation))
        for reader in world.everybody { _ = try reader.merge([introduction]) }
        return eve
    }

    private func half(of target: Target, under epoch: TestEpoch) throws -> Scribe.Entry {
        let payload = RecordPayload(kind: Kind.connection.number, target: target, changes: Self.on)
        return Scribe.Entry(time: 6000, root: .none, plain: try payload.encoded(), epoch: epoch)
    }

    /// A key, brought to a device, and one half of a connection under it.
    private func write(
        _ audience: Audience,
        on target: Target,
        by eve: Scribe,
        for reader: Replica,
        after last: Delta?
    ) throws -> [Delta] {
        let epoch = TestEpoch(eve.randomness, event: eve.event, for: audience, by: eve.own.name)
        let plain = try epoch.payload(from: eve.keys.agreement, to: reader.own.agreement.publicKey, eve.randomness)
        let key = eve.write(Scribe.Entry(plain: plain), after: last)
        return [key, eve.write(try half(of: target, under: epoch), after: key)]
    }

    @Test func `a half counts in its author's name alone, among the two alone, and about the other alone`() throws {
        let world = try ConnectionWorld(seed: 741)
        let eve = try eve(in: world)
        let (anna, bob, me) = (world.anna.own.person, world.bob.own.person, eve.own.person)
        let aims: [(Audience, Target)] = [
            (world.pair, .person(anna)), (world.pair, .person(bob)), (.between(anna, and: me), .person(bob)),
            (.between(anna, and: me), .person(me)), (.between(anna, and: me), .nothing),
            (.between(bob, and: me), .person(anna)), (.own(me), .person(anna)), (.own(anna), .person(anna)),
            (.reports(by: me), .person(anna)),
        ]
        var written: [Delta] = []
        for (audience, target) in aims {
            written += try write(audience, on: target, by: eve, for: world.anna, after: written.last)
        }
        written.append(eve.write(try half(of: .person(anna), under: world.event.epoch), after: written.last))
        _ = try world.anna.merge([Run(travelling: written)])
        #expect(try world.anna.connections().isEmpty && world.anna.lines("connection\t").isEmpty)
        written += try write(.between(anna, and: me), on: .person(anna), by: eve, for: world.anna, after: written.last)
        _ = try world.anna.merge([Run(travelling: written)])
        #expect(try world.anna.connections().map(\.person.id) == [me])
    }

    @Test func `nobody is in an audience of two alone`() throws {
        let world = try ConnectionWorld(seed: 742)
        let (anna, bob) = (world.anna.own.person, world.bob.own.person)
        let rule = Kind.connection.audience
        #expect(rule.admits(world.pair, on: .person(anna), by: bob))
        #expect(!rule.admits(world.pair, on: .person(bob), by: bob) && !rule.admits(world.pair, on: nil, by: bob))
        #expect(!rule.admits(.between(anna, and: anna), on: .person(anna), by: anna))
        #expect(!rule.admits(.event, on: .person(anna), by: bob))
    }

    @Test func `what somebody shows of a connection to a third person is nobody's request there`() throws {
        let world = try ConnectionWorld(seed: 743)
        let eve = try eve(in: world)
        let (bob, me) = (world.bob.own.person, eve.own.person)
        let shown = try write(.between(bob, and: me), on: .person(bob), by: eve, for: world.anna, after: nil)
        _ = try world.anna.merge([Run(travelling: shown)])
        // Eve gave it away, so it can be read; it is between her and Bob all the same.
        #expect(try world.anna.lines("connection\t").count == 1 && world.anna.connections().isEmpty)
        #expect(try world.anna.connection(with: me) == .unconnected)
    }

    @Test func `keys for made-up pairs, or for others' pairs, are handed on to nobody`() throws {
        let world = try ConnectionWorld(seed: 744)
        let eve = try eve(in: world)
        let (anna, me) = (world.anna.own.person, eve.own.person)
        var written: [Delta] = []
        let strangers = (0..<100).map { _ in TestKeys(world.event.randomness).person }
        for other in strangers + [world.bob.own.person] {
            written += try write(
                .between(anna, and: other),
                on: .person(anna),
                by: eve,
                for: world.anna,
                after: written.last
            )
        }
        // The event's, which Eve has from whoever let her in.
        _ = try world.tendKeys(of: [world.anna])
        for run in Run.split(signing: written) { _ = try world.anna.merge([run]) }
        #expect(try world.anna.connections().isEmpty && world.anna.lines("connection\t").isEmpty)
        #expect(try world.tendKeys(of: [world.anna]) == 0)
        // Of Eve's own pair it hands her keys on to Anna's laptop.
        let half = try write(.between(anna, and: me), on: .person(anna), by: eve, for: world.anna, after: written.last)
        for run in Run.split(signing: written + half) { _ = try world.anna.merge([run]) }
        #expect(try world.tendKeys(of: [world.anna]) == 1)
    }

    @Test(arguments: [false, true])
    func `many keys of somebody who asks leave room for one's own connections, also once that was declined`(
        isDeclined: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try ConnectionWorld(seed: 745, annaPath: path)
        let eve = try eve(in: world)
        try world.anna.close()
        let quota = Quota(words: 1 << 20, keys: 40_000)
        let anna = try Replica(path: path, event: world.event.event, own: world.anna.own, ownQuota: quota)
        let pair = Audience.between(anna.own.person, and: eve.own.person)
        var written: [Delta] = []
        for _ in 0..<40 {
            let key = try write(pair, on: .person(anna.own.person), by: eve, for: anna, after: written.last)
            written += key
            for run in Run.split(signing: written) { _ = try anna.merge([run]) }
            if isDeclined, let draft = try anna.draft(connecting: false, with: eve.own.person) {
                try anna.say(draft, at: 7000, world.event.randomness)
            }
            _ = try world.tendKeys(of: [anna])
        }
        let used = try anna.write(isDurable: false) { transaction in
            transaction.memory.devices[anna.own.name].map { transaction.usage(of: $0.id).keys } ?? 0
        }
        #expect(used > 9000 && used < 20_000)
        try world.write(anna, with: world.bob, at: 8000)
        try world.bob.receiveAll(from: anna)
        #expect(try world.bob.connection(with: anna.own.person) == .asks)
        try anna.close()
    }

    @Test func `one's own halves reach one's new devices when strangers have used up what is for others`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try ConnectionWorld(seed: 748, annaPath: path)
        let eve = try eve(in: world)
        try world.connect(world.anna, with: world.bob, at: 5000)
        try world.anna.close()
        let quota = Quota(words: 1 << 20, keys: 40_000)
        let anna = try Replica(path: path, event: world.event.event, own: world.anna.own, ownQuota: quota)
        let pair = Audience.between(anna.own.person, and: eve.own.person)
        var written: [Delta] = []
        for _ in 0..<40 {
            written += try write(pair, on: .person(anna.own.person), by: eve, for: anna, after: written.last)
            for run in Run.split(signing: written) { _ = try anna.merge([run]) }
            _ = try world.tendKeys(of: [anna])
        }
        #expect(try anna.write(isDurable: false) { !$0.hasRoomForKeys(of: 1, for: .dutyToOthers) })
        let tablet = try world.lateDevice()
        try anna.receiveAll(from: tablet)
        _ = try world.tendKeys(of: [anna])
        #expect(try world.tendKeys(of: [anna]) == 0)
        try tablet.receiveAll(from: anna)
        #expect(try tablet.connection(with: world.bob.own.person) == .asked)
        try anna.close()
    }

    @Test func `a request reaches all devices however many private moments strangers invite one to`() throws {
        let world = try ConnectionWorld(seed: 746)
        for number in 0..<70 {
            let salt = [UInt8](repeating: UInt8(number), count: Audience.saltLength)
            let trap = Audience.guests(owner: world.carl.own.person, salt: salt)
            let draft = Draft.create(.moment, on: .nothing, values: momentValues("Trap"), for: trap)
            let moment = try world.carl.say(draft, at: 4000, world.event.randomness)
            try world.carl.say(.invite(world.anna.own.person, to: moment), at: 4001, world.event.randomness)
        }
        try world.connect(world.bob, with: world.anna, at: 5000)
        let tablet = try world.lateDevice()
        try world.meet(with: tablet)
        let now = Timestamp(milliseconds: 9000)
        for _ in 0..<100 {
            guard let need = try world.anna.keyNeed(at: now) else { break }
            _ = try world.anna.handOnKeys(of: need.audience, at: now, randomness: world.event.randomness)
        }
        try world.meet(with: tablet)
        #expect(try tablet.connections().map(\.state) == [.asks])
    }

    @Test func `who has written all that others keep still declines, and takes back`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try ConnectionWorld(seed: 747, annaPath: path)
        try world.connect(world.carl, with: world.anna, at: 5000)
        try world.connect(world.anna, with: world.bob, at: 5000)
        try world.anna.close()
        let quota = Quota(words: 10, keys: 1 << 20)
        let anna = try Replica(path: path, event: world.event.event, own: world.anna.own, ownQuota: quota)
        #expect(throws: ReplicaError.quotaReached(7)) { try world.write(anna, with: world.carl, at: 6000) }
        for other in [world.bob, world.carl] { try world.write(anna, with: other, false, at: 6001) }
        #expect(try anna.connections().isEmpty)
        try anna.close()
    }
}

extension Run {
    /// Deltas of one journal as they travel.
    fileprivate static func split(signing deltas: [Delta]) -> [Run] {
        stride(from: 0, to: deltas.count, by: Limits.runLength).map { start in
            Run(travelling: deltas[start..<min(start + Limits.runLength, deltas.count)])
        }
    }
}
