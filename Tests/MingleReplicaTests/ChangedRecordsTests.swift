// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Which records a merge says to have changed, so that who shows them need not read all again.
struct ChangedRecordsTests {
    /// What Carl, a guest, hears of what Bob writes; Dora is none.
    private struct World {
        let party: PrivateWorld
        private(set) var time: Int64 = 6000

        init(seed: UInt64) throws { party = try PrivateWorld(seed: seed) }

        mutating func say(_ drafts: Draft..., by author: Replica? = nil) throws -> [Reference] {
            time += 1
            let now = Timestamp(milliseconds: time)
            let randomness = party.event.randomness
            return try (author ?? party.bob).author(drafts, at: now, randomness: randomness).references
        }

        /// What has changed for Carl once he has heard of what somebody wrote; nil: it may be anything.
        func heard(from author: Replica? = nil) throws -> [String]? {
            let (author, carl) = (author ?? party.bob, party.carl)
            let held = try carl.locator(of: author.own.name, .content)
            let runs = try author.runs(of: author.own.name, .content, after: held, byteLimit: .max)
            let changed = try carl.names(of: carl.merge(runs).changedRecords)
            return changed?.map { "\($0.kind) \($0.id)\($0.isForAll ? "" : " for some")" }.sorted()
        }
    }

    private func comment(on target: Reference) -> Draft {
        .create(.comment, on: .record(target), values: ["text": .text("Yes")])
    }

    @Test func `a record is named, and what it hangs on`() throws {
        var world = try World(seed: 701)
        let moment = try world.say(.create(.moment, on: .nothing, values: MergeTests.party))[0]
        #expect(try world.heard() == ["moment \(moment)"])
        let comment = try world.say(comment(on: moment))[0]
        #expect(try world.heard() == ["comment \(comment)", "moment \(moment)"])
        _ = try world.say(.set(.fave, on: .record(moment), values: ["on": .number(1)]))
        #expect(try world.heard() == ["moment \(moment)"])
        _ = try world.say(.edit(moment, .moment, values: ["title": .text("Supper")]))
        #expect(try world.heard() == ["moment \(moment)"])
        _ = try world.say(.set(.profile, on: .nothing, values: ["name": .text("Bob")]))
        #expect(try world.heard() == [])
        _ = try world.say(.delete(comment))
        #expect(try world.heard() == ["comment \(comment)", "moment \(moment)"])
        _ = try world.say(.delete(moment))
        #expect(try world.heard() == ["moment \(moment)"])
    }

    @Test func `an edit of two devices is named once it is merged`() throws {
        var event = try TestEvent(seed: 702)
        let (phone, laptop) = try event.joinTwice()
        let moment = try phone.say(
            .create(.moment, on: .nothing, values: MergeTests.party),
            at: 3000,
            event.randomness
        )
        try [event.founder, phone, laptop].meet()
        for (time, device) in [(Int64(3001), phone), (3002, laptop)] {
            try device.say(.edit(moment, .moment, values: ["title": .text("\(time)")]), at: time, event.randomness)
            let held = try event.founder.locator(of: device.own.name, .content)
            let runs = try device.runs(of: device.own.name, .content, after: held, byteLimit: .max)
            let changed = try event.founder.names(of: event.founder.merge(runs).changedRecords)
            #expect(changed == [ChangedRecord(kind: "moment", id: moment, isForAll: true)])
        }
    }

    @Test func `what is for some people only is marked so`() throws {
        var world = try World(seed: 703)
        let moment = try world.party.makeMoment(inviting: [world.party.carl])
        try world.party.meet()
        _ = try world.party.fulfilKeyNeed(world.party.bob)
        try world.party.meet()
        let comment = try world.say(comment(on: moment))[0]
        #expect(try world.heard() == ["comment \(comment) for some", "moment \(moment) for some"])
    }

    @Test func `of more records than the limit, or once somebody hides one, any may have changed`() throws {
        var world = try World(seed: 704)
        var moments: [Reference] = []
        for _ in 0..<ChangedRecords.limit {
            moments += try world.say(.create(.moment, on: .nothing, values: MergeTests.party))
        }
        #expect(try world.heard()?.count == ChangedRecords.limit)
        for _ in 0...ChangedRecords.limit {
            _ = try world.say(.create(.moment, on: .nothing, values: MergeTests.party))
        }
        #expect(try world.heard() == nil)
        let founder = world.party.event.founder
        try world.party.meet()
        _ = try world.say(.hide(moments[0], because: "Why not"), by: founder)
        #expect(try world.heard(from: founder) == nil)
    }

    @Test func `where somebody is removed any record may have changed`() throws {
        var world = try World(seed: 705)
        _ = try world.say(.create(.moment, on: .nothing, values: MergeTests.party))
        _ = try world.heard()
        let founder = world.party.event.founder
        _ = try world.say(.remove(world.party.bob.own.person, keepsLinks: true), by: founder)
        let held = try world.party.carl.locator(of: founder.own.name, .fabric)
        let runs = try founder.runs(of: founder.own.name, .fabric, after: held, byteLimit: .max)
        #expect(try world.party.carl.names(of: world.party.carl.merge(runs).changedRecords) == nil)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `whatever comes, in whatever order, no record changes that is not named`(block: UInt64) throws {
        var named = 0
        for seed in block * 25..<(block + 1) * 25 { named += try changes(seed: seed) }
        #expect(named > 20)
    }

    /// Plays a story to a replica and expects that each change of what it shows is named; returns how many were.
    private func changes(seed: UInt64) throws -> Int {
        let history = try Story.drawn(seed).history()
        let replica = try Replica(path: nil, event: history.event, own: history.observer)
        var (shown, named) = (Set<String>(), 0)
        for step in Delivery.anyhow(history, seed: seed).steps {
            let outcome =
                switch step {
                case .runs(let runs): try replica.merge(runs)
                case .payloads(let payloads): try replica.merge(payloads: payloads)
                case .key(let epoch): try replica.hold(epoch.key, of: epoch.id, for: epoch.audience)
                }
            let now = Set(try replica.dump())
            defer { shown = now }
            guard let records = try replica.names(of: outcome.changedRecords) else { continue }
            named += records.count
            var ids = Set(records.map(\.id.description))
            let changed = now.symmetricDifference(shown)
            // What hangs on a moment comes and goes with one that continues it.
            for line in changed where ids.contains(where: line.contains) { ids.formUnion(Self.continued(line)) }
            for line in changed {
                let columns = line.split(separator: "\t").map(String.init)
                guard let kind = Kind.all.first(where: { $0.name == columns[0] }), kind.identity == .delta else {
                    continue
                }
                // What hangs on a record comes and goes with it, and whom an invitation is for is known with a key.
                let isNamed =
                    ids.contains(columns[1]) || ids.contains(columns[3])
                    || kind == .invite && outcome.changedKinds.contains("people")
                #expect(isNamed, "seed \(seed): \(line)")
            }
        }
        return named
    }

    /// The moments that the one in a line of a dump continues.
    private static func continued(_ line: String) -> [String] {
        let word = line.split(separator: "\t").first { $0.hasPrefix("continues=") }
        let bytes = word.flatMap { Base32.decode(String($0.dropFirst("continues=".count))) } ?? []
        return (Reference.list(bytes) ?? []).map(\.description)
    }
}
