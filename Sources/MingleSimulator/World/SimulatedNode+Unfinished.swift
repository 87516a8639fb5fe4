// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync

// What an earlier life left: to be fetched, and to be deleted.
extension SimulatedNode {
    /// What an earlier life left to fetch.
    func unfinished() throws -> [SyncInput] {
        if isRelay { return try unfinishedListings() }
        var inputs: [SyncInput] = []
        try responder.missingPayloads { inputs.append($0) }
        try responder.mentions { mentions in
            let wants = want(mentions)
            if !wants.isEmpty { inputs.append(.blobsWanted(wants)) }
        }
        return inputs
    }

    /// Those of some blobs that are not here, which are waited for from now on.
    func want(_ mentions: [MediaMention]) -> [BlobWant] {
        let wants = responder.wants(mentions)
        wanted.formUnion(wants.map(\.name))
        return wants
    }

    /// Deletes what an earlier life left and nobody will miss: a stop came between it and the record, or between an erasing and it.
    func eraseOrphans() throws {
        guard !keepsOrphans else { return }
        mayHaveOrphans = false
        let orphans = try responder.orphans(among: inherited, isLevel: areAllLevel)
        inherited = areAllLevel ? [] : inherited.filter { !orphans.contains($0) }
        for name in orphans { try blobs.delete(name) }
    }

    /// Whether all members that are linked have said to hold the same, and one of them is no relay.
    var areAllLevel: Bool {
        let members = greeted.filter { $0.value.person != nil }
        return members.keys.allSatisfy(levelPeers.contains) && members.values.contains { isOfPeople($0.person) }
    }

    private func isOfPeople(_ person: PersonID?) -> Bool {
        person.flatMap { try? replica.level(of: $0) }?.isPeople ?? false
    }
}
