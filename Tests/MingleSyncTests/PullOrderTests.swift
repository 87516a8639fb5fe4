// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// Which journals somebody pulls first who lacks many.
struct PullOrderTests {
    private static let devices = (1...4).map { TestAuthor($0).device }

    private static func key(_ place: Int, _ journal: Journal = .content) -> JournalKey {
        JournalKey(device: devices[place], journal: journal)
    }

    private static func entry(_ place: Int, sequence: UInt32) -> FrontierEntry {
        FrontierEntry(device: devices[place], journal: .content, sequence: sequence, tip: 7)
    }

    /// A node that knows everybody's certificate and has room for one request at a time, and a peer that offers the content
    /// of the first three in an order.
    private static func offered(_ order: [Int]) -> (engine: LoneEngine, asked: [DeviceName]) {
        var engine = LoneEngine { $0.unprovedBytes = $0.runBytes }
        let tip = JournalPoint(sequence: 1, hash: 1)
        let certificates = devices.indices.map { JournalTips(key: key($0, .fabric), tips: [tip]) }
        engine.tell(.committed(Commit(journals: certificates)))
        let peer = engine.admit(9)
        let entries = order.map { entry($0, sequence: 1000) }
        let actions = engine.hear(.entries(.with { $0.entries = entries.map { Data($0.bytes) } }), from: peer)
        return (engine, actions.wantedRuns.map(\.device))
    }

    @Test func `journals are told of in the order in which they were last written in`() throws {
        let entries = [2, 0, 3, 1].map { Self.entry($0, sequence: 5) }
        let times = Dictionary(
            uniqueKeysWithValues: [10, 40, 20, 30].enumerated().map {
                (Self.key($0), Timestamp(milliseconds: $1))
            }
        )
        var engine = LoneEngine(frontier: Frontier(entries), lastWrites: times)
        let peer = engine.admit(9)
        // One is written in meanwhile.
        let tip = JournalPoint(sequence: 6, hash: 8)
        engine.tell(
            .committed(
                Commit(journals: [
                    JournalTips(key: Self.key(0), tips: [tip], lastWrite: Timestamp(milliseconds: 50))
                ])
            )
        )
        let digest = ProtoDigest.with {
            $0.whole = Data(count: 32)
            $0.buckets = [UInt64](repeating: 1, count: Frontier.bucketCount)
        }
        let told = engine.hear(.digest(digest), from: peer).compactMap { action -> [DeviceName]? in
            guard case .entries(let message)? = action.sent?.content else { return nil }
            return try? message.entries.map { try FrontierEntry(decoding: [UInt8]($0)).device }
        }
        #expect(told == [[0, 1, 3, 2].map { Self.devices[$0] }])
    }

    @Test func `journals are pulled in the order in which a peer tells of them`() {
        var (engine, asked) = Self.offered([2, 0, 1])
        Self.answerTwice(&engine, &asked)
        #expect(asked == [2, 0, 1].map { Self.devices[$0] })
    }

    @Test func `what others hang on is pulled before the rest`() {
        var (engine, asked) = Self.offered([2, 0, 1])
        engine.tell(.committed(Commit(journals: [], awaited: [Self.devices[1].raw.prefix, 12345])))
        Self.answerTwice(&engine, &asked)
        #expect(asked == [2, 1, 0].map { Self.devices[$0] })
    }

    @Test func `what others hang on is pulled before the rest though it is offered later`() {
        var (engine, asked) = Self.offered([2, 0])
        engine.tell(.committed(Commit(journals: [], awaited: [Self.devices[1].raw.prefix])))
        let later = Data(Self.entry(1, sequence: 1000).bytes)
        engine.hear(.entries(.with { $0.entries = [later] }), from: PeerID(9))
        Self.answerTwice(&engine, &asked)
        #expect(asked == [2, 1, 0].map { Self.devices[$0] })
    }

    /// The first deltas of a device's content.
    private static func run(by place: Int, of count: Int) -> Run {
        var author = TestAuthor(place + 1)
        return Run(author.write([Int](repeating: 2000, count: count), behind: [], in: .content))
    }

