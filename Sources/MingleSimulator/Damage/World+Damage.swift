// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Disks that do not give back what was written to them, and what comes of it.
extension World {
    /// Puts down when bits flip.
    func beginFlips() {
        for (place, flip) in plan.flips.enumerated() { agenda.add(.flip(place), at: flip.at) }
    }

    /// Stops a node, flips bits on its disk, looks what it would show, repairs it and starts it again.
    func flip(_ place: Int) throws {
        let flip = plan.flips[place]
        let node = flip.node < plan.peers ? nodes[flip.node] : relays[flip.node - plan.peers]
        guard !isHealing, node.isHere, node.disk != nil, node.canTend, node.arrival == nil else { return }
        let shown = Set(try node.replica.dump())
        var keys = RepairedKeys.old
        try noteLosses(of: node) {
            try reopen(node) {
                guard try node.flip(flip) else { return }
                coverage.flippedBits += flip.count
                // Where the log is hit it may not remember all that it wrote, and nobody can tell.
                if flip.place == .log { copied.insert(node.secrets.ownDevice(in: node.event).name) }
                // What stood in the log may be gone, and then what stood before is shown.
                if flip.place != .log { check(node.shownDespiteDamage(), isPartOf: shown, of: node) }
                keys = try repair(node)
            }
        }
        trace.note(.flipped, at: now, UInt64(node.number), UInt64(flip.count))
        switch keys {
        case .none: endLinked(node)
        case .new:
            noteRenewal(of: node)
            try certify(node)
        case .old:
            // As a node does that is started: its certificate may have stood in the log.
            if try node.replica.tips(of: node.replica.own.name, .fabric).isEmpty { try certify(node) }
        }
    }

    /// Takes all that a node has stored but its person's key, and lets it go on as another device.
    func loseDisk(of node: SimulatedNode) throws {
        copied.insert(node.replica.own.name)
        try noteLosses(of: node) {
            try reopen(node) {
                node.files.clear()
                try node.secrets.replaceDevice(node.randomness)
            }
        }
        noteRenewal(of: node)
        try certify(node)
    }

    /// With which keys a repaired node goes on.
    private enum RepairedKeys {
        case old, new
        /// A linked device cannot certify itself, and its person links another one.
        case none
    }

    private func repair(_ node: SimulatedNode) throws -> RepairedKeys {
        let repair = try node.repair()
        coverage.rebuilds += repair.isRebuilt ? 1 : 0
        coverage.damagedBlobs += repair.blobs
        // With the old keys nothing can be written behind what is lost.
        guard !repair.ownIsWhole else { return .old }
        copied.insert(node.replica.own.name)
        var secrets = node.secrets
        guard (try? secrets.replaceDevice(node.randomness)) != nil else { return .none }
        node.secrets = secrets
        return .new
    }

    private func check(_ lines: [String], isPartOf shown: Set<String>, of node: SimulatedNode) {
        guard let wrong = lines.first(where: { !shown.contains($0) }) else { return }
        report("damage", "node \(node.number) shows what nobody said, from a damaged disk: \(wrong)")
    }
}
