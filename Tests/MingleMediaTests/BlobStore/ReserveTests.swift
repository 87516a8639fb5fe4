// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleMedia
import MingleModel
import Testing

/// What blobs that are fetched leave free on the disk.
struct ReserveTests {
    /// Bytes that are free where the tests write.
    private func freeBytes(at folder: String) throws -> Int {
        let free = try FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize]
        return try #require(free as? Int)
    }

    @Test func `a blob that would take of the reserve is not begun, and nothing of it stays`() throws {
        let blob = try SampleBlob(size: 1 << 20)
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder, reserve: freeBytes(at: folder) + (1 << 30))
            #expect(throws: BlobStoreError.noRoom(for: blob.identity.name)) { try blob.write([0], to: store) }
            #expect(store.list().isEmpty && store.storedBytes == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            // What the person puts takes what there is.
            let owner = PersonID(.zero)
            let put = try store.put([1, 2, 3], owner: owner)
            #expect(store.isComplete(put.name(owner: owner)))
        }
    }

    @Test func `a blob that was begun goes on once there is room`() throws {
        let blob = try SampleBlob(size: 1 << 20)
        try withTemporaryFolder { folder in
            try blob.write([0], to: BlobStore(path: folder))
            let name = blob.identity.name
            let full = try BlobStore(path: folder, reserve: freeBytes(at: folder) + (1 << 30))
            #expect(throws: BlobStoreError.noRoom(for: name)) { try blob.write([1], to: full) }
            #expect(try full.heldChunks(name)?.count == 1)
            let store = try BlobStore(path: folder)
            try blob.write(blob.chunks.indices, to: store)
            #expect(store.isComplete(name))
        }
    }

    @Test func `one chunk of a large blob takes no more of the disk than it is long`() throws {
        let blob = try SampleBlob(size: 32 << 20)
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            try blob.write([3], to: store)
            try store.flush()
            let path = "\(folder)/\(blob.identity.name).part"
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0)
            #expect(status.st_size >= 32 << 20 && status.st_blocks * 512 < 4 << 20)
            try blob.write(blob.chunks.indices, to: store)
            #expect(store.isComplete(blob.identity.name))
        }
    }
}
