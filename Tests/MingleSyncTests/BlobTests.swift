// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import MingleWire
import Synchronization
import TestSupport
import Testing

struct BlobTests {
    private static func catalogue(_ count: Int, size: Int, _ lane: Lane) -> [TestBlob] {
        (0..<count).map { TestBlob($0, size: size, chunkLength: 1000, lane: lane) }
    }

    @Test(arguments: 0..<10)
    func `every thumbnail comes before the first preview, and every preview before the first original`(seed: UInt64) {
        var world = TestWorld(nodeCount: 3, seed: seed)
        let blobs =
            Self.catalogue(20, size: 5000, .originals) + Self.catalogue(20, size: 1500, .previews)
            + Self.catalogue(300, size: 300, .thumbnails)
        // Two nodes hold half each.
        world.nodes[0].know(blobs, holding: blobs.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        world.nodes[1].know(blobs, holding: blobs.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        world.nodes[2].know(blobs)
        world.connect(0, 2)
        world.connect(1, 2)
        world.settle()
        let order = world.nodes[2].blobs.written.compactMap { world.nodes[2].blobs.catalogue[$0.blob]?.lane.rawValue }
        #expect(order.count == 300 + 40 + 100)
        // Who is still asked about its thumbnails while the other has delivered all of its own makes no exception.
        let firstPreview = order.firstIndex { $0 > Lane.thumbnails.rawValue } ?? 0
        #expect(firstPreview >= 150)
        #expect(world.nodes[2].blobs.duplicates == 0)
    }

    @Test func `with one source the order of lanes is strict`() {
        var world = TestWorld(nodeCount: 2, seed: 11)
        let blobs =
            Self.catalogue(10, size: 5000, .originals) + Self.catalogue(10, size: 1500, .previews)
            + Self.catalogue(600, size: 300, .thumbnails)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        world.connect(0, 1)
        world.settle()
        let order = world.nodes[1].blobs.written.compactMap { world.nodes[1].blobs.catalogue[$0.blob]?.lane.rawValue }
        #expect(order == order.sorted())
        #expect(order.count == 600 + 20 + 50)
    }

    @Test func `what came last is fetched first, also while more comes`() {
        var world = TestWorld(nodeCount: 2, seed: 19)
        // Nodes of these tests want blobs in the order of their names.
        let blobs = Self.catalogue(3000, size: 300, .thumbnails).sorted { $0.name < $1.name }
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(Array(blobs[..<2000]))
        world.connect(0, 1)
        while world.nodes[1].blobs.written.count < 500, world.step() {}
        world.nodes[1].know(Array(blobs[2000...]))
        world.settle()
        let order = world.nodes[1].blobs.written.compactMap { written in
            blobs.firstIndex { $0.name == written.blob }
        }
        #expect(order.count == 3000)
        #expect(order[..<256].allSatisfy { $0 >= 2000 - 256 })
        // What had been asked for by then comes before what is new.
        let news = order[500...].prefix { $0 < 2000 }
        #expect(news.count < 1000)
        #expect(order[(500 + news.count)...].prefix(256).allSatisfy { $0 >= 3000 - 256 })
    }

    @Test(arguments: 0..<20)
    func `whatever is wanted in between, all of it comes, and once`(seed: UInt64) {
        var world = TestWorld(nodeCount: 3, seed: seed)
        var random = SplitMix(seed: seed)
        let blobs = Self.catalogue(2400, size: 300, .thumbnails)
        for node in 0..<2 { world.nodes[node].know(blobs, holding: blobs) }
        for node in 0..<2 { world.connect(node, 2) }
        var known = 0
        while known < blobs.count {
            let more = min(blobs.count, known + Int.random(in: 1...700, using: &random))
            world.nodes[2].know(Array(blobs[known..<more]))
            known = more
            world.run(steps: Int.random(in: 0...400, using: &random))
        }
        world.settle()
        #expect(blobs.allSatisfy { world.nodes[2].blobs.isWhole($0.name) })
        #expect(world.nodes[2].blobs.duplicates == 0)
    }

    @Test(arguments: 0..<20)
    func `a link pulled in mid transfer resumes without fetching what is held`(seed: UInt64) {
        var world = TestWorld(nodeCount: 2, seed: seed)
        let blobs = Self.catalogue(1, size: 300_000, .originals) + Self.catalogue(5, size: 100, .thumbnails)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        for _ in 0..<4 {
            let link = world.connect(0, 1)
            world.run(steps: 400)
            world.cut(link)
            while world.step() {}
            if seed % 2 == 0 { world.nodes[1].restart() }
        }
        #expect(!world.nodes[1].blobs.written.isEmpty)
        world.connect(0, 1)
        world.settle()
        #expect(blobs.allSatisfy { world.nodes[1].blobs.isWhole($0.name) })
        #expect(world.nodes[1].blobs.duplicates == 0)
    }

    @Test func `a bad chunk ends the session, and another source is used`() {
        var world = TestWorld(nodeCount: 3, seed: 12)
        let blobs = Self.catalogue(1, size: 20_000, .originals)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs, holding: blobs)
        world.nodes[2].know(blobs)
        world.nodes[0].misbehave = { _, action in
            guard case .loadChunk(let peer, let name, let index) = action else { return nil }
            let bytes = [UInt8](repeating: 0, count: 1000)
            return [.chunk(peer, name, index: index, ChunkData(proof: [], bytes: bytes))]
        }
        world.connect(0, 2)
        world.settle()
        #expect(world.nodes[2].closed.map(\.1.reason) == ["sent a chunk that does not fit its blob"])
        world.connect(1, 2)
        world.settle()
        #expect(world.nodes[2].blobs.isWhole(blobs[0].name))
    }

    @Test func `a source that stalls is left for another after ten seconds`() {
        var world = TestWorld(nodeCount: 3, seed: 13)
        let blobs = Self.catalogue(1, size: 20_000, .originals) + Self.catalogue(3, size: 500, .thumbnails)
        for node in 0..<2 { world.nodes[node].know(blobs, holding: blobs) }
        world.nodes[2].know(blobs)
        world.nodes[0].misbehave = { _, action in
            if case .loadChunk = action { return [] }
            return nil
        }
        world.connect(0, 2)
        world.settle()
        world.connect(1, 2)
        world.pass(seconds: 20)
        #expect(blobs.allSatisfy { world.nodes[2].blobs.isWhole($0.name) })
        #expect(world.nodes[2].notes.contains { $0.1 == .stalled })
        #expect(world.nodes[2].blobs.duplicates == 0)
    }

    @Test func `a blob goes down a line, each node serving it once it has it`() {
        var world = TestWorld(nodeCount: 4, seed: 14)
        let blobs = Self.catalogue(3, size: 9000, .previews)
        world.nodes[0].know(blobs, holding: blobs)
        for node in 1..<4 {
            world.nodes[node].know(blobs)
            world.connect(node - 1, node)
        }
        world.settle()
        for node in world.nodes { #expect(blobs.allSatisfy { node.blobs.isWhole($0.name) }) }
    }

    @Test func `a full disk pauses fetching, and room resumes it`() {
        var world = TestWorld(nodeCount: 2, seed: 15)
        let blobs = Self.catalogue(2, size: 100_000, .originals)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        world.nodes[1].misbehave = { node, action in
            guard case .storeChunk(let peer, let chunk) = action, node.blobs.written.count >= 20 else { return nil }
            return [.diskFull, .chunkStored(peer, chunk.name, index: chunk.index, .notWritten)]
        }
        world.connect(0, 1)
        world.pass(seconds: 60)
        #expect(world.nodes[1].blobs.written.count == 20)
        #expect(world.nodes[1].closed.isEmpty)
        world.nodes[1].misbehave = nil
        world.nodes[1].inbox.append(.diskRoom)
        world.settle()
        #expect(blobs.allSatisfy { world.nodes[1].blobs.isWhole($0.name) })
        #expect(world.nodes[1].blobs.duplicates == 0)
    }

    @Test func `what is wanted no more is fetched no more, and what is wanted sooner comes sooner`() {
        var world = TestWorld(nodeCount: 2, seed: 16)
        let blobs = Self.catalogue(40, size: 3000, .originals)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        world.nodes[1].inbox.append(.blobsUnwanted(blobs[..<20].map(\.name)))
        let urgent = TestBlob(39, size: 3000, chunkLength: 1000, lane: .originals)
        let want = urgent.want()
        world.nodes[1].inbox.append(
            .blobsWanted([
                BlobWant(name: want.name, size: want.size, chunkLength: 1000, root: want.root, lane: .thumbnails)
            ])
        )
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[1].blobs.written.count == 60)
        #expect(world.nodes[1].blobs.written.first?.blob == urgent.name)
    }

    @Test func `a source that stalled often is asked again, each time after a longer pause`() {
        var world = TestWorld(nodeCount: 2, seed: 17)
        let blobs = Self.catalogue(1, size: 3000, .originals)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        let unread = Mutex<[SyncInput]>([])
        world.nodes[0].misbehave = { _, action in
            guard case .loadChunk(let peer, let name, let index) = action else { return nil }
            unread.withLock { $0.append(.chunk(peer, name, index: index, nil)) }
            return []
        }
        world.connect(0, 1)
        world.pass(seconds: 600)
        let stalls = world.nodes[1].notes.count { $0.1 == .stalled }
        // 11 s and 30 s of pause, then 22 and 60, 44 and 120, 88 and 240.
        #expect((4...6).contains(stalls))
        world.nodes[0].misbehave = nil
        world.nodes[0].inbox += unread.withLock { $0 }
        world.pass(seconds: 360)
        #expect(world.nodes[1].blobs.isWhole(blobs[0].name))
    }

    @Test func `a chunk of what was erased meanwhile holds up nothing else`() {
        var world = TestWorld(nodeCount: 2, seed: 18)
        let blobs = Self.catalogue(3, size: 3000, .originals)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        world.nodes[1].misbehave = { _, action in
            guard case .storeChunk(let peer, let chunk) = action, chunk.name == blobs[0].name else { return nil }
            return [.chunkStored(peer, chunk.name, index: chunk.index, .unwanted)]
        }
        world.connect(0, 1)
        world.settle()
        #expect(!world.nodes[1].blobs.isWhole(blobs[0].name))
        #expect(blobs[1...].allSatisfy { world.nodes[1].blobs.isWhole($0.name) })
        #expect(world.nodes[1].closed.isEmpty)
    }

    @Test(arguments: 0..<5)
    func `of more blobs than are kept in mind all come that somebody has, thumbnails first`(seed: UInt64) {
        var limits = SyncLimits()
        limits.wantedBlobs = 64
        var world = TestWorld(nodeCount: 2, seed: seed, limits: limits)
        let thumbnails = Self.catalogue(30, size: 300, .thumbnails)
        let originals = Self.catalogue(400, size: 2000, .originals)
        // Far more than are kept in mind, nobody has.
        let held = originals.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        world.nodes[0].know(thumbnails + originals, holding: thumbnails + held)
        world.nodes[1].know(originals + thumbnails)
        world.connect(0, 1)
        world.settle()
        #expect(thumbnails.allSatisfy { world.nodes[1].blobs.isWhole($0.name) })
        // Each minute the rest of the records is looked through.
        world.pass(seconds: 60 * 20)
        #expect(held.allSatisfy { world.nodes[1].blobs.isWhole($0.name) })
        #expect(world.nodes[1].blobs.duplicates == 0)
    }

    @Test func `what is kept in mind of blobs is bounded`() {
        var limits = SyncLimits()
        limits.wantedBlobs = 64
        var world = TestWorld(nodeCount: 2, seed: 3, limits: limits)
        world.nodes[0].know([])
        world.nodes[1].know(Self.catalogue(1000, size: 300, .thumbnails))
        world.connect(0, 1)
        for _ in 0..<600 {
            world.pass(seconds: 1)
            #expect(world.nodes[1].engine.gauges.allSatisfy { !$0.isOverfull })
            #expect(world.nodes[1].engine.gauges.contains { $0.name == "blobs wanted" && (1...64).contains($0.value) })
        }
    }

    @Test func `records are looked through no more once all that they speak of is here`() {
        var limits = SyncLimits()
        limits.wantedBlobs = 64
        var world = TestWorld(nodeCount: 2, seed: 4, limits: limits)
        let blobs = Self.catalogue(300, size: 300, .thumbnails)
        world.nodes[0].know(blobs, holding: blobs)
        world.nodes[1].know(blobs)
        world.connect(0, 1)
        world.pass(seconds: 600)
        #expect(blobs.allSatisfy { world.nodes[1].blobs.isWhole($0.name) })
        let looked = Mutex(0)
        world.nodes[1].misbehave = { _, action in
            if case .findBlobs = action { looked.withLock { $0 += 1 } }
            return nil
        }
        world.pass(seconds: 600)
        #expect(looked.withLock { $0 } == 0)
    }
}
