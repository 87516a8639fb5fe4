// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import TestSupport
import Testing

/// What is kept of blobs whose files were altered on the disk.
struct BlobHealingTests {
    private static let owner = PersonID(Blake2b.hash(.identity, [1]))
    private static let chunk = 256 << 10

    private func flip(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset] ^= 4
        try bytes.write(to: URL(filePath: path))
    }

    /// Two stores that hold the same blob of a size.
    private func withTwo(
        size: Int,
        _ body: (_ damaged: BlobStore, _ path: String, _ sound: BlobStore, _ blob: BlobDescriptor) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder + "/blobs")
            let blob = try store.put([UInt8](repeating: 1, count: size), owner: Self.owner)
            try FileManager.default.copyItem(atPath: folder + "/blobs", toPath: folder + "/others")
            let path = folder + "/blobs/\(blob.name(owner: Self.owner))"
            try body(store, path, try BlobStore(path: folder + "/others"), blob)
        }
    }

    /// Fetches what a store lacks of a blob from another.
    private func fetch(_ blob: BlobDescriptor, into store: BlobStore, from other: BlobStore) throws -> Int {
        let name = blob.name(owner: Self.owner)
        let identity = try #require(BlobIdentity(root: blob.root, size: blob.size, owner: Self.owner))
        var fetched = 0
        for index in 0..<identity.geometry.count where try store.heldChunks(name)?.contains(index) != true {
            let chunk = try other.readChunk(name, index: index)
            try store.write(chunk: chunk.ciphertext, index: index, proof: chunk.proof, of: identity)
            fetched += 1
        }
        try store.flush()
        return fetched
    }

    @Test func `of a damaged picture only the damaged chunk is fetched again`() throws {
        try withTwo(size: 5 * Self.chunk) { store, path, others, blob in
            let name = blob.name(owner: Self.owner)
            #expect(try store.condition(of: name) == .sound && store.heal(name) == .sound)
            try flip(path, at: 3 * Self.chunk + 17)
            #expect(try store.condition(of: name) == .damaged(chunks: [3]))
            #expect(try store.heal(name) == .damaged(chunks: [3]))
            #expect(!store.isComplete(name))
            #expect(throws: BlobStoreError.notHeld(name, index: 3)) { try store.readChunk(name, index: 3) }
            #expect(try store.readChunk(name, index: 2) == others.readChunk(name, index: 2))
            #expect(try fetch(blob, into: store, from: others) == 1)
            #expect(try store.isComplete(name) && store.condition(of: name) == .sound)
            #expect(try store.open(blob, owner: Self.owner).read(offset: 0, length: .max).allSatisfy { $0 == 1 })
        }
    }

    @Test func `hashes that were altered are worked out again where all chunks are there`() throws {
        try withTwo(size: 3 * Self.chunk) { store, path, _, blob in
            let name = blob.name(owner: Self.owner)
            try flip(path, at: 3 * Self.chunk + 40)
            #expect(try store.condition(of: name) == .unproved)
            #expect(try store.heal(name) == .unproved)
            #expect(try store.isComplete(name) && store.condition(of: name) == .sound)
        }
    }

    @Test func `a small picture, and one whose file does not say what it is, are fetched whole`() throws {
        try withTwo(size: 1000) { store, path, others, blob in
            let name = blob.name(owner: Self.owner)
            try flip(path, at: 5)
            #expect(try store.heal(name) == .damaged(chunks: [0]))
            #expect(store.list().isEmpty && store.storedBytes == 0 && !FileManager.default.fileExists(atPath: path))
            #expect(try fetch(blob, into: store, from: others) == 1)
            try flip(path, at: Data(contentsOf: URL(filePath: path)).count - 3)
            #expect(try store.condition(of: name) == .lost && store.heal(name) == .lost)
            #expect(try store.condition(of: name) == nil && store.heal(name) == nil)
            #expect(try fetch(blob, into: store, from: others) == 1 && store.isComplete(name))
        }
    }

    @Test(arguments: LawSeeds.first(40))
    func `whatever bits flip, no wrong byte is served, and another store heals it`(seed: UInt64) throws {
        try withTwo(size: 4 * Self.chunk - 100) { store, path, others, blob in
            let name = blob.name(owner: Self.owner)
            var dice = SplitMix(seed: seed)
            if seed % 2 == 1 {
                // One that was still on its way.
                try flip(path, at: 5)
                _ = try store.heal(name)
            }
            let file = seed % 2 == 1 ? path + ".part" : path
            let length = try Data(contentsOf: URL(filePath: file)).count
            for _ in 0..<(1 + seed % 3) {
                // Half of them in what stands behind the chunks.
                let isBehind = dice.next() % 2 == 0
                let from = isBehind ? Int(blob.size) : 0
                try flip(file, at: from + Int(dice.next() % UInt64(length - from)))
            }
            for index in 0..<4 {
                if let served = try? store.readChunk(name, index: index) {
                    #expect(try served == others.readChunk(name, index: index))
                }
            }
            _ = try store.heal(name)
            _ = try fetch(blob, into: store, from: others)
            #expect(try store.isComplete(name) && store.condition(of: name) == .sound)
            #expect(try store.open(blob, owner: Self.owner).read(offset: 0, length: .max).allSatisfy { $0 == 1 })
        }
    }
}
