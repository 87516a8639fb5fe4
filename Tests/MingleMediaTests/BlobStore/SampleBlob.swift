// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import Testing

/// A blob with all its chunks and proofs, as an author's node would send them.
struct SampleBlob {
    let identity: BlobIdentity
    let descriptor: BlobDescriptor
    let plain: [UInt8]
    let chunks: [StoredChunk]

    init(size: Int) throws {
        let owner = PersonID(.zero)
        let plain = Randomness.system.bytes(size)
        (descriptor, chunks) = try withTemporaryFolder { folder in
            let store = try BlobStore(path: folder)
            let descriptor = try store.put(plain, owner: owner)
            let name = descriptor.name(owner: owner)
            let count = try #require(try store.heldChunks(name)).capacity
            return (descriptor, try (0..<count).map { try store.readChunk(name, index: $0) })
        }
        self.plain = plain
        identity = try #require(BlobIdentity(root: descriptor.root, size: descriptor.size, owner: owner))
    }

    /// Hands the chunks at `indices` to `store`.
    func write(_ indices: some Sequence<Int>, to store: BlobStore) throws {
        for index in indices {
            try store.write(chunk: chunks[index].ciphertext, index: index, proof: chunks[index].proof, of: identity)
        }
    }
}
