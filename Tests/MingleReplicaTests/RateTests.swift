// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

private let hour: Int64 = 3_600_000

/// How much is held of what one person dates within one hour.
struct RateTests {
    /// What an author's clock said who wrote so much in each of some hours.
    private static func times(_ count: Int, in hours: Int64...) -> [Int64] {
        hours.flatMap { at in (0..<Int64(count)).map { at * hour + $0 * 1000 } }
    }

    @Test func `of what somebody dates within one hour no more is held, and all headers are`() throws {
        let flood = try Flood(seed: 950, times: Self.times(10, in: 5))
        let (reader, all) = (try flood.reader(within: Quota(hourly: 4)), try flood.reader(within: .customary))
        for replica in [reader, all] { _ = try replica.merge([Run(travelling: flood.deltas)]) }
        #expect(try reader.holds(flood.references) == (0..<10).map { $0 < 4 })
        #expect(try reader.missingPayloads(limit: 9).isEmpty)
        #expect(try reader.frontier() == all.frontier() && reader.quays() == 4 && all.quays() == 10)
        let beyond = try #require(try reader.beyondQuota().first)
        #expect(beyond == BeyondQuota(person: flood.author.own.person, count: 6, excess: .rate))
        #expect(try all.beyondQuota().isEmpty && reader.isUsageCounted() && all.isUsageCounted())
        // What comes again is known, with or without a run.
        #expect(try reader.merge([Run(travelling: flood.deltas)]).letGo.isEmpty)
        _ = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(try reader.quays() == 4 && reader.isUsageCounted())
    }

    @Test func `of a host more is kept of an hour, whether the level comes before or behind what the host wrote`()
        throws
    {
        let flood = try Flood(seed: 967, times: Self.times(11, in: 5))
        let (founder, host) = (flood.world.founder, flood.author.own.person)
        let (early, late) = (try flood.reader(within: Quota(hourly: 4)), try flood.reader(within: Quota(hourly: 4)))
        _ = try late.merge([Run(travelling: flood.deltas)])
        #expect(try late.quays() == 4)
        _ = try founder.merge([flood.introduction])
        try founder.say(.setLevel(host, .host), at: 3000, flood.world.randomness)
        try early.receiveAll(from: founder)
        _ = try early.merge([Run(travelling: flood.deltas)])
        let device = founder.own.name
        let held = try late.locator(of: device, .fabric)
        let runs = try founder.runs(of: device, .fabric, after: held, byteLimit: .max)
        #expect(try late.merge(runs).hasRoom && late.reviewQuota().missing.count == 6)
        _ = try late.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        for reader in [early, late] {
            #expect(try reader.quays() == 10 && reader.beyondQuota().map(\.count) == [1] && reader.isUsageCounted())
        }
        // Who came later to know that the host is none any more keeps as much.
        try founder.say(.setLevel(host, .attendee), at: 20_000_000, flood.world.randomness)
        let newcomer = try flood.reader(within: Quota(hourly: 4))
        _ = try newcomer.merge([Run(travelling: flood.deltas)])
        #expect(try newcomer.quays() == 10)
    }

