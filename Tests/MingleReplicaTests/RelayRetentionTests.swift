// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Testing

/// What a relay lets go of, and when that is wanted again.
struct RelayRetentionTests {
    @Test func `what was evicted is answered so, comes back by no run, and stays deleted once it is deleted`() throws {
        var world = try TestEvent(seed: 609)
        let ana = try world.join()
        let relay = try world.joinRelay()
        let pictures = try (1...2).map { try ana.share($0, at: 3000, world) }
        try world.meet([ana, relay])
        let outcome = try relay.evict(relay.holdings())
        #expect(outcome.hasErased)
        #expect(try relay.payloads(pictures) == [.evicted, .evicted])
        #expect(try relay.givenUp(among: [ana.picture(1)]) == [ana.picture(1)])
        #expect(try relay.evictedCounts().blobs >= 2)
        #expect(try relay.missingPayloads(limit: 10).isEmpty && relay.holdings().isEmpty)
        let again = try relay.merge(ana.runs(of: ana.own.name, .content, after: [], byteLimit: .max))
        #expect(again.missingPayloads.isEmpty)
        _ = try relay.recompute()
        #expect(try relay.payloads(pictures) == [.evicted, .evicted])
        #expect(try relay.frontier() == ana.frontier())
        // Headers are served as before, and without payloads nobody shows anything.
        let own = TestKeys(world.randomness).own(in: world.event, invitation: world.invitation)
        let reader = try Replica(path: nil, event: world.event, own: own)
        try reader.receiveAll(from: relay)
        #expect(try Set(reader.missingPayloads(limit: 10).map(\.reference)).isSuperset(of: pictures))
        #expect(try reader.hasKey() && reader.dump().isEmpty)
        try ana.say(.delete(pictures[0]), at: 3001, world.randomness)
        _ = try relay.receiveContent(of: ana)
        #expect(try relay.payloads(pictures) == [.erased, .evicted])
    }

    @Test func `another policy asks again for what the one before let go of`() throws {
        var world = try TestEvent(seed: 610)
        let ana = try world.join()
        let relay = try world.joinRelay()
        try relay.begin(policy: "days 1")
        _ = try ana.share(1, at: 3000, world)
        try world.meet([ana, relay])
        _ = try relay.evict(relay.holdings())
        try relay.begin(policy: "days 1")
        #expect(try relay.evictedCounts().payloads == 2 && relay.missingPayloads(limit: 10).isEmpty)
        try relay.begin(policy: "")
        #expect(try relay.evictedCounts() == (0, 0) && relay.missingPayloads(limit: 10).count == 2)
        try relay.receiveAll(from: ana)
        #expect(try relay.missingPayloads(limit: 10).isEmpty)
    }

    @Test func `what is deleted and shared again is wanted again, in one merge or in two`() throws {
        for isTogether in [false, true] {
            var world = try TestEvent(seed: 615)
            let (ana, relay) = (try world.join(), try world.joinRelay())
            let picture = try ana.share(1, at: 3000, world)
            try world.meet([ana, relay])
            _ = try relay.evict(relay.holdings())
            try ana.say(.delete(picture), at: 3001, world.randomness)
            if !isTogether { _ = try relay.receiveContent(of: ana) }
            _ = try ana.share(1, at: 3002, world)
            let outcome = try relay.receiveContent(of: ana)
            #expect(outcome.listed.map(\.name) == [ana.picture(1)] && outcome.unlisted.isEmpty)
            #expect(try relay.lists(ana.picture(1), by: ana.own.person))
        }
    }

    @Test func `what a relay let go of just before a stop goes at the next start, and nothing that may be wanted does`()
        throws
    {
        var world = try TestEvent(seed: 614)
        let (ana, bob) = (try world.join(), world.scribe())
        let (relay, folder) = (try world.joinRelay(), try TemporaryFolder())
        let store = try BlobStore(path: folder.file("blobs"))
        // Of a single byte two of five ciphers are the same, and so named, once in 26 times.
        let blobs = try (0..<5).map { try store.put([UInt8](repeating: $0, count: 32), owner: ana.own.person) }
        let names = blobs.map { $0.name(owner: ana.own.person) }
        func share(_ number: Int, at time: Int64) throws -> Reference {
            let (blob, size) = (blobs[number], UInt64(blobs[number].size))
            let draft = Draft.create(
                .profilePicture,
                on: .nothing,
                values: [
                    "thumbnail": .media(Media(root: blob.root, size: size, key: blob.key, type: "image/jpeg"))
                ],
                blobs: [BlobListing(name: names[number], size: size)]
            )
            return try ana.say(draft, at: time, world.randomness)
        }
        func claim(_ number: Int, after last: Delta?) throws -> Delta {
            var entry = try world.entry(.profilePicture, [])
            entry.blobs = [BlobListing(name: names[number], size: UInt64(blobs[number].size))]
            return bob.write(entry, after: last)
        }
        // Of the last nobody says anything; of the second somebody does whose it is not.
        let shared = try [0, 2, 3].map { try share($0, at: 3000) }
        let claimed = try claim(1, after: nil)
        try relay.receiveAll(from: ana)
        _ = try relay.merge([Run(try bob.introduction(by: world.invitation)), Run([claimed])])
        _ = try relay.evict(relay.holdings())
        // The same person shares the fourth again once it was deleted, and the third is claimed by somebody else.
        try ana.say(.delete(shared[2]), at: 3001, world.randomness)
        _ = try relay.receiveContent(of: ana)
        _ = try share(3, at: 3002)
        _ = try relay.receiveContent(of: ana)
        _ = try relay.merge([Run([claimed, claim(2, after: claimed)])])
        let responder = Responder(replica: relay, blobs: store)
        #expect(
            try relay.givers(of: [names[0], names[1]]) == [
                names[0]: [ana.own.person], names[1]: [bob.own.person],
            ]
        )
        #expect(try responder.orphans(among: names) == [names[0]])
        // Another policy may hold it.
        try relay.begin(policy: "days 9")
        #expect(try responder.orphans(among: names).isEmpty)
    }

    @Test func `quiet time is counted in steps of at most a day, whatever the clock says`() throws {
        var world = try TestEvent(seed: 611)
        let relay = try world.joinRelay()
        let day: Int64 = 86_400_000
        func quiet(at time: Int64) throws -> Duration { try relay.quietTime(at: Timestamp(milliseconds: time)) }
        #expect(try quiet(at: day) == .zero)
        #expect(try quiet(at: day + 1000) == .seconds(1))
        // A clock that is set a thousand days ahead, and back.
        #expect(try quiet(at: day * 1001) == .seconds(86_401))
        #expect(try quiet(at: day) == .seconds(86_401))
        try relay.receiveAll(from: world.founder)
        try world.founder.say(.set(.profile, on: .nothing, values: ["name": .text("Ana")]), at: 9000, world.randomness)
        try relay.receiveAll(from: world.founder)
        #expect(try quiet(at: day + 2000) == .zero)
    }
}
