// SPDX-License-Identifier: Apache-2.0

/// Where the nodes of a Merkle tree stand when they are listed level by level, the leaves first.
///
/// An odd node at the end of a level is promoted: it stands in the next level as it is.
struct MerkleShape: Hashable, Sendable {
    /// How many leaves there are.
    let leafCount: Int
    /// How many nodes there are, with the leaves and the root.
    let nodeCount: Int
    private let levelCounts: [Int]

    init(leafCount: Int) {
        precondition(leafCount > 0, "a tree has a leaf")
        var levelCounts = [leafCount]
        var width = leafCount
        while width > 1 {
            width = (width + 1) / 2
            levelCounts.append(width)
        }
        self.leafCount = leafCount
        self.levelCounts = levelCounts
        nodeCount = levelCounts.reduce(0, +)
    }

    /// One step from a node towards the root.
    struct Step: Hashable {
        /// The node that the step leaves.
        let node: Int
        /// Its sibling; nil if the node is promoted.
        let sibling: Int?
        /// Whether the sibling stands to the left.
        let siblingIsLeft: Bool
        /// The node that the step reaches.
        let parent: Int
    }

    /// The way from the leaf at `index` to the root; empty if the leaf is the root.
    func path(from index: Int) -> [Step] {
        var steps: [Step] = []
        var levelStart = 0
        var place = index
        for width in levelCounts.dropLast() {
            let sibling = place ^ 1
            steps.append(
                Step(
                    node: levelStart + place,
                    sibling: sibling < width ? levelStart + sibling : nil,
                    siblingIsLeft: sibling < place,
                    parent: levelStart + width + place / 2
                )
            )
            levelStart += width
            place /= 2
        }
        return steps
    }
}
