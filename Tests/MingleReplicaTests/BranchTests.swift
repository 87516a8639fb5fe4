// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import TestSupport
import Testing

/// Journals with more branches than count.
struct BranchTests {
    @Test func `of headers that go with their branch no payload is waited for any more`() throws {
        let flood = try Flood(seed: 426, count: 1)
        let reader = try flood.reader(within: nil)
        var wanted: Set<Reference> = []
        var settled = 0
        for _ in 0..<12 {
            let branch = try (0..<3).reduce(into: [flood.deltas[0]]) { deltas, number in
                let change = Change(field: 1, value: .text("Quay \(number)"))
                deltas.append(flood.author.write(try flood.world.entry(.place, [change]), after: deltas.last))
            }
            let outcome = try reader.merge([Run(travelling: branch).withoutPayloads { _ in true }])
            wanted.formUnion(outcome.missingPayloads.map(\.reference))
            wanted.subtract(outcome.settledPayloads)
            settled += outcome.settledPayloads.count
            #expect(Set(try reader.missingPayloads(limit: 100).map(\.reference)) == wanted)
        }
        #expect(settled > 0)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `any order of arrival leaves the same four branches`(seed: UInt64) throws {
        let world = try TestEvent(seed: 400 + seed)
        var random = SplitMix(seed: seed)
        let device = world.scribe()
        var history = History(event: world.event, observer: TestKeys(world.randomness).own(in: world.event))
        history.keys = [world.epoch]
        history.deltas = try device.introduction(by: world.invitation)
        for run in try world.founder.runs(of: world.founder.own.name, .fabric, after: [], byteLimit: .max) {
            history.deltas = run.deltas + history.deltas
        }
        var written: [Delta] = []
        for index in 0..<30 {
            let parent =
                random.chance(60) ? written.last : random.chance(10) ? nil : written.randomElement(using: &random)
            var entry = try world.entry(.profile, root: .none, [Change(field: 1, value: .text("\(index)"))])
            entry.time = Int64.random(in: 0..<5, using: &random)
            if index > 0, random.chance(10) {
                entry = Scribe.Entry(root: .reference(random.pick(written).reference), isDeletion: true)
            } else if random.chance(50) {
                let position = (2...4 as ClosedRange<UInt32>).map { Change(field: $0, value: .number(1)) }
                entry = try world.entry(.place, [Change(field: 1, value: .text("\(index)"))] + position)
            }
            written.append(device.write(entry, after: parent))
        }
        history.deltas += written
        let expected = ReferenceReplica(history)
        var frontiers: Set<Frontier> = []
        for order in 0..<4 as Range<UInt64> {
            let observer = try Observer(of: history)
            let replica = observer.replica
            try observer.take(.anyhow(history, seed: seed &* 7 &+ order))
            // What a deletion erased that went with its branch is asked for again.
            try replica.fill(written)
            #expect(try replica.dump() == expected.dump())
            let frontier = try replica.frontier()
            frontiers.insert(frontier)
            let tips = frontier.entries.filter { $0.device == device.own.name && $0.journal == .content }
            #expect(tips.count <= Limits.branchesPerJournal)
            let copy = try world.reader()
            try copy.receiveAll(from: replica)
            #expect(try copy.lines("profile") == replica.lines("profile"))
            #expect(try copy.lines("place") == replica.lines("place"))
            for run in try replica.runs(of: device.own.name, .content, after: [], byteLimit: .max) {
                let again = try Run(decoding: run.encoded()[...], event: world.event)
                #expect(again == run)
            }
        }
        #expect(frontiers.count == 1)
    }
}
