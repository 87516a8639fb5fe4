// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleMedia
import MingleModel
import Testing

struct MerkleTreeTests {
    @Test(arguments: 1...70)
    func `every proof of every leaf leads to the root`(count: Int) {
        let tree = MerkleTree(leaves: leaves(count))
        for index in 0..<count {
            let proof = tree.proof(for: index)
            #expect(proof.count <= 7)
            #expect(verify(tree.leaf(index), index, count, proof, tree.root))
        }
    }

    @Test(arguments: 1...70)
    func `a proof fails for another leaf, place, count, root or hash`(count: Int) {
        let tree = MerkleTree(leaves: leaves(count))
        for index in 0..<count {
            let leaf = tree.leaf(index)
            let proof = tree.proof(for: index)
            #expect(!verify(flipped(leaf, index), index, count, proof, tree.root))
            #expect(!verify(leaf, index, count, proof, flipped(tree.root, index)))
            #expect(!verify(leaf, index, count, proof + [.zero], tree.root))
            #expect(!verify(leaf, count, count, proof, tree.root) && !verify(leaf, -1, count, proof, tree.root))
            let wrongProofs = proof.indices.map { place in
                proof.enumerated().map { $0 == place ? flipped($1, 7 * index % 256) : $1 }
            }
            #expect(!wrongProofs.contains { verify(leaf, index, count, $0, tree.root) })
            #expect(proof.isEmpty || !verify(leaf, index, count, Array(proof.dropLast()), tree.root))
            let otherPlaces = [index - 1, index ^ 1, index + 1, count - 1].filter { $0 != index }
            #expect(!otherPlaces.contains { verify(leaf, $0, count, proof, tree.root) })
        }
    }

    @Test(arguments: [2, 3, 7])
    func `every flipped bit of a leaf or of a proof fails`(count: Int) {
        let tree = MerkleTree(leaves: leaves(count))
        let proof = tree.proof(for: count - 1)
        for bit in 0..<256 {
            #expect(!verify(flipped(tree.leaf(count - 1), bit), count - 1, count, proof, tree.root))
            for place in proof.indices {
                var other = proof
                other[place] = flipped(proof[place], bit)
                #expect(!verify(tree.leaf(count - 1), count - 1, count, other, tree.root))
            }
        }
    }

    @Test func `a root is built from leaves and nodes as the design says`() {
        let chunks: [[UInt8]] = [[1], [2], [3]]
        let leaves = chunks.enumerated().map { index, chunk in
            Blake2b.hash(.chunk, [0, 0, 0, UInt8(index)] + chunk)
        }
        #expect(MerkleTree.leaf(index: 2, chunk: [3]) == leaves[2])
        let pair = Blake2b.hash(.node, leaves[0].bytes + leaves[1].bytes)
        #expect(MerkleTree(leaves: leaves).root == Blake2b.hash(.node, pair.bytes + leaves[2].bytes))
        #expect(MerkleTree(leaves: leaves).proof(for: 2) == [pair])
        #expect(MerkleTree(leaves: [leaves[0]]).root == leaves[0])
    }

    private func leaves(_ count: Int) -> [Bytes32] {
        (0..<count).map { MerkleTree.leaf(index: $0, chunk: [UInt8($0), 7]) }
    }

    private func flipped(_ hash: Bytes32, _ bit: Int) -> Bytes32 {
        var bytes = hash.bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        return Bytes32(bytes) ?? .zero
    }

    private func verify(_ leaf: Bytes32, _ index: Int, _ count: Int, _ proof: [Bytes32], _ root: Bytes32) -> Bool {
        MerkleTree.verify(leaf: leaf, index: index, count: count, proof: proof, root: root)
    }
}
