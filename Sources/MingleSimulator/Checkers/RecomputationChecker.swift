// SPDX-License-Identifier: Apache-2.0

import MingleReplica

/// What merging gave step by step is what working everything out anew gives, in whatever order.
struct RecomputationChecker: Checker {
    let name = "recomputation"
    /// Peers that are looked at, besides the founder.
    private let sample = 2

    func findings(in world: World) throws -> [String] {
        var dice = Dice(seed: world.options.seed)
        let nodes = [world.nodes[0]] + (0..<sample).map { _ in dice.pick(world.honest) }
        return try nodes.compactMap { node in
            let before = try node.replica.dump()
            _ = try node.replica.recompute { rows in rows.shuffle(using: &dice) }
            guard let (line, wasShown) = firstDifference(before, try node.replica.dump()) else { return nil }
            return "node \(node.number) \(wasShown ? "lost" : "gained") by recomputing: \(line)"
        }
    }
}
