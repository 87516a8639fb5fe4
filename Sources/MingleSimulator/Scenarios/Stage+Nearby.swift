// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

// The event that is open to anyone nearby.
extension Stage {
    func openToNearby(by node: Int) throws { try world.openToNearby(by: world.nodes[node]) }

    func closeToNearby(by node: Int) throws { try world.closeToNearby(by: world.nodes[node]) }

    /// Somebody whom nobody invited comes by what a node says.
    func walkIn(near node: Int) throws {
        let newcomer = try world.addWalkIn(near: world.nodes[node])
        try world.arrive(newcomer)
    }

    /// The nodes that say to anyone nearby that the event is open.
    func sayOpen() throws -> [Int] {
        try world.nodes.filter { try $0.hostility == nil && world.seedSaid(by: $0) != nil }.map(\.number)
    }

    func removeKeepingLinks(_ node: Int, by host: Int) throws {
        try world.remove(world.nodes[node], by: world.nodes[host], keepsLinks: true)
    }

    /// How many of those who knocked by what was said to anyone nearby are in, as a node has it.
    func visitorsIn(at node: SimulatedNode) throws -> Int {
        try world.guestList.limited.flatMap(\.guests).count { try node.replica.isAdmitted($0) }
    }
}
