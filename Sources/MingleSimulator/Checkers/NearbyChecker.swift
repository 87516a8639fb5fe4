// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// A node says that the event is open to anyone nearby as long as it is by the node's own clock, and by no opening that was closed or that
/// others than the founder named.
struct NearbyChecker: Checker {
    let name = "nearby"

    func findings(in world: World) throws -> [String] {
        let founder = world.nodes[0].secrets.person
        let named = world.ledger.entry(.event, of: founder, on: nil)?.value("nearby")
        let isThere = !world.removals.persons.contains(founder)
        let opening = isThere ? world.openings.opening(named: named).flatMap { $0.isClosed ? nil : $0 } : nil
        return try world.honest.compactMap { node in
            let time = node.clock(at: world.now)
            let isOpen = opening.map { $0.ends > time } ?? false
            let said = try node.replica.nearbyOpening(at: time)?.id
            guard said != (isOpen ? opening?.id : nil) else { return nil }
            return "node \(node.number) says that the event is \(said == nil ? "not " : "")open to anyone nearby"
        }
    }
}
