// SPDX-License-Identifier: Apache-2.0

/// Bits that flip on a node's disk while its program is stopped.
struct FlipPlan {
    /// Where they flip.
    enum Place {
        case database
        /// The write-ahead log, of which SQLite then takes no more than what stands before.
        case log
        case blobs
    }

    /// A person's device, by its number; those behind stand for the relays.
    let node: Int
    let at: Duration
    let place: Place
    let count: Int
    let seed: UInt64
}

extension WorldPlan {
    /// Whether a node's files are copied or altered, so that it may forget what it said and go on as another device.
    func mayForget(_ node: Int) -> Bool {
        copies.contains { $0.node == node } || flips.contains { $0.node == node && node < peers }
    }

    /// Draws flips apart, and none if nothing is said, so that a seed's world is the same with and without them.
    static func flips(_ options: SimulationOptions, peers: Int, relays: Int, length: Duration) -> [FlipPlan] {
        var dice = Dice(seed: options.seed &+ 0x666c_6970)
        return (0..<(options.flips ?? 0)).map { _ in
            FlipPlan(
                node: dice.number(0...(peers + relays - 1)),
                at: length * dice.number(10...95) / 100,
                place: dice.pick([.database, .database, .database, .log, .blobs, .blobs]),
                count: dice.pick([1, 1, 1, 2, 5, 40]),
                seed: dice.next()
            )
        }
    }
}
