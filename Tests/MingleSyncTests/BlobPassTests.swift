// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import MingleWire
import TestSupport
import Testing

/// The engine looks for something to ask about blobs only when something has changed.
struct BlobPassTests {
    private static let limits: SyncLimits = {
        var limits = SyncLimits()
        (limits.blobsPerQuestion, limits.chunksOnWire, limits.laneMessages) = (4, 3, 6)
        return limits
    }()

    /// What a node would ask about blobs if it looked again now.
    private func overlooked(by node: TestNode, at now: Duration) -> [String] {
        var engine = node.engine
        // It has looked since, or will at its next tick: time may have ended a pause.
        guard engine.nextTick(after: now) > now + .seconds(1) else { return [] }
        return engine.receive(.diskRoom, at: now).compactMap { action in
            switch action.sent?.content {
            case .wantBlobs: "asks about blobs"
            case .wantChunks: "asks for chunks"
            default: nil
            }
        }
    }

    @Test func `once a peer is gone that had yet to answer nobody waits for it`() {
        var engine = LoneEngine()
        let (silent, honest) = (engine.admit(1), engine.admit(2))
        let earlier = TestBlob(3, size: 1000, chunkLength: 1000, lane: .thumbnails)
        engine.tell(.blobsWanted([earlier.want()]))
        for peer in [silent, honest] { engine.hear(TestBlob.states([earlier]) { $0.size = 0 }, from: peer) }
        engine.tell(.blobsUnwanted([earlier.name]))
        let thumbnail = TestBlob(1, size: 1000, chunkLength: 1000, lane: .thumbnails)
        let preview = TestBlob(2, size: 1000, chunkLength: 1000, lane: .previews)
        engine.tell(.blobsWanted([thumbnail.want(), preview.want()]))
        engine.hear(TestBlob.states([thumbnail]) { $0.size = 0 }, from: honest)
        #expect(engine.hear(TestBlob.states([preview]), from: honest).wantedChunks.isEmpty)
        #expect(engine.tell(.closed(silent)).wantedChunks.map(\.peer) == [honest])
    }

    @Test func `who reads slowly is asked about blobs once it has read`() {
        var engine = LoneEngine { $0.laneMessages = 2 }
        let peer = engine.admit(1)
        let blob = TestBlob(1, size: 1000, chunkLength: 1000, lane: .thumbnails)
        func isAsked(_ actions: [SyncAction]) -> Bool {
            actions.contains { if case .wantBlobs? = $0.sent?.content { true } else { false } }
        }
        #expect(!isAsked(engine.tell(.blobsWanted([blob.want()]))))
        #expect(isAsked(engine.tell(.drained(peer, .control))))
    }

    @Test(arguments: 0..<100)
    func `no blob is overlooked, whatever stalls, breaks and comes back`(seed: UInt64) {
        var world = TestWorld(nodeCount: 4, seed: seed, limits: Self.limits)
        let blobs = (0..<40).map { number in
            let size = Int.random(in: 1...4000, using: &world.random)
            return TestBlob(number, size: size, chunkLength: 1000, lane: BlobLanes.all[number % 3])
        }
        for index in world.nodes.indices {
            world.nodes[index].know(blobs, holding: blobs.enumerated().filter { $0.offset % 4 == index }.map(\.element))
        }
        var links = (1..<4).map { world.connect($0, $0 - 1) }
        var dice = SplitMix(seed: seed)
        for _ in 0..<60 {
            world.run(steps: Int.random(in: 0...40, using: &dice))
            let place = Int.random(in: 0..<links.count, using: &dice)
            switch Int.random(in: 0..<8, using: &dice) {
            case 0, 1:
                for index in world.directions.indices where world.directions[index].link == links[place] {
                    world.directions[index].isBlocked.toggle()
                }
            case 2: world.pass(seconds: Int.random(in: 1...40, using: &dice))
            case 3:
                world.cut(links[place])
                links[place] = world.connect(place + 1, place)
            case 4:
                if let peer = world.peer(of: place, at: place + 1) { world.tell(place + 1, .relay(peer)) }
            case 5: world.tell(place, .blobsUnwanted([blobs[Int.random(in: 0..<40, using: &dice)].name]))
            case 6: world.nodes[place].know(blobs)
            default: break
            }
            for node in world.nodes { #expect(overlooked(by: node, at: world.now).isEmpty) }
        }
        // A link on which nobody greeted in time is gone.
        for link in Set(world.directions.map(\.link)).sorted() { world.cut(link) }
        for node in 1..<4 { world.connect(node, node - 1) }
        for index in world.nodes.indices { world.nodes[index].know(blobs) }
        world.pass(seconds: 400)
        for node in world.nodes {
            #expect(blobs.allSatisfy { node.blobs.isWhole($0.name) })
            #expect(overlooked(by: node, at: world.now).isEmpty)
        }
    }
}
