// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// Who else holds what: asked by a node that is about to go.
extension SyncEngine {
    /// Asks all peers, also those yet to come, about these blobs and about no others that were watched before.
    mutating func watch(_ names: [BlobName]) {
        blobs.watched = names
        for id in peers.keys { peers[id]?.blobs.watchedCount = 0 }
        blobs.pass.lookAtAll()
    }

    /// Watched blobs that a peer was not asked about; it counts as asked about them now.
    mutating func takeUnwatched(of id: PeerID) -> [BlobName] {
        guard let asked = peers[id]?.blobs.watchedCount else { return [] }
        let names = blobs.watched[asked...].prefix(limits.blobsPerQuestion)
        peers[id]?.blobs.watchedCount += names.count
        return Array(names)
    }

    /// Tells the shell which blobs a peer says to hold whole.
    mutating func noteHolding(_ states: [ProtoBlobState], by id: PeerID) {
        guard !blobs.watched.isEmpty else { return }
        let whole = states.filter { $0.size > 0 && $0.chunks.isEmpty && !$0.evicted }
        let names = whole.compactMap { BlobName(bytes: $0.name) }
        if !names.isEmpty { actions.append(.noteHolding(id, names)) }
    }
}