    /// Lets the peer have nothing of what it was asked for last, and then of what it is asked for next.
    private static func answerTwice(_ engine: inout LoneEngine, _ asked: inout [DeviceName]) {
        for _ in 0..<2 {
            guard let place = asked.last.flatMap({ devices.firstIndex(of: $0) }) else { return }
            asked += engine.hear(end(of: place), from: PeerID(9), on: .deltas).wantedRuns.map(\.device)
        }
    }

    /// That a peer is done with what it was asked for of a device's content.
    private static func end(of place: Int) -> ProtoMessage.OneOf_Content {
        .runsEnd(
            .with {
                $0.device = Data(devices[place].bytes)
                $0.journal = UInt32(Journal.content.rawValue)
            }
        )
    }

    @Test func `a journal that was begun goes on before what others hang on`() {
        var (engine, asked) = Self.offered([2, 0, 1])
        let peer = PeerID(9)
        let first = Self.run(by: 2, of: 10)
        #expect(engine.hear(.run(Data(first.encoded())), from: peer, on: .deltas).merges.count == 1)
        asked += engine.hear(Self.end(of: 2), from: peer, on: .deltas).wantedRuns.map(\.device)
        // What has come hangs on all the others, as in an event where everybody comments.
        let awaited = Set([0, 1].map { Self.devices[$0].raw.prefix })
        let commit = Commit(journals: [JournalTips(key: first.key, tips: [first.tip])], awaited: awaited)
        asked += engine.tell(.committed(commit)).wantedRuns.map(\.device)
        asked += engine.tell(.merged(peer, MergeAnswer(.merged))).wantedRuns.map(\.device)
        #expect(asked == [Self.devices[2], Self.devices[2]])
    }

    @Test func `a journal of which nothing fitted is asked for again before others`() {
        var (engine, asked) = Self.offered([2, 0, 1])
        let peer = PeerID(9)
        // What the peer pushes besides is not proved yet.
        let pushed = Self.run(by: 3, of: 30)
        #expect(engine.hear(.run(Data(pushed.encoded())), from: peer, on: .deltas).merges.count == 1)
        #expect(engine.hear(.run(Data(Self.run(by: 2, of: 64).encoded())), from: peer, on: .deltas).merges.isEmpty)
        asked += engine.hear(Self.end(of: 2), from: peer, on: .deltas).wantedRuns.map(\.device)
        engine.tell(.committed(Commit(journals: [JournalTips(key: pushed.key, tips: [pushed.tip])])))
        asked += engine.tell(.merged(peer, MergeAnswer(.merged))).wantedRuns.map(\.device)
        #expect(asked == [Self.devices[2], Self.devices[2]])
    }

    /// How many journals a newcomer holds in part, each time that this changes while four of several small requests each come.
    private func partialCounts(seed: UInt64, begunBytes: Int? = nil) -> [Int] {
        var limits = SyncLimits()
        (limits.unprovedBytes, limits.runBytes, limits.requestBytes) = (24 << 10, 20 << 10, 16 << 10)
        if let begunBytes { limits.begunBytes = begunBytes }
        var world = TestWorld(nodeCount: 6, seed: seed)
        for author in 2..<6 {
            world.nodes[author].write([Int](repeating: 100, count: 300))
            for (key, chains) in world.nodes[author].store.branches { world.nodes[1].store.branches[key] = chains }
        }
        world.nodes[1].restart()
        world.nodes[0].restart(limits: limits)
        world.connect(0, 1)
        var counts: [Int] = []
        while world.step() {
            let held = world.nodes[0].store.branches.filter { $0.key.journal == .content }.values.map { $0[0].count }
            let partial = held.count { $0 < 300 }
            if counts.last != partial { counts.append(partial) }
        }
        #expect(world.nodes[0].store.frontier.digest == world.nodes[1].store.frontier.digest)
        return counts
    }

    @Test(arguments: 0..<10)
    func `a journal that was begun is pulled to its end before another begins`(seed: UInt64) {
        #expect(partialCounts(seed: seed) == [0, 1, 0, 1, 0, 1, 0, 1, 0])
    }

    @Test(arguments: 0..<10)
    func `a journal without end keeps others waiting for some of it only`(seed: UInt64) {
        #expect(partialCounts(seed: seed, begunBytes: 1).contains(4))
    }
}
