// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Synchronization
import Testing

struct MergePipelineTests {
    /// Everything that a replica holds, fabric first, in runs as they travel.
    private static func stream(of replica: Replica) throws -> [[UInt8]] {
        try replica.frontier().entries.sorted { $0.journal < $1.journal }.flatMap { entry in
            try replica.runs(of: entry.device, entry.journal, after: [], byteLimit: .max).map { $0.encoded() }
        }
    }

    /// A founder's replica with 300 deltas that a member's lacks.
    private static func event(seed: UInt64) throws -> (founder: Replica, member: Replica) {
        var world = try TestEvent(seed: seed)
        let member = try world.join()
        for number in 0..<150 {
            let moment = try world.founder.say(
                .create(.moment, on: .nothing, values: MergeTests.party),
                at: 3000 + Int64(number),
                world.randomness
            )
            let comment = Draft.create(.comment, on: .record(moment), values: ["text": .text("Number \(number)")])
            try world.founder.say(comment, at: 4000, world.randomness)
        }
        return (world.founder, member)
    }

    private static func source(_ runs: [[UInt8]], of event: EventID) -> @Sendable () throws -> Run? {
        let rest = Mutex(runs[...])
        return { try rest.withLock { $0.popFirst() }.map { try Run(decoding: $0[...], event: event) } }
    }

    @Test func `a stream gives what merging run by run gives, in transactions of any size and with any room`() throws {
        let (founder, member) = try Self.event(seed: 11)
        var pipeline = MergePipeline()
        pipeline.limits.headersPerTransaction = 100
        pipeline.limits.bytesAhead = 1
        var headers = 0
        var transactions = 0
        try pipeline.merge(into: member, next: Self.source(Self.stream(of: founder), of: founder.event)) { outcome in
            #expect(outcome.refused.isEmpty)
            headers += outcome.newHeaders
            transactions += 1
        }
        #expect(headers == 300)
        #expect(transactions > 2)
        #expect(try member.dump() == founder.dump())
    }

    @Test func `what is held already changes nothing`() throws {
        let (founder, member) = try Self.event(seed: 12)
        let runs = try Self.stream(of: founder)
        try MergePipeline().merge(into: member, next: Self.source(runs, of: founder.event)) { _ in }
        try MergePipeline().merge(into: member, next: Self.source(runs, of: founder.event)) { outcome in
            #expect(outcome.newHeaders == 0 && outcome.changedKinds.isEmpty && outcome.advanced.isEmpty)
        }
        #expect(try member.dump() == founder.dump())
    }

    @Test func `bytes that are no run end the merge, and what came before them stays`() throws {
        let (founder, member) = try Self.event(seed: 13)
        var runs = try Self.stream(of: founder)
        runs.append([1, 2, 3])
        #expect(throws: WireError.truncated) {
            try MergePipeline().merge(into: member, next: Self.source(runs, of: founder.event)) { _ in }
        }
        #expect(try member.dump() == founder.dump())
    }

    @Test func `a caller that gives up stops the stream`() throws {
        struct Enough: Error {}
        let (founder, member) = try Self.event(seed: 14)
        var pipeline = MergePipeline()
        (pipeline.limits.headersPerTransaction, pipeline.limits.bytesAhead) = (1, 1)
        #expect(throws: Enough.self) {
            try pipeline.merge(into: member, next: Self.source(Self.stream(of: founder), of: founder.event)) { _ in
                throw Enough()
            }
        }
    }
}
