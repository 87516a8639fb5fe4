// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire
import Testing

/// Which runs may be pushed on as they came.
struct PassingOnTests {
    /// Somebody who wrote, and somebody who holds nothing of it yet but who that is.
    private struct Pair {
        var world: TestEvent
        let author: Replica
        let reader: Replica

        init(seed: UInt64) throws {
            world = try TestEvent(seed: seed)
            author = try world.join()
            reader = try world.reader()
            for entry in try author.frontier().entries where entry.journal == .fabric {
                _ = try reader.merge(author.runs(of: entry.device, .fabric, after: [], byteLimit: .max))
            }
        }

        func write(_ title: String = "Party") throws -> Reference {
            var values = MergeTests.party
            values["title"] = .text(title)
            return try author.say(.create(.moment, on: .nothing, values: values), at: 3000, world.randomness)
        }

        /// All that was written, as one run.
        func run() throws -> Run {
            Run(try author.runs(of: author.own.name, .content, after: [], byteLimit: .max).flatMap(\.deltas))
        }

        /// What the reader's engine is told of a run.
        func merge(_ run: Run) throws -> MergeAnswer? {
            let pending = PendingMerge(peer: PeerID(1), content: .run(run))
            let merged = try reader.merge([(pending, pending.arrival)])
            let input = merged.answers.first?.input(missing: merged.outcome)
            if case .merged(_, let answer)? = input { return answer }
            return nil
        }
    }

    @Test func `what is all new and all there may be passed on, and once`() throws {
        let pair = try Pair(seed: 1)
        _ = try pair.write()
        let first = try #require(try pair.merge(pair.run()))
        #expect(first.outcome == .merged && first.mayBePassedOn)
        #expect(try pair.merge(pair.run())?.outcome == .known)
    }

    @Test func `what is held is known whatever it is signed with now, and not passed on`() throws {
        let pair = try Pair(seed: 2)
        _ = try pair.write()
        _ = try pair.merge(pair.run())
        var deltas = try pair.run().deltas
        deltas[0].signature = SigningKey(seed: pair.world.randomness.secret()).sign([1])
        #expect(try pair.merge(Run(deltas))?.outcome == .known)
    }

    @Test func `a run of which some was held is not passed on`() throws {
        let pair = try Pair(seed: 3)
        _ = try pair.write()
        _ = try pair.merge(pair.run())
        _ = try pair.write("Breakfast")
        let answer = try #require(try pair.merge(pair.run()))
        #expect(answer.outcome == .merged && !answer.mayBePassedOn)
    }

    @Test func `a run that lacks a payload is not passed on`() throws {
        let pair = try Pair(seed: 4)
        _ = try pair.write()
        var deltas = try pair.run().deltas
        deltas[0].payload = nil
        let answer = try #require(try pair.merge(Run(deltas)))
        #expect(answer.missing.count == 1 && !answer.mayBePassedOn)
    }

    @Test func `what was deleted before it came is not passed on with its words, and the deletion is`() throws {
        let pair = try Pair(seed: 5)
        let reference = try pair.write()
        let words = try pair.run()
        _ = try pair.author.say(.delete(reference), at: 3001, pair.world.randomness)
        var deltas = try pair.run().deltas
        deltas[0].payload = words.deltas[0].payload
        let together = try #require(try pair.merge(Run(deltas)))
        #expect(together.outcome == .merged && !together.mayBePassedOn)

        let other = try Pair(seed: 6)
        let gone = try other.write()
        _ = try other.merge(other.run())
        _ = try other.author.say(.delete(gone), at: 3001, other.world.randomness)
        let deletion = try #require(try other.run().deltas.last)
        #expect(try other.merge(Run([deletion]))?.mayBePassedOn == true)
    }

    @Test func `what somebody beyond the quota wrote stops nobody else's news`() throws {
        let pair = try Pair(seed: 7)
        let flood = pair.world.scribe()
        let introduction = Run(travelling: try flood.introduction(by: pair.world.invitation))
        let name = Change(field: 1, value: .text(String(repeating: "x", count: 500)))
        let run = Run(travelling: [flood.write(try pair.world.entry(.comment, [name]), after: nil)])
        let own = TestKeys(pair.world.randomness).own(in: pair.world.event, invitation: pair.world.invitation)
        let reader = try Replica(path: nil, event: pair.world.event, own: own, quota: Quota(words: 400))
        for other in [pair.world.founder, pair.author] { try reader.receiveAll(from: other) }
        _ = try reader.merge([introduction])
        _ = try pair.write()
        let pending = [run, try pair.run()].map { PendingMerge(peer: PeerID(1), content: .run($0)) }
        let merged = try reader.merge(pending.map { ($0, $0.arrival) })
        let mayBePassedOn = merged.answers.map { answer in
            if case .merged(_, let said) = answer.input(missing: merged.outcome) { said.mayBePassedOn } else { false }
        }
        #expect(mayBePassedOn == [false, true])
    }
}
