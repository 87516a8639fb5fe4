// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

struct ScaleTests {
    @Test(.timeLimit(.minutes(5)))
    func `ten thousand thumbnails come in linear time and few messages`() {
        var world = TestWorld(nodeCount: 2, seed: 1)
        let blobs = (0..<10_000).map { TestBlob($0, size: 30, chunkLength: 1000, lane: .thumbnails) }
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        world.connect(0, 1)
        let time = ContinuousClock().measure { world.settle() }
        #expect(world.nodes[1].blobs.written.count == blobs.count)
        let asked = world.directions.first { $0.from == 1 }?.messageCount ?? 0
        #expect(asked < 10_000 + 60, "\(asked) messages, \(time)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `who asks about many blobs that nobody has is answered as fast in the end as at first`() {
        var lone = LoneEngine()
        let peer = lone.admit(1)
        func question(_ number: Int) -> ProtoMessage.OneOf_Content {
            let names = (0..<256).map {
                TestBlob(number * 256 + $0, size: 1, chunkLength: 1000, lane: .thumbnails).name
            }
            return .wantBlobs(.with { $0.names = names.map { .init($0.bytes) } })
        }
        // Of which it is noted that the peer is told when they come.
        var durations: [Duration] = []
        for number in 0..<200 {
            let message = question(number)
            durations.append(
                ContinuousClock().measure {
                    lone.now += .seconds(1)
                    lone.hear(message, from: peer)
                    lone.tell(.blobStates(peer, []))
                    lone.tell(.drained(peer, .control))
                }
            )
        }
        #expect(lone.gauge("interesting blobs") == 200 * 256)
        let (first, last) = (durations[10..<50].sorted()[20], durations[160..<200].sorted()[20])
        #expect(last < first * 4, "\(first), in the end \(last)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `who lacks very many blobs is not taken for somebody who floods`() {
        var limits = SyncLimits()
        (limits.messageBurst, limits.messagesPerSecond) = (100, 50)
        var world = TestWorld(nodeCount: 2, seed: 5, limits: limits)
        let blobs = (0..<20_000).map { TestBlob($0, size: 30, chunkLength: 1000, lane: .thumbnails) }
        world.nodes[0].know([])
        world.nodes[1].know(blobs)
        world.connect(0, 1)
        world.pass(seconds: 120)
        #expect(world.nodes[0].closed.isEmpty && world.nodes[1].closed.isEmpty)
        // All 20 000 were asked about.
        #expect(world.nodes[0].engine.gauges.contains { $0.name == "interesting blobs" && $0.value == 20_000 })
    }

    @Test(.timeLimit(.minutes(5)))
    func `five hundred journals are pulled by a newcomer in one request each`() {
        var world = TestWorld(nodeCount: 502, seed: 2)
        for author in 2..<502 {
            world.nodes[author].write([10, 10, 10])
            for (key, chains) in world.nodes[author].store.branches { world.nodes[0].store.branches[key] = chains }
        }
        world.nodes[0].restart()
        world.connect(1, 0)
        let time = ContinuousClock().measure { world.settle() }
        #expect(world.nodes[0].store.frontier.digest == world.nodes[1].store.frontier.digest)
        let asked = world.directions.first { $0.from == 1 }?.messageCount ?? 0
        #expect(asked < 1020, "\(asked) messages, \(time)")
        #expect(world.nodes[1].store.duplicates == 0)
    }

    @Test(arguments: 0..<5)
    func `the same seed gives the same run`(seed: UInt64) {
        func run() -> [String] {
            var world = TestWorld(nodeCount: 4, seed: seed)
            let blobs = (0..<5).map { TestBlob($0, size: 4000, chunkLength: 1000, lane: .previews) }
            for node in world.nodes.indices {
                world.nodes[node].write([Int](repeating: 900, count: 70) + [3000])
                world.nodes[node].know(blobs, holding: node == 0 ? blobs : [])
            }
            for node in 1..<4 { world.connect(node, node - 1) }
            world.connect(0, 3)
            world.settle()
            return world.directions.map { "\($0.from) \($0.to) \($0.messageCount) \($0.byteCount)" } + ["\(world.now)"]
        }
        #expect(run() == run())
    }
}
