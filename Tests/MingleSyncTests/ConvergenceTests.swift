// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import MingleWire
import Testing

struct ConvergenceTests {
    /// Fills nodes with random journals and the world with random blobs, each held by one node.
    private func fill(_ world: inout TestWorld, _ seed: UInt64) -> [TestBlob] {
        var blobs: [TestBlob] = []
        for number in 0..<Int.random(in: 0...12, using: &world.random) {
            let lane = BlobLanes.all[Int.random(in: 0..<3, using: &world.random)]
            let size = Int.random(in: 1...12_000, using: &world.random)
            blobs.append(TestBlob(number, size: size, chunkLength: 1000, lane: lane))
        }
        let owners = blobs.map { _ in Int.random(in: 0..<world.nodes.count, using: &world.random) }
        for index in world.nodes.indices {
            let count = Int.random(in: 0...150, using: &world.random)
            let lengths = (0..<count).map { _ in
                Int.random(in: 0..<10, using: &world.random) == 0 ? 3000 : Int.random(in: 1...300, using: &world.random)
            }
            if !lengths.isEmpty { world.nodes[index].write(lengths) }
            world.nodes[index].bringsFabric = seed % 2 == 0 && seed >= 1000
            world.nodes[index].know(blobs, holding: zip(blobs, owners).filter { $0.1 == index }.map(\.0))
        }
        return blobs
    }

    private func expectEqual(_ world: TestWorld, _ blobs: [TestBlob]) {
        let expected = world.nodes[0].store
        for node in world.nodes {
            #expect(node.store.frontier.digest == expected.frontier.digest, "\(node.closed)")
            #expect(node.store.missingPayloads.isEmpty)
            let isEqual = node.store.payloads == expected.payloads
            #expect(isEqual)
            #expect(blobs.allSatisfy { node.blobs.isWhole($0.name) })
        }
    }

    @Test(arguments: 0..<150)
    func `nodes in any connected topology end alike, and nothing is fetched twice`(seed: UInt64) {
        var world = TestWorld(nodeCount: 2 + Int(seed % 4), seed: seed)
        let blobs = fill(&world, seed)
        for node in 1..<world.nodes.count { world.connect(node, Int.random(in: 0..<node, using: &world.random)) }
        for left in world.nodes.indices {
            for right in world.nodes.indices where left < right && Bool.random(using: &world.random) {
                if world.peer(of: right, at: left) == nil { world.connect(left, right) }
            }
        }
        world.settle()
        expectEqual(world, blobs)
        for node in world.nodes {
            #expect(node.store.duplicates == 0)
            #expect(node.store.duplicatePayloads == 0)
            #expect(node.blobs.duplicates == 0)
            #expect(node.closed.isEmpty)
        }
    }

    @Test(arguments: 1000..<1150)
    func `links that break at any moment, restarts and new deltas do not keep nodes apart`(seed: UInt64) {
        var world = TestWorld(nodeCount: 2 + Int(seed % 4), seed: seed)
        let blobs = fill(&world, seed)
        var links: [Int] = []
        for _ in 0..<12 {
            let left = Int.random(in: 0..<world.nodes.count, using: &world.random)
            let right = (left + Int.random(in: 1..<world.nodes.count, using: &world.random)) % world.nodes.count
            switch Int.random(in: 0..<6, using: &world.random) {
            case 0: if let link = links.popLast() { world.cut(link) }
            case 1: world.nodes[left].write([5, 2000])
            case 2:
                for direction in world.directions where direction.from == left { world.cut(direction.link) }
                world.run(steps: 40)
                if world.nodes[left].inbox.isEmpty { world.nodes[left].restart() }
            default: links.append(world.connect(left, right))
            }
            world.run(steps: Int.random(in: 0...300, using: &world.random))
        }
        for node in 1..<world.nodes.count { world.connect(node, node - 1) }
        world.pass(seconds: 90)
        expectEqual(world, blobs)
        for node in world.nodes {
            #expect(node.blobs.duplicates == 0)
            #expect(node.closed.allSatisfy { $0.1.cause == .linkedAlready })
        }
    }

    @Test func `equal replicas exchange a welcome and a digest each and no more`() throws {
        var world = TestWorld(nodeCount: 2, seed: 1)
        world.connect(0, 1)
        world.settle()
        try #require(world.directions.count == 2, "\(world.nodes[0].closed) \(world.nodes[1].closed)")
        world.nodes[0].write([100, 100])
        world.settle()
        world.cut(world.directions[0].link)
        world.connect(0, 1)
        world.settle()
        // The greeting comes first; who asks does so in one message with its welcome.
        #expect(world.directions.map(\.messageCount).sorted() == [2, 3])
        for direction in world.directions { #expect(direction.byteCount < 600) }
    }

    @Test func `of a hundred journals only the ten that differ are spoken of`() throws {
        var world = TestWorld(nodeCount: 102, seed: 2)
        for author in 2..<102 {
            world.nodes[author].write([10, 10])
            for (key, chains) in world.nodes[author].store.branches {
                world.nodes[0].store.branches[key] = chains
                if author >= 12 { world.nodes[1].store.branches[key] = chains }
            }
        }
        for index in 0...1 { world.nodes[index].restart() }
        world.nodes[0].bringsFabric = false
        world.nodes[1].bringsFabric = false
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[0].store.frontier == world.nodes[1].store.frontier)
        try #require(world.directions.count == 2, "\(world.nodes[0].closed) \(world.nodes[1].closed)")
        let (toOne, toZero) = (world.directions[0], world.directions[1])
        #expect(toZero.messageCount < 30, "\(toZero.messageCount) messages, \(toZero.byteCount) bytes")
        #expect(toOne.byteCount < 20_000, "\(toOne.messageCount) messages, \(toOne.byteCount) bytes")
    }
}

enum BlobLanes {
    static let all: [Lane] = [.thumbnails, .previews, .originals]
}
