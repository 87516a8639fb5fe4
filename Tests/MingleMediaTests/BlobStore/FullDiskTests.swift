// SPDX-License-Identifier: Apache-2.0

import Glibc
import MingleMedia
import MingleModel
import Testing

/// On a disk of 4 MiB, which takes the right to mount one.
@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct FullDiskTests {
    private let owner = PersonID(.zero)

    @Test func `putting what does not fit says so, and the store goes on`() throws {
        try SmallDisk.lend { folder in
            let store = try BlobStore(path: folder + "/blobs")
            #expect { try store.put([UInt8](repeating: 1, count: 6 << 20), owner: owner) } throws: { isNoSpace($0) }
            #expect(store.list().isEmpty && store.storedBytes == 0)
            let small = try store.put([UInt8](repeating: 1, count: 1 << 20), owner: owner)
            #expect(store.isComplete(small.name(owner: owner)))
        }
    }

    @Test func `a fetched blob that does not fit is not begun`() throws {
        let blob = try SampleBlob(size: 6 << 20)
        try SmallDisk.lend { folder in
            let store = try BlobStore(path: folder + "/blobs")
            #expect(throws: BlobStoreError.noRoom(for: blob.identity.name)) { try blob.write([0], to: store) }
            #expect(store.list().isEmpty && store.storedBytes == 0)
            let small = try SampleBlob(size: 500_000)
            try small.write(small.chunks.indices, to: store)
            #expect(store.isComplete(small.identity.name))
        }
    }

    @Test func `a fetch that met a full disk goes on once there is room`() throws {
        let blobs = try (0..<3).map { _ in try SampleBlob(size: 2 << 20) }
        try SmallDisk.lend { folder in
            let store = try BlobStore(path: folder + "/blobs")
            try blobs[0].write(blobs[0].chunks.indices, to: store)
            try blobs[1].write(blobs[1].chunks.indices.dropLast(), to: store)
            let last = blobs[2].identity.name
            #expect(throws: BlobStoreError.noRoom(for: last)) { try blobs[2].write([0], to: store) }
            try store.delete(blobs[0].identity.name)
            try blobs[2].write(blobs[2].chunks.indices.prefix(7), to: store)
            try blobs[1].write(blobs[1].chunks.indices, to: store)
            #expect(store.isComplete(blobs[1].identity.name))
            try store.flush()
            #expect(try BlobStore(path: folder + "/blobs").heldChunks(blobs[2].identity.name)?.count == 7)
        }
    }

    private func isNoSpace(_ error: any Error) -> Bool {
        if case BlobStoreError.noSpace = error { true } else { false }
    }
}

/// A file system in memory with room for 4 MiB.
private enum SmallDisk {
    static let isPossible = (try? lend { _ in }) != nil

    private struct Refused: Error {}

    static func lend(_ body: (String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            guard unsafe mount("tmpfs", folder, "tmpfs", 0, "size=4608k") == 0 else { throw Refused() }
            defer { _ = unsafe umount(folder) }
            try body(folder)
        }
    }
}
