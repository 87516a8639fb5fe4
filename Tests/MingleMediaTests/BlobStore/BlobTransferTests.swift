// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import MingleModel
import Testing

struct BlobTransferTests {
    @Test(arguments: [1, 256 << 10, 1_000_000])
    func `chunks that arrive in any order make the author's blob`(size: Int) throws {
        let blob = try SampleBlob(size: size)
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            for index in blob.chunks.indices.shuffled() {
                #expect(!store.isComplete(blob.identity.name))
                try blob.write([index], to: store)
            }
            #expect(store.isComplete(blob.identity.name))
            let reader = try store.open(blob.descriptor, owner: blob.identity.owner)
            #expect(try reader.read(offset: 0, length: size) == blob.plain)
            try store.flush()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [blob.identity.name.description])
            #expect(try reader.read(offset: 0, length: size) == blob.plain)
        }
    }

    @Test func `a chunk that is held is not written again`() throws {
        let blob = try SampleBlob(size: 600_000)
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            let chunk = blob.chunks[1]
            let proof = chunk.proof
            #expect(try store.write(chunk: chunk.ciphertext, index: 1, proof: proof, of: blob.identity))
            #expect(try !store.write(chunk: chunk.ciphertext, index: 1, proof: proof, of: blob.identity))
            try blob.write([0, 2], to: store)
            #expect(try !store.write(chunk: chunk.ciphertext, index: 1, proof: proof, of: blob.identity))
        }
    }

    @Test(arguments: [100, 600_000])
    func `a chunk that is not the author's is refused and leaves no trace`(size: Int) throws {
        let blob = try SampleBlob(size: size)
        let name = blob.identity.name
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            var wrong = blob.chunks[0].ciphertext
            wrong[wrong.count - 1] ^= 1
            let proof = blob.chunks[0].proof
            for (chunk, index) in [(wrong, 0), (Array(wrong.dropLast()), 0), (wrong, -1), (wrong, 99)] {
                #expect(throws: BlobStoreError.wrongChunk(name, index: index)) {
                    try store.write(chunk: chunk, index: index, proof: proof, of: blob.identity)
                }
            }
            #expect(throws: BlobStoreError.wrongChunk(name, index: 0)) {
                try store.write(
                    chunk: blob.chunks[0].ciphertext,
                    index: 0,
                    proof: proof + [.zero],
                    of: blob.identity
                )
            }
            #expect(store.list().isEmpty && store.storedBytes == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            try blob.write(blob.chunks.indices, to: store)
            #expect(store.isComplete(name))
        }
    }

    @Test func `a partly fetched blob serves what it holds, with proofs that others can check`() throws {
        let blob = try SampleBlob(size: 1_500_000)
        try withTemporaryFolder { first in
            try withTemporaryFolder { second in
                let relay = try BlobStore(path: first)
                try blob.write([1, 4], to: relay)
                let phone = try BlobStore(path: second)
                for index in [1, 4] {
                    let chunk = try relay.readChunk(blob.identity.name, index: index)
                    #expect(chunk == blob.chunks[index])
                    try phone.write(chunk: chunk.ciphertext, index: index, proof: chunk.proof, of: blob.identity)
                }
                #expect(try phone.heldChunks(blob.identity.name)?.count == 2)
                #expect(throws: BlobStoreError.notHeld(blob.identity.name, index: 0)) {
                    try relay.readChunk(blob.identity.name, index: 0)
                }
                #expect(throws: BlobStoreError.notHeld(blob.identity.name, index: nil)) {
                    try relay.open(blob.descriptor, owner: blob.identity.owner)
                }
                #expect(try phone.verify(blob.identity.name) == [])
            }
        }
    }

    @Test func `after a crash no chunk that was written is fetched again, marked or not`() throws {
        let blob = try SampleBlob(size: 12 << 20)
        let batch = BlobStore.batchSize / blob.identity.geometry.chunkSize
        try withTemporaryFolder { folder in
            let before = try BlobStore(path: folder)
            try blob.write(0..<(batch + 5), to: before)
            #expect(try before.heldChunks(blob.identity.name)?.count == batch + 5)
            // Opened beside the first, which never closes in order: what is seen is what a killed process leaves.
            let after = try BlobStore(path: folder)
            let held = try #require(try after.heldChunks(blob.identity.name))
            #expect(held.count == batch + 5 && (0..<(batch + 5)).allSatisfy(held.contains))
            #expect(try after.verify(blob.identity.name) == [])
            #expect(try after.readChunk(blob.identity.name, index: 3) == blob.chunks[3])
            try blob.write((batch + 5)..<blob.chunks.count, to: after)
            let reader = try BlobStore(path: folder).open(blob.descriptor, owner: blob.identity.owner)
            #expect(try reader.read(offset: 0, length: blob.plain.count) == blob.plain)
        }
    }

    @Test func `after a power cut a chunk whose bytes did not reach the disk is fetched again`() throws {
        let blob = try SampleBlob(size: 3 << 20)
        try withTemporaryFolder { folder in
            try blob.write([0, 2, 3, 5], to: BlobStore(path: folder))
            let path = folder + "/\(blob.identity.name).part"
            let file = try FileHandle(forUpdating: URL(filePath: path))
            // One chunk is lost whole, and another in part; of a third, which nobody brought, the hash is known.
            for (index, length) in [(2, blob.identity.geometry.chunkSize), (5, 1)] {
                try file.seek(toOffset: UInt64(index * blob.identity.geometry.chunkSize))
                try file.write(contentsOf: Data(count: length))
            }
            try file.close()
            let after = try BlobStore(path: folder)
            let held = try #require(try after.heldChunks(blob.identity.name))
            #expect((0..<blob.chunks.count).filter(held.contains) == [0, 3])
            try blob.write([1, 2] + (4..<blob.chunks.count), to: after)
            let reader = try BlobStore(path: folder).open(blob.descriptor, owner: blob.identity.owner)
            #expect(try reader.read(offset: 0, length: blob.plain.count) == blob.plain)
        }
    }

    @Test func `a small blob survives a crash before it was synchronized, and half of one does not`() throws {
        let blobs = try (0..<3).map { _ in try SampleBlob(size: 30_000) }
        try withTemporaryFolder { folder in
            let before = try BlobStore(path: folder)
            for blob in blobs { try blob.write([0], to: before) }
            let half = folder + "/\(blobs[0].identity.name).part"
            try Data(contentsOf: URL(filePath: half)).prefix(10_000).write(to: URL(filePath: half))
            let after = try BlobStore(path: folder)
            #expect(!after.isComplete(blobs[0].identity.name))
            #expect(blobs.dropFirst().allSatisfy { after.isComplete($0.identity.name) })
            #expect(Set(after.list().map(\.name)) == Set(blobs.dropFirst().map(\.identity.name)))
        }
    }

    @Test func `deleting a blob while it arrives stops it`() throws {
        let blob = try SampleBlob(size: 1_000_000)
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            try blob.write([0, 1], to: store)
            #expect(try store.delete(blob.identity.name))
            #expect(store.storedBytes == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            try blob.write(blob.chunks.indices, to: store)
            #expect(store.isComplete(blob.identity.name))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `many threads may bring the same chunks`() async throws {
        let blob = try SampleBlob(size: 3_000_000)
        try await withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            let written = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try Self.writeAll(of: blob, to: store) }
                }
                return try await group.reduce(0, +)
            }
            #expect(written == blob.chunks.count)
            #expect(store.isComplete(blob.identity.name))
            #expect(try store.verify(blob.identity.name) == [])
        }
    }

    /// Brings every chunk in an order of its own; returns how many were new.
    private static func writeAll(of blob: SampleBlob, to store: BlobStore) throws -> Int {
        try blob.chunks.indices.shuffled().count { index in
            let (chunk, proof) = (blob.chunks[index].ciphertext, blob.chunks[index].proof)
            return try store.write(chunk: chunk, index: index, proof: proof, of: blob.identity)
        }
    }
}
