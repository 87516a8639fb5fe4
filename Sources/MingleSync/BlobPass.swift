// SPDX-License-Identifier: Apache-2.0

/// Which peers the next pass over them looks at, to ask them about blobs and for chunks: those for whom something has changed,
/// so that a pass among a thousand peers costs no more than among ten.
struct BlobPass: Sendable {
    /// Whether a pass could find something to ask for.
    private(set) var isDue = false
    /// Whether it looks at all peers.
    private(set) var isWhole = false
    private var peers = UniqueQueue<PeerID>()

    /// Looks at one peer.
    mutating func lookAt(_ id: PeerID) {
        isDue = true
        if !isWhole { peers.append(id) }
    }

    /// Looks at all peers.
    mutating func lookAtAll() {
        (isDue, isWhole) = (true, true)
    }

    /// Looks whether another lane is open by now, and at all peers if it is.
    mutating func lookAtLanes() { isDue = true }

    /// Ends the wait for the next pass: the peers that it looks at, unless it is a whole one.
    mutating func begin() -> [PeerID] {
        defer { self = BlobPass() }
        var ids: [PeerID] = []
        while !isWhole, let id = peers.popFirst() { ids.append(id) }
        return ids
    }
}

extension SyncEngine {
    /// Has the next pass look at a peer, and at all others if it is a relay: what that holds or has yet to say decides what they
    /// are asked for.
    mutating func lookAt(_ id: PeerID) {
        if peers[id]?.isRelay == true { blobs.pass.lookAtAll() } else { blobs.pass.lookAt(id) }
    }
}
