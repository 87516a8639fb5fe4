// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What is wanted and nobody who is connected holds.
package struct Shortage: Hashable, Sendable {
    /// Payloads for which all that are connected were asked.
    package var payloads = 0
    /// Of these, how many a relay said it has let go of for good.
    package var evictedPayloads = 0
    /// Blobs about which all that are connected were asked.
    package var blobs = 0
    /// Of these, how many a relay said it has let go of for good.
    package var evictedBlobs = 0

    /// Nothing is short.
    package init() {}
}

extension SyncEngine {
    /// What is wanted and nobody who is connected holds; nothing of it is asked for again until somebody else comes.
    package var shortage: Shortage {
        var shortage = Shortage()
        for reference in payloads.wants.keys {
            guard let want = payloads.wants[reference], want.assigned == nil, !want.isMerging else { continue }
            shortage.payloads += 1
            if !want.evictors.isEmpty { shortage.evictedPayloads += 1 }
        }
        let asked = peers.keys.compactMap { peers[$0]?.blobs.question }
        let isAsking = peers.keys.contains { isYetToBeAsked($0) }
        for name in blobs.table.keys where !isAsking {
            guard let blob = blobs.table[name], blob.sources.isEmpty, !asked.contains(where: { $0.contains(name) })
            else { continue }
            shortage.blobs += 1
            if blob.isEvicted { shortage.evictedBlobs += 1 }
        }
        return shortage
    }

    /// Whether there are blobs about which a peer was not asked yet.
    private func isYetToBeAsked(_ id: PeerID) -> Bool {
        guard let peer = peers[id], peer.ready == .all else { return false }
        return blobs.lists.indices.contains {
            peer.blobs.asked[$0].latestGap(before: blobs.lists[$0].count, most: 1) != nil
        }
    }

    /// Notes that a peer has let go of a payload, so that it is not asked again whenever it comes.
    mutating func noteEvicted(_ reference: Reference, by id: PeerID) {
        guard let device = peers[id]?.device, let want = payloads.wants[reference],
            want.evictors.count < limits.evictors, !want.evictors.contains(device)
        else { return }
        payloads.wants[reference]?.evictors.append(device)
    }

    /// Whether a peer said, in this session or before, that it has let go of a payload.
    func hasEvicted(_ want: PayloadQueue.Want, _ id: PeerID) -> Bool {
        guard !want.evictors.isEmpty, let device = peers[id]?.device else { return false }
        return want.evictors.contains(device)
    }
}

/// What a wired relay holds crosses the air once: phones are spared.
extension SyncEngine {
    mutating func meetRelay(_ id: PeerID) {
        guard peers[id]?.isRelay == false else { return }
        peers[id]?.isRelay = true
        relays.append(id)
    }

    /// Whether a blob is left to a relay, which holds all of it and is quick.
    func isLeftToRelay(_ blob: BlobQueue.Blob, asking id: PeerID) -> Bool {
        guard !relays.isEmpty, peers[id]?.isRelay == false else { return false }
        return blob.sources.contains { $0.isPrompt && $0.chunks == nil && relays.contains($0.peer) }
    }

    /// Whether a relay has yet to say what it holds of a lane's blobs.
    func isRelayDue(on lane: Int, asking id: PeerID) -> Bool {
        guard !relays.isEmpty, peers[id]?.isRelay == false else { return false }
        return relays.contains { other in
            guard peers[other]?.ready == .all, let waiting = peers[other]?.blobs.queues[lane].count
            else { return false }
            // Who is known to hold more than it can send for a while is asked about the rest later, and phones now.
            return waiting < limits.blobsPerQuestion && isWaitedFor(other, for: blobs.lists[lane].count, on: lane)
        }
    }
}
