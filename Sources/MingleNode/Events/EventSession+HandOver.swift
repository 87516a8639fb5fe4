// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import Synchronization

/// What goes to others before this person leaves, as ``HandOver`` counts it.
extension EventSession {
    /// Asks others about what is to be handed over, where that is due, and returns how many blobs are left.
    func lookAtHandOver() throws -> Int {
        if handOver.withLock(\.isStale) {
            try responder.list { names, whoLeft in handOver.withLock { $0.list(names, whoLeft: whoLeft) } }
        }
        if let names = handOver.withLock({ $0.question(at: clock.uptime()) }) { feed(.blobsWatched(names)) }
        return handOver.withLock { $0.left.count }
    }

    /// A peer holds blobs whole: if it is somebody else's, these are handed over.
    func noteHolding(_ names: [BlobName], by peer: PeerID) {
        guard roster.others(than: replica.own.person).contains(where: { $0.peer == peer }) else { return }
        handOver.withLock { $0.noteHolding(names) }
    }

    /// A write or a merge gave this node more to hand over.
    func noteForHandOver(_ outcome: MergeOutcome, isOwn: Bool) {
        guard isLeaving, isOwn || outcome.changedKinds.contains("people") else { return }
        // Blobs of people who stay can come from them. If they counted, nobody would ever be in sync in a busy event.
        forgetSyncStates()
        handOver.withLock { $0.noteChange() }
    }
}