    @Test func `who comes late gets all that was written hour by hour, at once`() throws {
        let flood = try Flood(seed: 951, times: Self.times(4, in: 1, 2, 3, 4, 5))
        let reader = try flood.reader(within: Quota(hourly: 4))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.quays() == 20 && reader.beyondQuota().isEmpty && reader.isUsageCounted())
    }

    @Test func `an hour begins with the hour and ends with the last millisecond of it`() throws {
        let flood = try Flood(seed: 952, times: [hour - 1, hour, 2 * hour - 1, 2 * hour])
        let reader = try flood.reader(within: Quota(hourly: 1))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.holds(flood.references) == [true, true, false, true])
    }

    @Test func `a clock that stands still is beyond the rate, and one that lies about the past meets the bytes`() throws
    {
        let still = try Flood(seed: 953, times: [Int64](repeating: 0, count: 6))
        let reader = try still.reader(within: Quota(hourly: 4))
        _ = try reader.merge([Run(travelling: still.deltas)])
        #expect(try reader.quays() == 4)
        // Times of every century, the last that there is among them.
        let lies = try Flood(seed: 954, times: (0..<9).map { $0 * hour * 876_000 } + [.max])
        let other = try lies.reader(within: Quota(words: 4 * lies.size, hourly: 4))
        _ = try other.merge([Run(travelling: lies.deltas)])
        #expect(try other.quays() == 4 && other.isUsageCounted())
        #expect(try other.beyondQuota().map(\.excess) == [.bytes] && other.reviewQuota().missing.isEmpty)
    }

    @Test(arguments: [false, true])
    func `what several devices of one person write counts together, in any order`(_ isReversed: Bool) throws {
        let flood = try Flood(seed: 955, times: Self.times(3, in: 1))
        let phone = flood.world.scribe(identity: flood.author.keys.identity)
        let other = Run(travelling: try phone.introduction(by: flood.world.invitation))
        let second = flood.deltas.reduce(into: [Delta]()) { deltas, delta in
            let time = hour + Int64(deltas.count)
            let entry = Scribe.Entry(time: time, root: .itself, plain: delta.payload ?? [], epoch: flood.world.epoch)
            deltas.append(phone.write(entry, after: deltas.last))
        }
        let runs = [Run(travelling: flood.deltas), Run(travelling: second)]
        let (reader, enough) = (try flood.reader(within: Quota(hourly: 4)), try flood.reader(within: Quota(hourly: 6)))
        for replica in [reader, enough] {
            _ = try replica.merge([other] + (isReversed ? runs.reversed() : runs))
            #expect(try replica.isUsageCounted())
        }
        #expect(try reader.beyondQuota().map(\.count) == [2] && enough.beyondQuota().isEmpty)
    }

    @Test func `a stolen device uses up the hour of its owner until it is retired, and then its own`() throws {
        var world = try TestEvent(seed: 956)
        let (phone, laptop) = try world.joinTwice()
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let bob = try Replica(path: nil, event: world.event, own: own, quota: Quota(hourly: 5))
        func say(_ name: String, by replica: Replica) throws -> Reference {
            try replica.say(.create(.place, on: .nothing, values: quayValues(name)), at: hour, world.randomness)
        }
        for number in 0..<8 { _ = try say("Stolen \(number)", by: phone) }
        for other in [world.founder, laptop, phone] { try bob.receiveAll(from: other) }
        let before = try say("Mine", by: laptop)
        try bob.receiveAll(from: laptop)
        #expect(try bob.holds([before]) == [false])
        try laptop.say(.retire(phone.own.name), at: hour, world.randomness)
        let after = try say("Mine", by: laptop)
        try bob.receiveAll(from: laptop)
        #expect(try bob.holds([after]) == [true])
        _ = try bob.reviewQuota()
        try bob.receiveAll(from: laptop)
        #expect(try bob.holds([before]) == [true] && bob.lines("Stolen").count <= 5 && bob.isUsageCounted())
    }

    @Test func `what a retired device wrote is not said to be too many bytes of its owner's`() throws {
        var world = try TestEvent(seed: 966)
        let (phone, laptop) = try world.joinTwice()
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        func say(_ name: String, by replica: Replica, at time: Int64 = hour) throws {
            try replica.say(.create(.place, on: .nothing, values: quayValues(name)), at: time, world.randomness)
        }
        let some = Int(Limits.payloadLength) + 2000
        let bob = try Replica(path: nil, event: world.event, own: own, quota: Quota(words: some, keys: some, hourly: 3))
        try laptop.say(.retire(phone.own.name), at: hour, world.randomness)
        for number in 0..<6 { try say("Mine \(number)", by: laptop) }
        for number in Int64(0)..<60 { try say("Stolen \(number)", by: phone, at: number * hour) }
        for other in [world.founder, laptop, phone] { try bob.receiveAll(from: other) }
        #expect(try bob.beyondQuota().map(\.excess) == [.rate] && bob.isUsageCounted())
    }

    @Test func `whatever a person wrote stays on the person's own devices, and fabric and keys are in no rate`() throws
    {
        let world = try PrivateWorld(seed: 957)
        let moment = try world.makeMoment(inviting: [world.dora])
        try world.say(world.comment("Among us", on: moment), by: world.bob)
        func reopen(_ own: OwnDevice) throws -> Replica {
            let replica = try Replica(path: nil, event: world.event.event, own: own, quota: Quota(hourly: 0))
            for other in [world.event.founder, world.dora, world.bob] { try replica.receiveAll(from: other) }
            return replica
        }
        let (dora, bob) = (try reopen(world.dora.own), try reopen(world.bob.own))
        #expect(try dora.people().map(\.level) == world.dora.people().map(\.level) && dora.hasKey())
        #expect(try !dora.epochKeys(of: world.audience).isEmpty && dora.lines("Among us").isEmpty)
        #expect(try bob.lines("Among us").count == 1 && !bob.beyondQuota().map(\.person).contains(world.bob.own.person))
        #expect(try dora.isUsageCounted() && bob.isUsageCounted())
    }

    @Test func `what is deleted gives room in its hour, and in no other`() throws {
        var flood = try Flood(seed: 958, times: Self.times(3, in: 1, 2))
        let reader = try flood.reader(within: Quota(hourly: 2))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.holds(flood.references) == [true, true, false, true, true, false])
        #expect(try reader.reviewQuota() == QuotaReview())
        flood.delete(3)
        #expect(try reader.merge([Run(travelling: flood.deltas)]).hasRoom)
        #expect(try reader.reviewQuota().missing.map(\.reference) == [flood.references[5]])
        _ = try reader.merge(payloads: [(flood.references[5], flood.deltas[5].payload ?? [])])
        #expect(try reader.quays() == 4 && reader.beyondQuota().map(\.count) == [1] && reader.isUsageCounted())
    }

    @Test func `a branch that fills the last hour that there is leaves room for what another one lacks`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let flood = try Flood(seed: 965, times: [0, .max, .max, .max, .max])
        var last = Optional(flood.deltas[0])
        let branch = try (0..<3).map { number in
            let change = Change(field: 1, value: .text("Quay \(number)"))
            let delta = flood.author.write(try flood.world.entry(.place, [change], time: 5 * hour), after: last)
            last = delta
            return delta
        }
        let small = try flood.reader(within: Quota(hourly: 1), path: path)
        _ = try small.merge([Run(travelling: flood.deltas)])
        _ = try small.merge([Run(travelling: [flood.deltas[0]] + branch)])
        #expect(try small.holds(branch.map(\.reference)) == [true, false, false])
        try small.close()
        let reader = try Replica(path: path, event: flood.world.event, own: small.own, quota: Quota(hourly: 2))
        let missing = try reader.reviewQuota().missing.map(\.reference)
        #expect(missing.contains(branch[1].reference) && !missing.contains(branch[2].reference))
        #expect(try missing.contains(flood.references[2]) && reader.isUsageCounted())
        try reader.close()
    }

    // MARK: - On the disk

    @Test func `a restart keeps the count, and with a larger figure what was let go of is fetched again`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let flood = try Flood(seed: 959, times: Self.times(6, in: 1, 2))
        var reader = try flood.reader(within: Quota(hourly: 2), path: path)
        func reopen(_ quota: Quota) throws {
            try reader.close()
            reader = try Replica(path: path, event: flood.world.event, own: reader.own, quota: quota)
        }
        _ = try reader.merge([Run(travelling: flood.deltas[..<3])])
        try reopen(Quota(hourly: 2))
        _ = try reader.merge([Run(travelling: flood.deltas[3...])])
        #expect(try reader.quays() == 4 && reader.reviewQuota() == QuotaReview() && reader.isUsageCounted())
        try reopen(Quota(hourly: 4))
        // Both hours have room for two more, and one go does not come as far.
        let (first, second) = (try reader.reviewQuota(atMost: 3), try reader.reviewQuota(atMost: 3))
        #expect(!first.isDone && second.isDone)
        #expect((first.missing + second.missing).map(\.reference) == [2, 3, 8, 9].map { flood.references[$0] })
        // What does not fit any more is not kept when it comes.
        try reopen(Quota(hourly: 3))
        _ = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(try reader.quays() == 6 && reader.missingPayloads(limit: 9).isEmpty && reader.isUsageCounted())
        try reopen(.customary)
        #expect(try reader.reviewQuota().missing.count == 6)
        _ = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(try reader.quays() == 12 && reader.beyondQuota().isEmpty && reader.isUsageCounted())
        let whole = try flood.reader(within: nil)
        _ = try whole.merge([Run(travelling: flood.deltas)])
        #expect(try whole.dump() == reader.dump())
        try reader.close()
    }

    @Test func `a count of hours that is not what the journals hold is found, and worked out anew it is right`() throws
    {
        let folder = try TemporaryFolder()
        let flood = try Flood(seed: 961, times: Self.times(3, in: 1))
        let reader = try flood.reader(within: Quota(hourly: 2), path: folder.file("replica.sqlite"))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.inspect(copyingTo: folder.file("copy")).isSound)
        try reader.write(isDurable: false) { try $0.run("UPDATE hourly SET words = words + 1", []) }
        #expect(try !reader.inspect(copyingTo: folder.file("copy")).isSound && !reader.isUsageCounted())
        _ = try reader.recompute()
        #expect(try reader.isUsageCounted() && reader.quays() == 2)
        try reader.close()
    }

    @Test func `what was let go of is found by an index, in the order of its times`() throws {
        let flood = try Flood(seed: 962, times: [4 * hour, 2 * hour, 3 * hour])
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let small = try flood.reader(within: Quota(hourly: 0), path: path)
        _ = try small.merge([Run(travelling: flood.deltas)])
        let plan = try small.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(LetGo.query)", arguments: [1, false, Data(), 9])
        }
        let search = "SEARCH journal USING INDEX journal_let_go (branch=? AND <expr>=? AND <expr>>?)"
        #expect(plan.map { $0["detail"] as String } == [search])
        try small.close()
        let reader = try Replica(path: path, event: flood.world.event, own: small.own)
        let missing = try reader.reviewQuota().missing.map(\.reference)
        #expect(missing.filter { flood.references.contains($0) } == [1, 2, 0].map { flood.references[$0] })
        try reader.close()
    }

    @Test func `a relay has no rate but its policy's, and says of which hour everything is`() throws {
        let flood = try Flood(seed: 964, times: Self.times(2, in: 1, 2))
        let relay = try flood.world.relay()
        try relay.begin(policy: "hourly 1")
        try relay.receiveAll(from: flood.world.founder)
        _ = try relay.merge([flood.introduction, Run(travelling: flood.deltas)])
        let words = try relay.holdings(byHour: true).suffix(4)
        #expect(try words.map(\.hour) == [1, 1, 2, 2] && relay.beyondQuota().isEmpty)
        _ = try relay.evict([words[words.endIndex - 1]])
        #expect(try relay.isUsageCounted() && relay.payloads([flood.references[3]]) == [.evicted])
        #expect(try relay.reviewQuota().missing.isEmpty && relay.missingPayloads(limit: 9).isEmpty)
    }

    @Test(arguments: [1, 2, 100])
    func `a journal that forks is counted in its hours by what is left of it`(_ hourly: Int) throws {
        let flood = try Flood(seed: 963, times: Self.times(1, in: 1))
        let reader = try flood.reader(within: Quota(hourly: hourly))
        for round in Int64(0)..<8 {
            let branch = try (0..<3).reduce(into: [flood.deltas[0]]) { deltas, number in
                let change = Change(field: 1, value: .text("Quay \(number)"))
                let entry = try flood.world.entry(.place, [change], time: round * hour)
                deltas.append(flood.author.write(entry, after: deltas.last))
            }
            _ = try reader.merge([Run(travelling: branch)])
            #expect(try reader.isUsageCounted())
            _ = try reader.reviewQuota()
            // No hour has room for more of what is there.
            #expect(try reader.isUsageCounted() && reader.reviewQuota() == QuotaReview())
        }
        #expect(try reader.beyondQuota().isEmpty == (hourly == 100))
    }
}
