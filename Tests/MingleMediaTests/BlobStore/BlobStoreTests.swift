// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import Testing

struct BlobStoreTests {
    private let owner = PersonID(Blake2b.hash(.identity, [1]))

    @Test(arguments: [1, 63, 64, 20_000, 256 << 10, 256 << 10 + 1, 700_000])
    func `what was put comes back, whole and by ranges`(size: Int) throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder + "/blobs")
            let plain = Randomness.system.bytes(size)
            let descriptor = try store.put(plain, owner: owner)
            let reader = try store.open(descriptor, owner: owner)
            #expect(try reader.read(offset: 0, length: size) == plain)
            #expect(try reader.read(offset: Int64(size - 1), length: 100) == [plain[size - 1]])
            #expect(try reader.read(offset: Int64(size), length: 1) == [])
            let range = (size / 3)..<(size / 3 + min(size - size / 3, 300_000))
            #expect(try reader.read(offset: Int64(range.lowerBound), length: range.count) == Array(plain[range]))
        }
    }

    @Test func `a file is stored as its bytes are, and nothing stored is in the clear`() throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder + "/blobs")
            let plain = [UInt8](repeating: 65, count: 600_000)
            try Data(plain).write(to: URL(filePath: folder + "/picture"))
            let descriptor = try store.put(fileAt: folder + "/picture", owner: owner)
            #expect(try store.open(descriptor, owner: owner).read(offset: 0, length: plain.count) == plain)
            let path = folder + "/blobs/\(descriptor.name(owner: owner))"
            let stored = try Data(contentsOf: URL(filePath: path))
            #expect(stored.range(of: Data(plain.prefix(16))) == nil)
        }
    }

    @Test func `a blob's name depends on root, size and owner, and its key on nothing`() throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            let first = try store.put([1, 2, 3], owner: owner)
            let second = try store.put([1, 2, 3], owner: owner)
            #expect(first.key != second.key && first.root != second.root)
            var bytes = first.root.bytes + [0, 0, 0, 0, 0, 0, 0, 3]
            bytes += owner.bytes
            #expect(first.name(owner: owner) == BlobName(Blake2b.hash(.blob, bytes)))
            #expect(first.name(owner: PersonID(.zero)) != first.name(owner: owner))
        }
    }

    @Test func `a small blob is one private file in a private folder`() throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder + "/blobs")
            let descriptor = try store.put([UInt8](repeating: 1, count: 20_000), owner: owner)
            let name = descriptor.name(owner: owner)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/blobs") == [name.description])
            #expect(try mode(folder + "/blobs") == 0o700 && mode(folder + "/blobs/\(name)") == 0o600)
            #expect((20_000..<20_200).contains(store.storedBytes))
        }
    }

    @Test func `blobs are listed, found again after reopening, and gone when deleted`() throws {
        try withTemporaryFolder { folder in
            let names = try (0..<5 as Range<UInt8>).map { number in
                let store = try BlobStore(path: folder)
                return try store.put([UInt8](repeating: number, count: 300_000), owner: owner).name(owner: owner)
            }
            let store = try BlobStore(path: folder)
            #expect(store.list().map(\.name) == names.sorted() && store.list().allSatisfy(\.isComplete))
            #expect(try store.heldChunks(names[0])?.isComplete == true)
            #expect(try store.delete(names[0]))
            #expect(try !store.delete(names[0]) && !store.isComplete(names[0]))
            #expect(try store.heldChunks(names[0]) == nil)
            #expect(throws: BlobStoreError.notHeld(names[0], index: nil)) { try store.readChunk(names[0], index: 0) }
            for name in names.dropFirst() { try store.delete(name) }
            #expect(store.storedBytes == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test(arguments: [100, 600_000])
    func `damage on disk is noticed and never served`(size: Int) throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            let descriptor = try store.put([UInt8](repeating: 1, count: size), owner: owner)
            let name = descriptor.name(owner: owner)
            #expect(try store.verify(name) == [])
            let last = (size - 1) / (256 << 10)
            let file = try FileHandle(forUpdating: URL(filePath: folder + "/\(name)"))
            try file.seek(toOffset: UInt64(size - 1))
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: UInt64(size - 1))
            try file.write(contentsOf: [byte ^ 1])
            #expect(try store.verify(name) == [last])
            #expect(throws: BlobStoreError.damaged(name, index: last)) { try store.readChunk(name, index: last) }
            #expect(throws: BlobStoreError.damaged(name, index: last)) {
                try store.open(descriptor, owner: owner).read(offset: Int64(size - 1), length: 1)
            }
        }
    }

    @Test func `a source that ends early or is empty leaves nothing behind`() throws {
        try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            #expect(throws: BlobStoreError.sourceChanged(path: "stream")) {
                try store.put(size: 10, owner: owner, source: "stream") { _ in [1, 2, 3] }
            }
            #expect(throws: BlobStoreError.unusableSize(0)) { try store.put([], owner: owner) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            #expect(store.list().isEmpty && store.storedBytes == 0)
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
