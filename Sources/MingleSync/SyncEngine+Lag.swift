// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What a node lacks of one event, as far as it has heard.
package struct SyncLag: Sendable {
    /// What one peer has that this node lacks.
    package struct Share: Hashable, Sendable {
        /// Who it is, once it has greeted.
        package var device: DeviceName?
        /// Journals that it holds further, or on another branch.
        package var journals = 0
        /// Deltas of these, at the least.
        package var deltas = 0
        /// Blobs of which it holds some that is wanted.
        package var blobs = 0

        /// Begins with nothing.
        package init() {}
    }

    /// Deltas that some peer holds and this node does not, at the least.
    package var deltas = 0
    /// Payloads whose headers are held.
    package var payloads = 0
    /// Blobs that are to be fetched.
    package var blobs = 0
    /// The same by peer, in the order of their coming.
    package var peers: [(id: PeerID, share: Share)] = []
}

extension SyncEngine {
    /// What this node lacks, as far as its peers have told.
    package var lag: SyncLag {
        var lag = SyncLag()
        (lag.payloads, lag.blobs) = (payloads.wants.count, blobs.table.count)
        var shares: [PeerID: SyncLag.Share] = [:]
        for key in pulls.table.keys + pulls.unproved.keys {
            let reach = frontier.reach(of: key)
            let offers = pulls.table[key]?.offers ?? pulls.unproved[key] ?? []
            // Of another branch nobody knows how much is missing before it is here.
            let missing = offers.map { ($0.peer, max(1, Int($0.point.sequence) - Int(reach))) }
            lag.deltas += missing.map(\.1).max() ?? 0
            for (peer, count) in missing {
                shares[peer, default: SyncLag.Share()].journals += 1
                shares[peer, default: SyncLag.Share()].deltas += count
            }
        }
        for name in blobs.table.keys {
            for source in blobs.table[name]?.sources ?? [] { shares[source.peer, default: SyncLag.Share()].blobs += 1 }
        }
        lag.peers = peers.keys.map { id in
            var share = shares[id] ?? SyncLag.Share()
            share.device = peers[id]?.device
            return (id, share)
        }
        return lag
    }
}
