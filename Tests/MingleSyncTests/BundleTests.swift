// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What goes to one peer in one breath travels as one message.
struct BundleTests {
    private static func key(_ device: Int) -> JournalKey {
        JournalKey(device: TestAuthor(device).device, journal: .fabric)
    }

    /// One that holds a header of each of these devices.
    private static func offer(_ devices: ClosedRange<Int>) -> ProtoMessage.OneOf_Content {
        let entries = devices.map { FrontierEntry(device: key($0).device, journal: .fabric, sequence: 1, tip: 1) }
        return .entries(.with { $0.entries = entries.map { Data($0.bytes) } })
    }

    private static func bundle(_ contents: [ProtoMessage.OneOf_Content]) -> ProtoMessage.OneOf_Content {
        .bundle(.with { $0.messages = contents.map { Data($0.bytes) } })
    }

    private static func wantRuns(_ device: Int, bytes: UInt32 = 4000) -> ProtoMessage.OneOf_Content {
        .wantRuns(.with { ($0.device, $0.bytes) = (Data(key(device).device.bytes), bytes) })
    }

    private static func end(_ device: Int) -> ProtoMessage.OneOf_Content {
        .runsEnd(.with { $0.device = Data(key(device).device.bytes) })
    }

    /// A run of as many deltas of a device, with payloads of as many bytes.
    private static func run(_ device: Int, of count: Int = 1, with length: Int = 20) -> Run {
        var author = TestAuthor(device)
        return Run(author.write([Int](repeating: length, count: count), behind: [], in: .fabric))
    }

    @Test func `hundreds of journals are asked for by one message to each peer`() {
        var engine = LoneEngine()
        let (first, second) = (engine.admit(1), engine.admit(2))
        let offers = [first, second].map { SyncInput.received($0, .control, Self.offer(5...60).bytes) }
        let actions = engine.tell(offers)
        #expect(actions.compactMap { $0.sent?.peer }.sorted() == [first, second])
        #expect(Set(actions.unbundled.wantedRuns.map(\.device)).count == 56)
    }

    @Test func `requests in bundles fill no lane that the shell takes for empty`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        // The shell tells of a lane's room once so many messages or bytes have left; each round is one small message.
        let devices = 5...1700
        for start in stride(from: devices.lowerBound, through: devices.upperBound, by: 32) {
            let round = start...min(start + 31, devices.upperBound)
            #expect(engine.hear(Self.offer(round), from: peer).wantedRuns.count == round.count)
            _ = engine.hear(Self.bundle(round.map { Self.end($0) }), from: peer)
        }
        let digest = ProtoMessage.OneOf_Content.digest(.with { $0.whole = Data(repeating: 7, count: 32) })
        #expect(engine.hear(digest, from: peer).digests.count == 1)
    }

    @Test func `what is asked for by one message is loaded together, as far as it is small`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let wishes = (5...12).map { Self.wantRuns($0) } + [Self.wantRuns(13, bytes: 128 << 10), Self.wantRuns(14)]
        var loads = engine.hear(Self.bundle(wishes), from: peer).loads
        #expect(loads.map { $0.map(\.key) } == [(5...12).map { Self.key($0) }])
        var count = 0
        while let load = loads.first, count < 9 {
            loads = engine.tell(.runs(peer, load.map { RunsAnswer(key: $0.key, runs: []) })).loads
            count += 1
        }
        #expect(count == 3)
    }

    @Test func `the answers to several requests travel as one message, each run with its end`() throws {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(Self.bundle((5...8).map { Self.wantRuns($0) }), from: peer)
        let answers = (5...8).map { RunsAnswer(key: Self.key($0), runs: [Self.run($0)]) }
        let actions = engine.tell([.runs(peer, answers)])
        #expect(actions.count == 1)
        let isEnd = actions.unbundled.map { action in if case .runsEnd? = action.sent?.content { true } else { false } }
        #expect(isEnd == [false, true, false, true, false, true, false, true])
    }

    @Test func `what came as one message is handed to the shell at once, and the next is asked for when all is merged`()
    {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(Self.offer(5...60), from: peer)
        let runs = (5...36).map { Self.run($0) }
        let actions = engine.hear(
            Self.bundle(zip(5..., runs).flatMap { [.run(Data($1.encoded())), Self.end($0)] }),
            from: peer
        )
        let merged = actions.compactMap { action in if case .merge(_, let run) = action { run.key } else { nil } }
        #expect(merged == runs.map(\.key))
        #expect(actions.wantedRuns.isEmpty)
        let commit = Commit(journals: runs.map { JournalTips(key: $0.key, tips: [$0.tip]) })
        let next = engine.tell([.committed(commit)] + runs.map { _ in .merged(peer, MergeAnswer(.merged)) })
        #expect(next.count { $0.sent != nil } == 1)
        #expect(next.unbundled.wantedRuns.count == 24)
    }

    @Test func `nothing overtakes what goes on another lane`() {
        var engine = LoneEngine().engine
        let peer = PeerID(1)
        let sends: [SyncAction] = [
            .send(peer, .control, [1]), .send(peer, .deltas, [2]), .send(PeerID(2), .control, [3]),
            .send(peer, .deltas, [4]), .send(peer, .control, [5]),
        ]
        let sent = engine.bundled(sends).unbundled.compactMap { action -> [UInt8]? in
            if case .send(peer, _, let bytes) = action { bytes } else { nil }
        }
        let count = engine.bundled(sends).count
        #expect(count == 4)
        #expect(sent == [[1], [2], [4], [5]])
    }

    @Test func `what fills a fragment goes by itself, and no bundle is larger`() throws {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(Self.bundle((5...12).map { Self.wantRuns($0) }), from: peer)
        let answers = (5...12).map { device in
            let run = device == 9 ? Self.run(9, of: 64, with: 600) : Self.run(device, of: 12, with: 200)
            return RunsAnswer(key: Self.key(device), runs: [run])
        }
        let actions = engine.tell([.runs(peer, answers)])
        let lengths = actions.compactMap { action -> Int? in
            if case .send(_, _, let bytes) = action { bytes.count } else { nil }
        }
        #expect(lengths.count > 2 && lengths.count < 10)
        let limits = SyncLimits()
        // A field's number and length stand in front of each message.
        #expect(lengths.count { $0 > limits.bundledBytes + 5 * limits.bundledMessages } == 1)
        #expect(actions.unbundled.count == 2 * answers.count)
    }

    @Test func `nothing is looked at behind what ends the session`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let actions = engine.hear(
            Self.bundle([.goodbye(ProtoGoodbye()), Self.wantRuns(5), .digest(ProtoDigest())]),
            from: peer
        )
        #expect(actions.count == 1 && actions.goodbyes.count == 1)
    }
}

extension [SyncAction] {
    /// What is to be loaded for a peer, each time.
    fileprivate var loads: [[RunsRequest]] {
        compactMap { action in if case .loadRuns(_, let requests) = action { requests } else { nil } }
    }
}
