// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import TestSupport
import Testing

/// Who else holds what somebody is about to delete.
struct WatchTests {
    private static let blobs = (0..<600).map { TestBlob($0, size: 2500, chunkLength: 1000, lane: .originals) }

    private static func told(_ node: TestNode) -> [BlobName] { node.holdings.flatMap(\.1) }

    @Test func `each peer is asked about all that is watched, and says what it holds whole`() {
        var world = TestWorld(nodeCount: 3, seed: 71)
        world.nodes[0].know(Self.blobs, holding: Self.blobs)
        // Those two hold what they hold, and want nothing.
        for blob in Self.blobs[..<300] { world.nodes[1].blobs.hold(blob) }
        for blob in Self.blobs { world.nodes[1].blobs.catalogue[blob.name] = blob }
        world.nodes[1].blobs.held[Self.blobs[400].name] = [0]
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[0].holdings.isEmpty)
        world.nodes[0].inbox.append(.blobsWatched(Self.blobs.map(\.name)))
        world.settle()
        #expect(Set(Self.told(world.nodes[0])) == Set(Self.blobs[..<300].map(\.name)))
        #expect(Self.told(world.nodes[0]).count == 300)
        // Who comes later is asked as well.
        for blob in Self.blobs[300...] { world.nodes[2].blobs.hold(blob) }
        for blob in Self.blobs { world.nodes[2].blobs.catalogue[blob.name] = blob }
        world.connect(0, 2)
        world.settle()
        #expect(Set(Self.told(world.nodes[0])) == Set(Self.blobs.map(\.name)))
        #expect(world.nodes.flatMap(\.closed).isEmpty)
    }

    @Test(arguments: 0..<10)
    func `a peer tells of what is watched once it has come to be whole there`(seed: UInt64) {
        var world = TestWorld(nodeCount: 2, seed: seed)
        world.nodes[0].know(Self.blobs, holding: Self.blobs)
        world.nodes[0].inbox.append(.blobsWatched(Self.blobs.map(\.name)))
        world.connect(0, 1)
        world.nodes[1].know(Self.blobs)
        world.settle()
        #expect(world.nodes[1].blobs.written.count == 1800)
        #expect(Set(Self.told(world.nodes[0])) == Set(Self.blobs.map(\.name)))
        #expect(Self.told(world.nodes[0]).count == 600 && world.nodes.flatMap(\.closed).isEmpty)
    }

    @Test func `who does not answer in time is asked about all of it again after a while`() {
        var engine = LoneEngine()
        let names = Self.blobs[..<300].map(\.name)
        engine.tell(.blobsWatched(names))
        let peer = engine.admit(1)
        #expect(engine.wait(.seconds(1)).askedAbout.isEmpty)
        #expect(engine.wait(.seconds(10)).notes == [.stalled])
        #expect(engine.wait(.seconds(10)).askedAbout.isEmpty)
        #expect(Set(engine.wait(.seconds(30)).askedAbout) == Set(names[..<256]))
        #expect(engine.hear(TestBlob.states(Array(Self.blobs[..<256])), from: peer).askedAbout.count == 44)
    }

    @Test func `what is told of blobs that are evicted, or here in part, is not taken for holding them`() {
        var engine = LoneEngine()
        engine.tell(.blobsWatched(Self.blobs[..<3].map(\.name)))
        let peer = engine.admit(1)
        let evicted = TestBlob.states([Self.blobs[0]]) { $0.evicted = true }
        let partial = TestBlob.states([Self.blobs[1]]) { $0.chunks = .init([1]) }
        for states in [evicted, partial] { #expect(engine.hear(states, from: peer).holdings.isEmpty) }
        #expect(engine.hear(TestBlob.states([Self.blobs[2]]), from: peer).holdings == [Self.blobs[2].name])
    }
}

extension [SyncAction] {
    /// The blobs that peers are asked about.
    fileprivate var askedAbout: [BlobName] {
        flatMap { action -> [BlobName] in
            guard case (_, .wantBlobs(let message))? = action.sent else { return [] }
            return message.names.compactMap { BlobName(bytes: $0) }
        }
    }

    /// The blobs that peers are said to hold.
    fileprivate var holdings: [BlobName] {
        flatMap { action -> [BlobName] in if case .noteHolding(_, let names) = action { names } else { [] } }
    }
}
