// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// How much is held of one person.
struct QuotaTests {
    @Test func `of a flood beyond the quota the headers are held and handed on, and no payloads`() throws {
        let flood = try Flood(seed: 901, count: 10)
        let (reader, all) = (try flood.reader(holding: 4), try flood.reader(holding: nil))
        _ = try all.merge([Run(travelling: flood.deltas)])
        let outcome = try reader.merge([Run(travelling: flood.deltas)])
        #expect(outcome.letGo.count == 6 && outcome.newHeaders == 10 && outcome.missingPayloads.isEmpty)
        #expect(try reader.holds(flood.references) == (0..<10).map { $0 < 4 })
        #expect(try reader.payloads([flood.references[9]]) == [.absent])
        #expect(try reader.missingPayloads(limit: 100).isEmpty && reader.quays() == 4 && all.quays() == 10)
        #expect(try reader.frontier() == all.frontier() && all.beyondQuota().isEmpty)
        let beyond = try #require(try reader.beyondQuota().first)
        #expect(beyond.person == flood.author.own.person && beyond.count == 6)
        // What comes again is known, with or without a run.
        let again = try reader.merge([Run(travelling: flood.deltas)])
        #expect(again.letGo.isEmpty && again.newHeaders == 0)
        let payloads = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(payloads.refusedPayloads.isEmpty)
        #expect(try reader.quays() == 4 && reader.isUsageCounted())
        // Whoever gets the headers here finds the payloads elsewhere.
        let late = try flood.reader(holding: nil)
        try late.receiveAll(from: reader)
        #expect(try late.frontier() == all.frontier() && late.missingPayloads(limit: 100).count == 6)
        try late.receiveAll(from: all)
        #expect(try late.quays() == 10 && late.isUsageCounted())
    }

    @Test func `working everything out anew asks for nothing that was let go of, and counts the same`() throws {
        var flood = try Flood(seed: 902, count: 6)
        flood.delete(0)
        let reader = try flood.reader(holding: 4)
        _ = try reader.merge([Run(travelling: flood.deltas)])
        let (dump, before) = (try reader.dump(), try reader.read { try Counts.stored($0) })
        _ = try reader.recompute()
        #expect(try reader.dump() == dump && reader.read { try Counts.stored($0) } == before && reader.isUsageCounted())
        #expect(try reader.missingPayloads(limit: 100).isEmpty && reader.beyondQuota().map(\.count) == [2])
    }

    @Test func `payloads that follow their headers in any order fill what the headers were promised`() throws {
        let flood = try Flood(seed: 903, count: 10)
        let reader = try flood.reader(holding: 4)
        let bare = Run(travelling: flood.deltas).withoutPayloads { $0.header.sequence % 2 == 0 }
        let outcome = try reader.merge([bare])
        #expect(outcome.missingPayloads.map(\.reference) == [1, 3].map { flood.references[$0] })
        _ = try reader.merge(payloads: flood.deltas.reversed().map { ($0.reference, $0.payload ?? []) })
        #expect(try reader.holds(flood.references) == (0..<10).map { $0 < 4 })
        #expect(try reader.missingPayloads(limit: 100).isEmpty && reader.isUsageCounted())
    }

