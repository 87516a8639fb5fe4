// SPDX-License-Identifier: Apache-2.0

/// A node's files that are copied at one time and used at a later one.
struct CopyPlan {
    /// What the copy is used for.
    enum Use {
        /// It takes the place of the node's files: a backup that is restored.
        case restoring
        /// A second machine runs with it from then on, beside the first.
        case twin
    }

    let use: Use
    let node: Int
    /// When the copy is made and when it is used.
    let made, used: Duration
}

extension WorldPlan {
    /// Draws copies, apart from everything else.
    static func copies(_ options: SimulationOptions, peers: Int, length: Duration) -> [CopyPlan] {
        var dice = Dice(seed: options.seed &+ 0x636f_7079)
        let drawn = dice.pick([(0, 50), (1, 35), (2, 15)])
        return (0..<(options.copies ?? drawn)).map { _ in
            let made = dice.number(15...60)
            let used = made + dice.number(3...30)
            return CopyPlan(
                use: dice.chance(50) ? .restoring : .twin,
                node: dice.number(0...(peers - 1)),
                made: length * made / 100,
                used: length * used / 100
            )
        }
    }
}

/// A copy of a node's files that is kept.
struct Copy {
    let plan: CopyPlan
    /// Whose they are.
    let number: Int
    let files: StoredFiles
    /// What the device had written when the copy was made, and by which keys.
    let node: SimulatedNode.Identity
}
