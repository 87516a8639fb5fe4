// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// A stored blob opened for reading; every chunk that it hands out fits the root.
struct BlobFile: ~Copyable {
    /// The blob in the file.
    let identity: BlobIdentity
    /// Which of its chunks the file holds.
    let held: ChunkSet
    private let file: File
    private let layout: BlobLayout
    private let tree: MerkleTree

    /// Opens the file of a complete blob; throws `damaged` if it is not the file of `name`.
    init(complete path: String, name: BlobName) throws {
        let file = try File(path, for: .reading)
        guard let layout = try BlobLayout(of: file), layout.identity.name == name,
            let tree = try layout.tree(in: file)
        else { throw BlobStoreError.damaged(name, index: 0) }
        self.init(file, layout, tree, held: ChunkSet(allOf: layout.identity.geometry.count))
    }

    /// Opens the file of a blob whose tree and held chunks are known better than the file tells.
    init(partial path: String, layout: BlobLayout, tree: MerkleTree, held: ChunkSet) throws {
        self.init(try File(path, for: .reading), layout, tree, held: held)
    }

    private init(_ file: consuming File, _ layout: BlobLayout, _ tree: MerkleTree, held: ChunkSet) {
        self.file = file
        self.layout = layout
        self.tree = tree
        self.held = held
        identity = layout.identity
    }

    /// Reads the encrypted chunk at `index` and checks it against the root.
    func chunk(_ index: Int) throws -> StoredChunk {
        guard held.contains(index) else { throw BlobStoreError.notHeld(identity.name, index: index) }
        let bytes = try layout.chunk(index, in: file)
        let proof = tree.proof(for: index)
        guard bytes.count == identity.geometry.length(of: index),
            MerkleTree.verify(
                leaf: MerkleTree.leaf(index: index, chunk: bytes),
                index: index,
                count: identity.geometry.count,
                proof: proof,
                root: identity.root
            )
        else { throw BlobStoreError.damaged(identity.name, index: index) }
        return StoredChunk(ciphertext: bytes, proof: proof)
    }
}

/// An encrypted chunk and the hashes that show where it belongs: what a node sends to another.
package struct StoredChunk: Hashable, Sendable {
    /// The encrypted bytes.
    package let ciphertext: [UInt8]
    /// The siblings on the way to the root, lowest first.
    package let proof: [Bytes32]
}