    @Test func `of journals that come in any order as much is held, and below the quota all of it`() throws {
        let flood = try Flood(seed: 904, count: 4)
        let phone = flood.world.scribe(identity: flood.author.keys.identity)
        let other = Run(travelling: try phone.introduction(by: flood.world.invitation))
        var second: [Delta] = []
        for delta in flood.deltas {
            let entry = Scribe.Entry(time: 3000, root: .itself, plain: delta.payload ?? [], epoch: flood.world.epoch)
            second.append(phone.write(entry, after: second.last))
        }
        let total = flood.size * 4 + second.reduce(0) { $0 + Int($1.header.payloadLength) }
        let runs = [Run(travelling: flood.deltas), Run(travelling: second)]
        for order in [runs, runs.reversed()] {
            let (small, whole) = (try flood.reader(holding: 5), try flood.reader(holding: nil))
            let enough = try Replica(
                path: nil,
                event: flood.world.event,
                own: TestKeys(flood.world.randomness).own(in: flood.world.event, invitation: flood.world.invitation),
                quota: Quota(words: total)
            )
            try enough.receiveAll(from: flood.world.founder)
            for reader in [small, whole, enough] { _ = try reader.merge([flood.introduction, other] + order) }
            #expect(try enough.frontier() == whole.frontier() && enough.dump() == whole.dump())
            #expect(try enough.beyondQuota().isEmpty && small.frontier() == whole.frontier())
            #expect(try small.beyondQuota().count == 1 && small.isUsageCounted() && enough.isUsageCounted())
        }
    }

