// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

// Further devices of people, and the event that is open to anyone nearby.
extension Stage {
    /// The first device of whoever has two from the beginning.
    var laptop: Int { world.nodes[3].person }

    /// A new device comes by a link that a node makes for it.
    func link(to first: Int, dialling others: [Int] = []) throws {
        try world.makeLinked(by: world.nodes[first], dialling: others)
    }

    /// A new device comes by the link that another one came by, or by the one that the node shows.
    func link(to first: Int, byLinkOf other: Int?) throws {
        let seed = other.map { world.linkings[$0]?.seed } ?? world.nodes[first].offer?.seed
        try world.makeLinked(by: world.nodes[first], seed: seed, dialling: [])
    }

    /// A node shows a link for a further device, which nobody comes by yet.
    func showLink(on node: Int) {
        let node = world.nodes[node]
        node.offer = DeviceOffer(seed: node.randomness.secret(), at: world.now)
    }

    /// Whether a device has a certificate, be it of use or not.
    func isCertified(_ node: Int) -> Bool { world.nodes.dropFirst(node).first?.secrets.isUncertified == false }

    /// Whether a device is nobody's any more.
    func hasStopped(_ node: Int) -> Bool { world.nodes.dropFirst(node).first?.hasStopped == true }

    /// Copies a node's folder, and begins to use the copy beside it.
    func copy(_ node: Int) throws {
        try world.copyAndUse(world.nodes[node])
    }

    // MARK: - Anyone nearby

    func openToNearby(by node: Int) throws { try world.openToNearby(by: world.nodes[node]) }

    func closeToNearby(by node: Int) throws { try world.closeToNearby(by: world.nodes[node]) }

    /// Somebody whom nobody invited comes by what a node says.
    func walkIn(near node: Int) throws {
        let newcomer = try world.addWalkIn(near: world.nodes[node])
        try world.arrive(newcomer)
    }

    /// The nodes that say to anyone nearby that the event is open; those of whoever was removed may never hear of it.
    func sayOpen() throws -> [Int] {
        let gone = world.removals.removed
        let others = world.nodes.filter { $0.hostility == nil && !gone.contains($0.secrets.person) }
        return try others.filter { try world.seedSaid(by: $0) != nil }.map(\.number)
    }

    func removeKeepingLinks(_ node: Int, by host: Int) throws {
        try world.remove(world.nodes[node], by: world.nodes[host], keepsLinks: true)
    }

    /// How many of those who knocked by what was said to anyone nearby are in, as a node has it.
    func visitorsIn(at node: SimulatedNode) throws -> Int {
        try world.guestList.limited.flatMap(\.guests).count { try node.replica.isAdmitted($0) }
    }
}
