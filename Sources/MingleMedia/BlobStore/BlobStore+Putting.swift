// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
import Synchronization

extension BlobStore {
    /// Encrypts and stores `bytes` as a blob of `owner`; it outlives a power cut when this returns.
    package func put(_ bytes: [UInt8], owner: PersonID) throws -> BlobDescriptor {
        var offset = 0
        return try put(size: Int64(bytes.count), owner: owner, source: "the picture") { count in
            defer { offset += count }
            return Array(bytes[offset..<min(offset + count, bytes.count)])
        }
    }

    /// Encrypts and stores the file at `path` as a blob of `owner`, chunk by chunk.
    package func put(fileAt path: String, owner: PersonID) throws -> BlobDescriptor {
        let source = try File(path, for: .reading)
        let size = try source.length
        var offset: Int64 = 0
        let descriptor = try put(size: size, owner: owner, source: path) { count in
            defer { offset += Int64(count) }
            return try source.read(upTo: count, at: offset)
        }
        return descriptor
    }

    /// Encrypts and stores `size` bytes that `next` hands out, as many at a time as it is asked for.
    package func put(
        size: Int64,
        owner: PersonID,
        source: String,
        next: (Int) throws -> [UInt8]
    ) throws -> BlobDescriptor {
        guard let geometry = ChunkGeometry(size: size) else { throw BlobStoreError.unusableSize(size) }
        let temporary = folder.path(of: Self.temporaryPrefix + Base32.encode(randomness.bytes(15)))
        do {
            let key = randomness.bytes(BlobDescriptor.keyLength)
            let file = try File(temporary, for: .creating)
            let leaves = try encrypt(geometry, key, into: file, source: source, next: next)
            let tree = MerkleTree(leaves: leaves)
            guard let descriptor = BlobDescriptor(root: tree.root, size: size, key: key),
                let identity = BlobIdentity(root: tree.root, size: size, owner: owner)
            else { throw BlobStoreError.unusableSize(size) }
            try finish(file, at: temporary, BlobLayout(identity), tree)
            return descriptor
        } catch {
            _ = try? File.remove(temporary)
            throw error
        }
    }

    private func encrypt(
        _ geometry: ChunkGeometry,
        _ key: [UInt8],
        into file: borrowing File,
        source: String,
        next: (Int) throws -> [UInt8]
    ) throws -> [Bytes32] {
        var leaves: [Bytes32] = []
        for index in 0..<geometry.count {
            var chunk = try next(geometry.length(of: index))
            guard chunk.count == geometry.length(of: index) else {
                throw BlobStoreError.sourceChanged(path: source)
            }
            let offset = geometry.offset(of: index)
            BlobCipher.apply(to: &chunk, key: key, offset: Int(offset))
            leaves.append(MerkleTree.leaf(index: index, chunk: chunk))
            try file.write(chunk, at: offset)
            if geometry.count > 1 { file.beginSynchronizing(chunk.count, at: offset) }
        }
        return leaves
    }

    private func finish(
        _ file: borrowing File,
        at temporary: String,
        _ layout: BlobLayout,
        _ tree: MerkleTree
    ) throws {
        let name = layout.identity.name
        let held = ChunkSet(allOf: layout.identity.geometry.count)
        try file.write(layout.trailer(tree: tree, held: held), at: layout.treeOffset)
        try file.synchronize()
        try File.rename(temporary, to: path(of: name))
        try folder.synchronize()
        state.withLock { $0.set(.complete(fileLength: layout.fileLength), for: name) }
    }
}
