// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire
import Testing

@testable import MingleReplica

/// How what was let go of comes back, and what does not.
struct QuotaReturnTests {
    /// Somebody who waits for more than is to be kept of the flood, as the figure was another one.
    private func waiting(for flood: Flood, holding count: Int, at path: String) throws -> Replica {
        let reader = try flood.reader(holding: nil, path: path)
        _ = try reader.merge([Run(travelling: flood.deltas).withoutPayloads { _ in true }])
        try reader.close()
        let quota = Quota(words: count * flood.size)
        return try Replica(path: path, event: flood.world.event, own: reader.own, quota: quota)
    }

    @Test func `of payloads that come for what is waited for no more are kept than fit`() throws {
        let folder = try TemporaryFolder()
        let flood = try Flood(seed: 931, count: 10)
        let reader = try waiting(for: flood, holding: 4, at: folder.file("replica.sqlite"))
        let outcome = try reader.merge(payloads: flood.deltas.map { ($0.reference, $0.payload ?? []) })
        #expect(outcome.refusedPayloads.isEmpty)
        #expect(try reader.holds(flood.references).count { $0 } == 4 && reader.quays() == 4)
        #expect(try reader.missingPayloads(limit: 100).isEmpty && reader.isUsageCounted())
        #expect(try reader.beyondQuota().map(\.count) == [6])
        try reader.close()
    }

    @Test func `of runs that come again for what is waited for no more is kept than fits`() throws {
        let folder = try TemporaryFolder()
        let flood = try Flood(seed: 932, count: 10)
        let reader = try waiting(for: flood, holding: 4, at: folder.file("replica.sqlite"))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.holds(flood.references).count { $0 } == 4 && reader.isUsageCounted())
        try reader.close()
    }

    @Test func `a person's node says of what it let go of that it may come, and a relay that it does not`() throws {
        let flood = try Flood(seed: 933, count: 3)
        let reader = try flood.reader(holding: 2)
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.payloads([flood.references[2]]) == [.absent])
    }

    @Test func `what fits again comes back in goes that are bounded, until all has`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let flood = try Flood(seed: 934, count: 5)
        let small = try flood.reader(holding: 0, path: path)
        _ = try small.merge([Run(travelling: flood.deltas)])
        try small.close()
        let reader = try Replica(path: path, event: flood.world.event, own: small.own)
        // The founder's words are asked for again, too.
        for count in [2, 4] {
            let review = try reader.reviewQuota(atMost: 2)
            #expect(try !review.missing.isEmpty && !review.isDone && reader.missingPayloads(limit: 100).count == count)
        }
        while try !reader.reviewQuota(atMost: 2).isDone {}
        #expect(try reader.missingPayloads(limit: 100).count == 6 && reader.isUsageCounted())
        #expect(try reader.reviewQuota(atMost: 2) == QuotaReview())
        try reader.close()
    }

    @Test func `what comes back is asked for whatever else is missing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let flood = try Flood(seed: 939, count: 5)
        let small = try flood.reader(holding: 2, path: path)
        _ = try small.merge([Run(travelling: flood.deltas).withoutPayloads { _ in true }])
        try small.close()
        let reader = try Replica(path: path, event: flood.world.event, own: small.own)
        let earlier = try reader.missingPayloads(limit: 100)
        let missing = try reader.reviewQuota().missing
        #expect(Set(missing.map(\.reference)).isDisjoint(with: earlier.map(\.reference)) && missing.count == 3)
        #expect(missing.map(\.reference) == Array(flood.references.suffix(3)))
        var (pages, row) = ([Reference](), Int64?.some(0))
        while let start = row {
            let page = try reader.missingPayloads(after: start, limit: 2)
            pages += page.payloads.map(\.reference)
            row = page.last
        }
        #expect(pages == (earlier + missing).map(\.reference))
        try reader.close()
    }

    @Test func `what does not fit is no reason to look again`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let flood = try Flood(seed: 938, count: 5)
        let small = try flood.reader(holding: 0, path: path)
        _ = try small.merge([Run(travelling: flood.deltas)])
        try small.close()
        let quota = Quota(words: 5 * flood.size / 2)
        let reader = try Replica(path: path, event: flood.world.event, own: small.own, quota: quota)
        _ = try reader.reviewQuota()
        #expect(try !reader.missingPayloads(limit: 100).isEmpty && reader.beyondQuota().map(\.count) == [3])
        #expect(try reader.reviewQuota(atMost: 1) == QuotaReview())
        try reader.close()
    }

    @Test func `words that do not fit keep no key from coming back`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("replica.sqlite")
        let world = try PrivateWorld(seed: 935)
        let moment = try world.makeMoment(inviting: [world.dora])
        for _ in 0..<5 { try world.say(world.comment("Among us", on: moment), by: world.bob) }
        let own = world.dora.own
        let none = try Replica(path: path, event: world.event.event, own: own, quota: Quota(words: 0, keys: 0))
        for other in [world.event.founder, world.dora, world.bob] { try none.receiveAll(from: other) }
        #expect(try none.epochKeys(of: world.audience).isEmpty)
        try none.close()
        let reader = try Replica(path: path, event: world.event.event, own: own, quota: Quota(words: 0, keys: 1 << 20))
        #expect(try !reader.reviewQuota(atMost: 2).missing.isEmpty)
        try reader.receiveAll(from: world.bob)
        #expect(try !reader.epochKeys(of: world.audience).isEmpty && reader.lines("Among us").isEmpty)
        try reader.close()
    }

    @Test func `room is said to have come by a deletion, and only where something was let go of`() throws {
        var flood = try Flood(seed: 936, count: 4)
        flood.delete(0)
        let (small, large) = (try flood.reader(holding: 3), try flood.reader(holding: 4))
        #expect(try small.merge([Run(travelling: flood.deltas)]).hasRoom)
        #expect(try !large.merge([Run(travelling: flood.deltas)]).hasRoom)
    }

    @Test func `a count that is not what the journals hold is found`() throws {
        let folder = try TemporaryFolder()
        let flood = try Flood(seed: 937, count: 3)
        let reader = try flood.reader(holding: 2, path: folder.file("replica.sqlite"))
        _ = try reader.merge([Run(travelling: flood.deltas)])
        #expect(try reader.inspect(copyingTo: folder.file("copy")).isSound)
        try reader.write(isDurable: false) { try $0.run("UPDATE usage SET words = words + 1", []) }
        #expect(try !reader.inspect(copyingTo: folder.file("copy")).isSound)
        try reader.close()
    }
}
