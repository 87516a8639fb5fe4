// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What a node says that it lacks.
struct LagTests {
    private static let blob = TestBlob(1, size: 3000, chunkLength: 1000, lane: .previews)

    private func entry(_ author: Int, _ sequence: UInt32) -> Data {
        Data(
            FrontierEntry(device: TestAuthor(author).device, journal: .fabric, sequence: sequence, tip: 9).bytes
        )
    }

    @Test func `who has heard of nothing lacks nothing`() {
        var engine = LoneEngine()
        #expect(engine.engine.lag.peers.isEmpty)
        let peer = engine.admit(1)
        let lag = engine.engine.lag
        #expect(lag.deltas == 0 && lag.payloads == 0 && lag.blobs == 0)
        #expect(lag.peers.map(\.id) == [peer] && lag.peers[0].share.device == TestAuthor(1).device)
        #expect(lag.peers[0].share.journals == 0 && lag.peers[0].share.deltas == 0)
    }

    @Test func `of a journal that several hold that counts which the furthest has, and of each peer its own`() {
        var engine = LoneEngine()
        let (one, other) = (engine.admit(1), engine.admit(2))
        engine.hear(.entries(.with { $0.entries = [entry(5, 3), entry(6, 10)] }), from: one)
        engine.hear(.entries(.with { $0.entries = [entry(5, 7)] }), from: other)
        let lag = engine.engine.lag
        #expect(lag.deltas == 17)
        #expect(lag.peers.map(\.share.journals) == [2, 1] && lag.peers.map(\.share.deltas) == [13, 7])
        engine.tell(.closed(one))
        #expect(engine.engine.lag.deltas == 7)
        #expect(engine.engine.lag.peers.map(\.id) == [other] && engine.engine.lag.peers[0].share.deltas == 7)
    }

    @Test func `of another branch nobody knows how much is missing, so it counts as one`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let key = JournalKey(device: TestAuthor(5).device, journal: .fabric)
        let tips = JournalTips(key: key, tips: [JournalPoint(sequence: 8, hash: 1)])
        engine.tell(.committed(Commit(journals: [tips])))
        engine.hear(.entries(.with { $0.entries = [entry(5, 3)] }), from: peer)
        #expect(engine.engine.lag.deltas == 1 && engine.engine.lag.peers[0].share.deltas == 1)
    }

    @Test func `a blob counts once, and for each peer that has some of it`() {
        var engine = LoneEngine()
        let (one, other) = (engine.admit(1), engine.admit(2))
        engine.tell(.blobsWanted([Self.blob.want()]))
        #expect(engine.engine.lag.blobs == 1 && engine.engine.lag.peers.map(\.share.blobs) == [0, 0])
        for peer in [one, other] { engine.hear(TestBlob.states([Self.blob]), from: peer) }
        #expect(engine.engine.lag.blobs == 1 && engine.engine.lag.peers.map(\.share.blobs) == [1, 1])
        engine.tell(.blobsUnwanted([Self.blob.name]))
        #expect(engine.engine.lag.blobs == 0 && engine.engine.lag.peers.map(\.share.blobs) == [0, 0])
    }
}
