// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

/// The hashes over a blob's encrypted chunks, all of them or those learnt so far.
///
/// A leaf hashes a chunk together with its index, an inner node its two children, each under a purpose of its own.
package struct MerkleTree: Sendable {
    let shape: MerkleShape
    /// Every node, leaves first; ``Bytes32/zero`` where it is not known yet.
    private(set) var nodes: [Bytes32]

    /// Builds the whole tree over `leaves`, of which there is at least one.
    package init(leaves: [Bytes32]) {
        shape = MerkleShape(leafCount: leaves.count)
        nodes = leaves
        nodes.reserveCapacity(shape.nodeCount)
        var level = leaves[...]
        while level.count > 1 {
            let start = nodes.count
            var rest = level
            while let left = rest.popFirst() {
                nodes.append(rest.popFirst().map { Self.node(left, $0) } ?? left)
            }
            level = nodes[start...]
        }
    }

    /// A tree of `leafCount` leaves of which only the root is known.
    init(leafCount: Int, root: Bytes32) {
        shape = MerkleShape(leafCount: leafCount)
        nodes = [Bytes32](repeating: .zero, count: shape.nodeCount)
        nodes[shape.nodeCount - 1] = root
    }

    /// Takes nodes that were stored; nil unless there are as many as `leafCount` leaves need.
    init?(leafCount: Int, nodes: [Bytes32]) {
        shape = MerkleShape(leafCount: leafCount)
        guard nodes.count == shape.nodeCount else { return nil }
        self.nodes = nodes
    }

    /// The hash that stands for the whole blob.
    package var root: Bytes32 { nodes[nodes.count - 1] }

    /// The leaf at `index`.
    package func leaf(_ index: Int) -> Bytes32 { nodes[index] }

    /// The siblings on the way from the leaf at `index` to the root, lowest first.
    package func proof(for index: Int) -> [Bytes32] {
        shape.path(from: index).compactMap { $0.sibling.map { nodes[$0] } }
    }

    /// Notes a leaf and all hashes on its way to the root; false, and nothing noted, if they do not lead there.
    mutating func insert(_ leaf: Bytes32, at index: Int, proof: [Bytes32]) -> Bool {
        guard let path = Self.path(from: leaf, at: index, in: shape, proof: proof), path.last?.hash ?? leaf == root
        else { return false }
        nodes[index] = leaf
        for (node, hash) in path { nodes[node] = hash }
        return true
    }

    /// Whether `leaf` is the leaf at `index` of the tree over `count` leaves that has this root.
    package static func verify(
        leaf: Bytes32,
        index: Int,
        count: Int,
        proof: [Bytes32],
        root: Bytes32
    ) -> Bool {
        guard count > 0, index >= 0, index < count else { return false }
        let shape = MerkleShape(leafCount: count)
        guard let path = path(from: leaf, at: index, in: shape, proof: proof) else { return false }
        return path.last?.hash ?? leaf == root
    }

    /// The hash of an encrypted chunk and its place.
    package static func leaf(index: Int, chunk: [UInt8]) -> Bytes32 {
        var place: [UInt8] = []
        UInt32(index).appendBigEndian(to: &place)
        var hash = Blake2b(.chunk)
        hash.update(place)
        hash.update(chunk)
        return hash.finalize32()
    }

    private static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
        Blake2b.hash(.node, left.bytes + right.bytes)
    }

    /// The nodes that a proof yields, siblings and parents, the root last; nil if it has too few or too many hashes.
    private static func path(
        from leaf: Bytes32,
        at index: Int,
        in shape: MerkleShape,
        proof: [Bytes32]
    ) -> [(node: Int, hash: Bytes32)]? {
        var nodes: [(node: Int, hash: Bytes32)] = []
        var rest = proof[...]
        var hash = leaf
        for step in shape.path(from: index) {
            if let sibling = step.sibling {
                guard let other = rest.popFirst() else { return nil }
                nodes.append((sibling, other))
                hash = step.siblingIsLeft ? node(other, hash) : node(hash, other)
            }
            nodes.append((step.parent, hash))
        }
        return rest.isEmpty ? nodes : nil
    }
}