    @Test func `what is deleted gives room, and what was let go of is asked for again`() throws {
        var flood = try Flood(seed: 905, count: 6)
        let reader = try flood.reader(holding: 4)
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.reviewQuota().missing.isEmpty && reader.missingPayloads(limit: 100).isEmpty)
        flood.delete(1)
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try !reader.reviewQuota().missing.isEmpty)
        #expect(try reader.missingPayloads(limit: 100).map(\.reference) == [flood.references[4]])
        #expect(try reader.reviewQuota().missing.isEmpty)
        _ = try reader.merge(payloads: [(flood.references[4], flood.deltas[4].payload ?? [])])
        #expect(try reader.holds(flood.references).prefix(6) == [true, false, true, true, true, false])
        #expect(try reader.quays() == 4 && reader.isUsageCounted())
        // Of what was let go of nothing is left to ask for, once it is deleted.
        flood.delete(5)
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.payloads([flood.references[5]]) == [.erased] && reader.beyondQuota().isEmpty)
        #expect(try reader.reviewQuota().missing.isEmpty && reader.isUsageCounted())
    }

    @Test func `a deletion counts that comes first, and what it erases takes no room`() throws {
        var flood = try Flood(seed: 906, count: 3)
        flood.delete(0)
        try flood.write()
        flood.delete(4)
        let other = flood.world.scribe(identity: flood.author.keys.identity)
        var entry = Scribe.Entry(time: 4000, root: .reference(flood.references[1]), isDeletion: true)
        entry.time = 4001
        let first = Run(travelling: [other.write(entry, after: nil)])
        let reader = try flood.reader(holding: 2)
        _ = try reader.merge([Run(travelling: try other.introduction(by: flood.world.invitation)), first])
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.payloads([0, 1, 4].map { flood.references[$0] }) == [.erased, .erased, .erased])
        #expect(try reader.isUsageCounted())
        _ = try reader.reviewQuota()
        _ = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(
            try reader.holds([flood.references[2]]) == [true] && reader.beyondQuota().isEmpty && reader.isUsageCounted()
        )
    }

    @Test func `a person writes as much as others keep, is told so, and goes on after a deletion`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        var world = try TestEvent(seed: 907)
        let ana = try world.join(path: path)
        try ana.close()
        let small = try Replica(path: path, event: world.event, own: ana.own, ownQuota: Quota(words: 1000))
        func say(_ text: String) throws -> Reference {
            try small.say(.create(.place, on: .nothing, values: quayValues(text)), at: 3000, world.randomness)
        }
        var places: [Reference] = []
        let refusal = #expect(throws: ReplicaError.self) {
            for number in 0..<100 { places.append(try say("Quay \(number)")) }
        }
        #expect(refusal == .quotaReached(750) && !places.isEmpty && places.count < 100)
        #expect(try small.isUsageCounted() && small.quays() == places.count)
        try small.say(.delete(places[0]), at: 3001, world.randomness)
        _ = try say("Quay A")
        #expect(throws: ReplicaError.quotaReached(750)) { try say("Quay B") }
        #expect(try small.isUsageCounted())
        try small.close()
    }

    @Test func `who has posted as much as others keep can still say who is invited no more`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try PrivateWorld(seed: 908, doraPath: path)
        let (carl, random) = (world.carl.own.person, world.event.randomness)
        let audience = Audience.guests(owner: world.dora.own.person, salt: random.bytes(Audience.saltLength))
        try world.dora.close()
        let quota = Quota(words: 8000, keys: 1 << 20)
        let dora = try Replica(path: path, event: world.event.event, own: world.dora.own, ownQuota: quota)
        // To take back an invitation of somebody who wrote takes more words than to post one letter.
        try world.say(.create(.place, on: .nothing, values: quayValues("Quay")), by: world.carl, at: 4000)
        try dora.receiveAll(from: world.carl)
        let moment = try dora.say(
            .create(.moment, on: .nothing, values: momentValues("Surprise"), for: audience),
            at: 5000,
            random
        )
        try dora.say(.invite(carl, to: moment), at: 5001, random)
        let refusal = #expect(throws: ReplicaError.self) {
            for time in 6000..<7000 { try dora.say(world.comment("x", on: moment), at: Int64(time), random) }
        }
        #expect(refusal == .quotaReached(6000))
        #expect(throws: Never.self) { try dora.say(.uninvite(carl, from: moment), at: 8000, random) }
        #expect(try dora.isUsageCounted())
        try dora.close()
    }

    @Test func `whatever a person wrote stays on the person's own devices`() throws {
        var world = try TestEvent(seed: 909)
        let (phone, laptop) = try world.joinTwice()
        let small = try Replica(path: nil, event: world.event, own: laptop.own, quota: Quota(words: 0))
        try small.receiveAll(from: laptop)
        let reference = try phone.say(
            .create(.place, on: .nothing, values: quayValues("Quay")),
            at: 3000,
            world.randomness
        )
        try small.receiveAll(from: phone)
        #expect(try small.holds([reference]) == [true] && small.quays() == 1)
        // The founder's words do not fit; the founder's fabric is in no quota.
        #expect(try small.beyondQuota().map(\.person) == [world.founder.own.person])
        #expect(try small.people().count == 2 && small.hasKey() && small.isUsageCounted())
    }

    @Test func `words take no room from the keys of private moments, nor keys from words`() throws {
        let world = try PrivateWorld(seed: 910)
        let moment = try world.makeMoment(inviting: [world.dora])
        try world.say(world.comment("Among us", on: moment), by: world.bob)
        func dora(_ quota: Quota) throws -> Replica {
            let dora = try Replica(path: nil, event: world.event.event, own: world.dora.own, quota: quota)
            for other in [world.event.founder, world.dora, world.bob] { try dora.receiveAll(from: other) }
            #expect(try dora.frontier().entries.count >= 4 && dora.isUsageCounted())
            #expect(try dora.people().map(\.level) == world.dora.people().map(\.level))
            return dora
        }
        let wordless = try dora(Quota(words: 0, keys: 1 << 20))
        #expect(try !wordless.epochKeys(of: world.audience).isEmpty && wordless.lines("Among us").isEmpty)
        let keyless = try dora(Quota(words: 1 << 20, keys: 0))
        #expect(try keyless.epochKeys(of: world.audience).isEmpty && keyless.missingPayloads(limit: 10).isEmpty)
        #expect(try keyless.beyondQuota().map(\.person) == [world.bob.own.person])
        // With room for it the key comes, and opens what waited.
        let bob = try keyless.merge(
            world.bob.runs(of: world.bob.own.name, .content, after: [], byteLimit: .max)
        )
        #expect(bob.newHeaders == 0 && bob.letGo.isEmpty)
    }

    // MARK: - On the disk

    @Test func `a restart keeps the count, and another quota applies from then on`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let flood = try Flood(seed: 911, count: 12)
        var reader = try flood.reader(holding: 4, path: path)
        let own = reader.own
        func reopen(holding count: Int) throws {
            try reader.close()
            let quota = Quota(words: count * flood.size)
            reader = try Replica(path: path, event: flood.world.event, own: own, quota: quota)
        }
        _ = try reader.merge([Run(travelling: flood.deltas[..<6])])
        try reopen(holding: 4)
        #expect(try reader.reviewQuota().missing.isEmpty)
        _ = try reader.merge([Run(travelling: flood.deltas[6..<8])])
        #expect(try reader.beyondQuota().map(\.count) == [4] && reader.quays() == 4 && reader.isUsageCounted())
        // What is here stays, however little is to be kept; nothing else comes.
        try reopen(holding: 2)
        #expect(try reader.reviewQuota().missing.isEmpty && reader.quays() == 4)
        _ = try reader.merge([Run(travelling: flood.deltas[8..<9])])
        #expect(try reader.quays() == 4 && reader.beyondQuota().map(\.count) == [5])
        try reopen(holding: 7)
        #expect(try !reader.reviewQuota().missing.isEmpty && reader.missingPayloads(limit: 100).count == 3)
        // What does not fit any more is not kept when it comes.
        try reopen(holding: 5)
        #expect(try reader.reviewQuota().missing.isEmpty)
        _ = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(try reader.quays() == 5 && reader.missingPayloads(limit: 100).isEmpty && reader.isUsageCounted())
        try reader.close()
    }

    @Test func `a repair keeps what is here, and of what is waited for no more than fits`() throws {
        let folder = try TemporaryFolder()
        let (path, new) = (folder.file("replica.sqlite"), folder.file("new"))
        let flood = try Flood(seed: 913, count: 8)
        let reader = try flood.reader(holding: 5, path: path)
        _ = try reader.merge([Run(travelling: flood.deltas)])
        let frontier = try reader.frontier()
        try reader.close()
        _ = try Replica.rebuild(from: path, into: new, event: flood.world.event, own: reader.own)
        let rebuilt = try Replica(
            path: new,
            event: flood.world.event,
            own: reader.own,
            quota: Quota(words: 4 * flood.size)
        )
        #expect(try rebuilt.reviewQuota().missing.isEmpty && rebuilt.missingPayloads(limit: 100).count == 3)
        #expect(try rebuilt.frontier() == frontier && rebuilt.quays() == 5 && rebuilt.isUsageCounted())
        _ = try rebuilt.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(try rebuilt.quays() == 5 && rebuilt.beyondQuota().map(\.count) == [3] && rebuilt.isUsageCounted())
        try rebuilt.close()
    }

    @Test func `a journal that forks is counted by what is left of it`() throws {
        let flood = try Flood(seed: 914, count: 1)
        let reader = try flood.reader(holding: 100)
        for _ in 0..<8 {
            let branch = try (0..<3).reduce(into: [flood.deltas[0]]) { deltas, number in
                let change = Change(field: 1, value: .text("Quay \(number)"))
                deltas.append(flood.author.write(try flood.world.entry(.place, [change]), after: deltas.last))
            }
            _ = try reader.merge([Run(travelling: branch)])
            #expect(try reader.isUsageCounted())
        }
    }

    @Test func `a relay counts what its policy lets go of, and asks for none of it by itself`() throws {
        var world = try TestEvent(seed: 915)
        let ana = try world.join()
        let relay = try world.relay()
        try relay.begin(policy: "days 1")
        try ana.say(.create(.place, on: .nothing, values: quayValues("Quay")), at: 3000, world.randomness)
        for other in [world.founder, ana] { try relay.receiveAll(from: other) }
        #expect(try relay.isUsageCounted())
        _ = try relay.evict(relay.holdings())
        #expect(try relay.reviewQuota().missing.isEmpty && relay.missingPayloads(limit: 10).isEmpty)
        #expect(try relay.isUsageCounted())
        try relay.begin(policy: "")
        #expect(
            try relay.isUsageCounted() && relay.beyondQuota().isEmpty && relay.missingPayloads(limit: 10).count == 2
        )
    }
}
