// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import MingleCrypto
@testable import MingleMedia
@testable import MingleModel

/// Proofs of chunks, chunks that peers send, and the files that an interrupted fetch left.
///
/// No chunk but the author's is proved or written; whatever a file holds, nothing but the author's chunks is handed
/// out; bitmaps have one form.
enum BlobTarget: FuzzTarget {
    private static let owner = PersonID(.zero)
    private static let folder = FileManager.default.temporaryDirectory.path

    static func run(_ input: inout FuzzInput) throws {
        switch input.byte() % 4 {
        case 0: proof(&input)
        case 1: try received(&input)
        case 2: try stored(&input)
        default: bits(&input)
        }
    }

    /// A leaf and a proof with changes, in a tree of up to 1024 leaves.
    private static func proof(_ input: inout FuzzInput) {
        let count = 1 + input.number() % 1024
        let leaves = (0..<count).map { Blake2b.hash(.chunk, [UInt8($0 >> 8), UInt8($0 & 255)]) }
        let tree = MerkleTree(leaves: leaves)
        let index = input.number() % (count + 2)
        let isLeaf = index < count
        var proof = isLeaf ? tree.proof(for: index) : []
        let honest = proof
        let claimed = input.number() % 1100
        while !input.isEmpty { change(&proof, &input) }
        let leaf = isLeaf ? leaves[index] : .zero
        let isProved = MerkleTree.verify(leaf: leaf, index: index, count: count, proof: proof, root: tree.root)
        require(isProved == (isLeaf && proof == honest), "only the tree's own proof proves a leaf")
        // Trees of other sizes may lead to the same root; that they do not trap is all.
        _ = MerkleTree.verify(leaf: leaf, index: index, count: claimed, proof: proof, root: tree.root)
        var learnt = MerkleTree(leafCount: count, root: tree.root)
        guard isLeaf else { return }
        require(learnt.insert(leaf, at: index, proof: proof) == isProved, "what is proved is noted")
        require(!isProved || learnt.proof(for: index) == honest, "a noted proof can be given")
    }

    private static func change(_ proof: inout [Bytes32], _ input: inout FuzzInput) {
        let place = Int(input.byte())
        switch input.byte() % 4 {
        case 0: if !proof.isEmpty { proof.remove(at: place % proof.count) }
        case 1: proof.insert(Bytes32(input.take(32)) ?? .zero, at: place % (proof.count + 1))
        case 2: if !proof.isEmpty { proof[place % proof.count] = Bytes32(input.take(32)) ?? .zero }
        default: if !proof.isEmpty { proof.swapAt(place % proof.count, Int(input.byte()) % proof.count) }
        }
    }

    /// Chunks of a blob of one chunk, or of two, with changes.
    private static func received(_ input: inout FuzzInput) throws {
        let size = input.byte() % 8 == 0 ? ChunkGeometry.smallestChunk + 9 : 20
        let author = Author(size: size)
        let path = folder + "/store"
        try? FileManager.default.removeItem(atPath: path)
        let store = try BlobStore(path: path)
        let name = author.identity.name
        while !input.isEmpty {
            let index = Int(input.byte() % 3)
            var chunk = author.chunk(index)
            var proof = index < author.chunks.count ? author.tree.proof(for: index) : []
            let (place, mask) = (input.number(), input.byte())
            if mask != 0, !chunk.isEmpty { chunk[place % chunk.count] ^= mask }
            if input.byte() % 4 == 0 { change(&proof, &input) }
            if input.byte() % 8 == 0 { chunk = input.piece() }
            let isTrue = chunk == author.chunk(index) && !chunk.isEmpty && proof == author.tree.proof(for: index)
            do {
                let isNew = try store.write(chunk: chunk, index: index, proof: proof, of: author.identity)
                require(isTrue || !isNew, "only the author's chunk is written")
            } catch BlobStoreError.wrongChunk { require(!isTrue, "the author's chunk is taken") }
        }
        for index in 0..<author.chunks.count where try store.heldChunks(name)?.contains(index) ?? false {
            let chunk = try? store.readChunk(name, index: index).ciphertext
            require(chunk == author.chunk(index), "chunks stay as they are")
        }
    }

