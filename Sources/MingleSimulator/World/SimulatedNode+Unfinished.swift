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

    /// Deletes what an earlier life left between an erasing and it.
    func eraseDeletedOrphans() throws {
        guard !keepsOrphans else { return }
        mayHaveOrphans = false
        try eraseOrphans(responder.orphans(among: inherited))
    }

    /// Deletes what an earlier life put and said nothing of, as all members agree that they hold no more; false if these are to be
    /// asked anew before.
    func eraseUnspoken(at now: Duration) throws -> Bool {
        guard !keepsOrphans, holdNoMore else { return true }
        let unspoken = try responder.unspoken(among: inherited)
        guard unspoken.isEmpty || reassurance.holds(at: now) else {
            forgetSyncStates()
            reassurance.ask(at: now)
            return false
        }
        try eraseOrphans(unspoken)
        inherited = []
        return true
    }

    private func eraseOrphans(_ names: [BlobName]) throws {
        inherited.removeAll(where: Set(names).contains)
        for name in names { try blobs.delete(name) }
    }

    /// Whether all members that are linked have said to hold no more than this node, and one of them is no relay.
    var holdNoMore: Bool {
        let members = greeted.filter { $0.value.person != nil }
        return Accord.isReached(
            among: members.map { (accords[$0.key] ?? Accord(), isRelay: !isOfPeople($0.value.person)) }
        )
    }

    private func isOfPeople(_ person: PersonID?) -> Bool {
        person.flatMap { try? replica.level(of: $0) }?.isPeople ?? false
    }

    /// Whether a peer has said to hold the same.
    func isInSync(_ peer: PeerID) -> Bool { accords[peer]?.isInSync ?? false }

    /// Marks every peer as no longer in sync, because something was written here.
    func forgetSyncStates() {
        for peer in accords.keys { accords[peer]?.forget() }
    }
}
