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

    /// Deletes blobs of which no record speaks: a stop came between them and the record, or between an erasing and them.
    func eraseOrphans() throws {
        guard let left = inherited, !keepsOrphans,
            let orphans = try responder.orphans(among: left, isLevel: isLevel, besides: mentioned)
        else { return }
        inherited = nil
        for name in orphans { try blobs.delete(name) }
    }

    /// Whether it holds all that some member does, as far as both know.
    private var isLevel: Bool { levelPeers.contains { greeted[$0]?.person != nil } }

    /// What records speak of, or may again; nil without a key to read them.
    private func mentioned() throws -> Set<BlobName>? {
        if isRelay { return try replica.listedNames() }
        guard try replica.hasKey() else { return nil }
        var names = try replica.blobsHeldBack()
        try responder.mentions { names.formUnion($0.map(\.name)) }
        return names
    }
}