    /// A file of a blob of up to three chunks with any bytes changed.
    private static func stored(_ input: inout FuzzInput) throws {
        let sizes = [20, ChunkGeometry.smallestChunk + 9, 2 * ChunkGeometry.smallestChunk + 1]
        let author = Author(size: sizes[Int(input.byte()) % (input.byte() % 8 == 0 ? 3 : 1)])
        let layout = BlobLayout(author.identity)
        let held = ChunkSet(allOf: author.chunks.count)
        var bytes = author.chunks.flatMap { $0 } + layout.trailer(tree: author.tree, held: held)
        // Changes count from the end, where tree, bitmap and footer are.
        while !input.isEmpty {
            let (place, length) = (input.number() % bytes.count, Int(input.byte() % 40))
            let start = bytes.count - 1 - place
            let end = min(start + length, bytes.count)
            bytes.replaceSubrange(start..<end, with: input.take(end - start + Int(input.byte() == 1 ? 1 : 0)))
            guard !bytes.isEmpty else { return }
        }
        let path = folder + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        let name = author.identity.name
        if let blob = try PartialBlob(resuming: name, partialPath: path, finalPath: path, reserve: 0) {
            try check(blob.open(), blob.held, author)
        }
        try check(BlobFile(complete: path, name: name), held, author)
    }

    private static func check(_ file: borrowing BlobFile, _ held: ChunkSet, _ author: Author) throws {
        for index in 0..<held.capacity where held.contains(index) {
            guard let chunk = try? file.chunk(index) else { continue }
            require(chunk.ciphertext == author.chunk(index), "only the author's chunks are handed out")
            let leaf = MerkleTree.leaf(index: index, chunk: chunk.ciphertext)
            let (count, root) = (held.capacity, author.tree.root)
            let isProved = MerkleTree.verify(leaf: leaf, index: index, count: count, proof: chunk.proof, root: root)
            require(isProved, "a chunk is handed out with its proof")
        }
    }

    private static func bits(_ input: inout FuzzInput) {
        let capacity = 1 + input.number() % 1100
        let bytes = input.rest()
        guard let set = ChunkSet(capacity: capacity, bytes: bytes) else { return }
        let copy = (0..<capacity).reduce(into: ChunkSet(capacity: capacity)) { if set.contains($1) { $0.insert($1) } }
        require(copy == set && set.count <= capacity, "a bitmap has one form")
        require(!set.contains(capacity) && !set.contains(-1), "there is nothing beyond the capacity")
    }

    /// Who made a blob.
    private struct Author {
        let chunks: [[UInt8]]
        let tree: MerkleTree
        let identity: BlobIdentity

        init(size: Int) {
            let lengths = stride(from: 0, to: size, by: ChunkGeometry.smallestChunk).map {
                min(size - $0, ChunkGeometry.smallestChunk)
            }
            chunks = lengths.enumerated().map { [UInt8](repeating: UInt8($0), count: $1) }
            tree = MerkleTree(leaves: chunks.enumerated().map { MerkleTree.leaf(index: $0, chunk: $1) })
            guard let identity = BlobIdentity(root: tree.root, size: Int64(size), owner: owner) else { fatalError() }
            self.identity = identity
        }

        func chunk(_ index: Int) -> [UInt8] { index < chunks.count ? chunks[index] : [] }
    }

    static var seeds: [[UInt8]] {
        let honest: [UInt8] = [0, 0, 0, 1, 1]
        return [
            [0, 0, 0, 0, 0, 0, 0], [0, 3, 255, 0, 77, 0, 9], [0, 0, 6, 0, 6, 0, 6, 0, 0],
            joined([0, 0, 12, 0, 3, 0, 4, 1, 2], [UInt8](repeating: 5, count: 32)),
            joined([1, 1], honest, [0, 0, 3, 1, 1, 1]), joined([1, 0], honest, [1], Array(honest.dropFirst())),
            [2, 0, 1], [2, 0, 1, 0, 80, 1, 7, 0], [2, 1, 0, 0, 200, 4, 1, 2, 3, 4, 0], [2, 2, 0, 0, 0, 0, 0],
            [3, 0, 8, 255, 1], [3, 0, 2, 5],
        ]
    }
}
