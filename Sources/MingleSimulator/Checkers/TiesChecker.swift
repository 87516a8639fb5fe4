// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

/// No header tells who has something to say to whom: two people name no epoch in common.
struct TiesChecker: Checker {
    let name = "ties"

    func findings(in world: World) throws -> [String] {
        let pairs = world.ledger.entries.filter { $0.kind.audience == .pair }
        guard !pairs.isEmpty, let carrier = world.honest.first else { return [] }
        let namers = try namers(in: world, carriedBy: carrier)
        return try world.honest.flatMap { node in
            let own = pairs.filter { $0.person == node.secrets.person }.map(\.scope.audience)
            let keys = try own.flatMap { try node.replica.epochKeys(of: $0) }
            return keys.filter { namers[$0.0]?.count ?? 0 > 1 }.prefix(1)
                .map { "by the epoch \($0.0) everybody sees with whom \(node.secrets.person) has to do" }
        }
    }

    /// The persons who name each epoch in the open.
    private func namers(in world: World, carriedBy carrier: SimulatedNode) throws -> [EpochID: Set<PersonID>] {
        var namers: [EpochID: Set<PersonID>] = [:]
        for node in world.nodes where node.hostility == nil && !node.isRelay {
            let runs = try carrier.replica.runs(of: node.replica.own.name, .content, after: [], byteLimit: .max)
            for epoch in runs.flatMap(\.deltas).compactMap(\.namedEpoch) {
                namers[epoch, default: []].insert(node.secrets.person)
            }
        }
        return namers
    }
}

extension Delta {
    /// The epoch that it names in the open, be it one that it brings.
    fileprivate var namedEpoch: EpochID? {
        guard header.epoch == .plaintext else { return header.epoch }
        return payload.flatMap { try? PrivateEpoch(decoding: $0).id }
    }
}
