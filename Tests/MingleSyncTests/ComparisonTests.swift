// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// When frontiers are compared once more.
struct ComparisonTests {
    private static let author = TestAuthor(5).device
    private static let key = JournalKey(device: author, journal: .fabric)

    /// The answer of a peer that holds a journal up to a sequence, and never the same as the engine.
    private static func differ(_ sequence: UInt32, from peer: PeerID, in engine: inout LoneEngine) {
        let digest = ProtoMessage.OneOf_Content.digest(
            .with {
                $0.whole = .init([UInt8](repeating: 1, count: 32))
                $0.buckets = [UInt64](repeating: 0, count: Frontier.bucketCount)
                $0.isAnswer = true
            }
        )
        let entry = FrontierEntry(device: author, journal: .fabric, sequence: sequence, tip: UInt64(sequence))
        engine.hear(digest, from: peer)
        engine.hear(.entries(.with { $0.entries = [Data(entry.bytes)] }), from: peer)
    }

    /// What was lacking comes.
    private static func deliver(_ sequence: UInt32, from peer: PeerID, in engine: inout LoneEngine) {
        let tip = JournalPoint(sequence: sequence, hash: UInt64(sequence))
        engine.tell(.committed(Commit(journals: [JournalTips(key: key, tips: [tip])])))
        engine.hear(.runsEnd(.with { $0.device = .init(author.bytes) }), from: peer)
    }

    @Test(arguments: [true, false])
    func `what a comparison found is compared once more when it is here, and not before`(isInitiator: Bool) {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: isInitiator)
        Self.differ(3, from: peer, in: &engine)
        for _ in 0..<9 { #expect(engine.wait(.seconds(1)).compared.isEmpty) }
        Self.deliver(3, from: peer, in: &engine)
        #expect(engine.engine.nextTick(after: engine.now) == engine.now + .seconds(1))
        #expect(engine.wait(.seconds(1)).compared == [peer])
    }

    @Test func `a peer that differs each time is compared ever more seldom`() {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: true)
        var times: [Int] = []
        var sequence: UInt32 = 1
        Self.differ(sequence, from: peer, in: &engine)
        Self.deliver(sequence, from: peer, in: &engine)
        for second in 1...300 {
            guard !engine.wait(.seconds(1)).compared.isEmpty else { continue }
            times.append(second)
            sequence += 1
            Self.differ(sequence, from: peer, in: &engine)
            Self.deliver(sequence, from: peer, in: &engine)
        }
        #expect(times == [2, 6, 14, 30, 62, 122, 182, 242])
    }

    @Test func `peers that agree each time compare ever more seldom, and soon again once they have differed`() {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: true)
        #expect(Self.agreements(with: peer, in: &engine, seconds: 1000) == [60, 180, 420, 660, 900])
        Self.differ(1, from: peer, in: &engine)
        Self.deliver(1, from: peer, in: &engine)
        #expect(Self.agreements(with: peer, in: &engine, seconds: 300) == [2, 62, 182])
    }

    @Test func `who asks again and again within a minute has agreed once`() {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: true)
        for _ in 0..<5 {
            engine.agree(to: engine.tell(.reconcile), from: peer)
            _ = engine.wait(.seconds(1))
        }
        #expect(Self.agreements(with: peer, in: &engine, seconds: 200).first == 59)
    }

    @Test func `a peer that sends no payloads is compared with soon again, as it may hold the same`() throws {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: true)
        _ = Self.agreements(with: peer, in: &engine, seconds: 420)
        var author = TestAuthor(7)
        let delta = try #require(author.write([20], behind: [], in: .content).first)
        engine.tell(.payloadsWanted([PayloadWant(reference: delta.reference, length: 20)]))
        let times = Self.agreements(with: peer, in: &engine, seconds: 100)
        #expect(times == [60])
    }

    @Test func `a peer that does not deliver what it tells of is compared as often as before`() {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: true)
        _ = Self.agreements(with: peer, in: &engine, seconds: 500)
        let entry = FrontierEntry(device: Self.author, journal: .fabric, sequence: 3, tip: 3)
        engine.hear(.entries(.with { $0.entries = [Data(entry.bytes)] }), from: peer)
        let times = (1...60).filter { _ in !engine.wait(.seconds(1)).compared.isEmpty }
        #expect(times.count == 1)
    }

    /// The seconds at which a peer is asked whether it holds the same, and says yes.
    private static func agreements(with peer: PeerID, in engine: inout LoneEngine, seconds: Int) -> [Int] {
        (1...seconds).filter { _ in
            let actions = engine.wait(.seconds(1))
            engine.agree(to: actions, from: peer)
            return !actions.digests.isEmpty
        }
    }

    @Test func `what peers push and tell makes them compare no earlier`() {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: true)
        let entry = FrontierEntry(device: Self.author, journal: .fabric, sequence: 3, tip: 3)
        engine.hear(.entries(.with { $0.entries = [Data(entry.bytes)] }), from: peer)
        Self.deliver(3, from: peer, in: &engine)
        #expect((1...59).allSatisfy { _ in engine.wait(.seconds(1)).compared.isEmpty })
        #expect(engine.wait(.seconds(1)).compared == [peer])
    }

    @Test(arguments: 0..<20)
    func `two nodes know within seconds that they hold the same`(seed: UInt64) {
        var world = TestWorld(nodeCount: 2, seed: seed)
        world.nodes[0].write([Int](repeating: 20, count: 300))
        if seed % 2 == 0 { world.nodes[1].write([Int](repeating: 20, count: 300)) }
        world.connect(0, 1)
        world.pass(seconds: 8)
        for node in world.nodes { #expect(node.notes.contains { $0.1 == .inSync(.all) }) }
    }
}

extension [SyncAction] {
    /// Who is asked whether it holds the same.
    fileprivate var compared: [PeerID] {
        compactMap { action in
            guard case (let peer, .digest(let digest))? = action.sent else { return nil }
            return digest.isAnswer ? nil : peer
        }
    }
}
