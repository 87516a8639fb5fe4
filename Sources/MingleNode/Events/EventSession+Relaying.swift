// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Logging
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync

/// What a session does on a relay, which holds what headers list instead of what records speak of.
extension EventSession {
    var isRelay: Bool { replica.own.isRelay }

    /// The addresses of relays to which this node has dialled, which others may reach as well.
    var relayAddresses: [String] {
        roster.all.map(\.1).filter { $0.isRelay && !$0.isIncoming }.map(\.address)
    }

    /// Takes that a peer is a relay.
    func meetRelay(_ peer: PeerID) {
        roster.noteRelay(peer)
        feed(.relay(peer))
        feed(.addresses(relayAddresses))
        host?.metRelay(peer, in: event, address: roster.all.first { $0.0 == peer }?.1.address)
    }

    /// Finds what an earlier run left to fetch, and returns all blobs that headers list.
    func findUnfinishedListings() throws {
        try responder.missingPayloads { feed($0) }
        try responder.listings { want($0) }
    }

    /// Asks for those blobs that are not here, unless their author's quota may be used up: ``retain(by:quiet:excess:)`` says
    /// so within a minute, and asks for the rest.
    func want(_ listed: [ListedBlob]) {
        let wants = responder.wants(listed)
        guard !wants.isEmpty else { return }
        guard authorQuota == nil || listed.allSatisfy(isWithinQuota) else {
            _ = hasDeferred.exchange(true)
            return
        }
        wanted.add(wants)
        feed(.blobsWanted(wants))
    }

    private func isWithinQuota(_ blob: ListedBlob) -> Bool {
        guard let authorQuota, let total = try? replica.bytesListed(by: blob.person) else { return true }
        return total <= authorQuota
    }

    /// Takes what a write changed about the blobs that headers list.
    func takeListings(of outcome: MergeOutcome) {
        want(outcome.listed)
        guard !outcome.unlisted.isEmpty else { return }
        forget(outcome.unlisted.filter { !$0.isListedByOthers }.map(\.name))
        erase(responder.ownBlobs(among: outcome.unlisted))
    }

    /// Whether a chunk is of a blob that its person lists; else nothing of it is kept, and it is waited for no more.
    ///
    /// What does not hash to the blob's name is nobody's word about it, and the sender's fault.
    func isListed(_ chunk: ReceivedChunk) -> Bool {
        guard isRelay, chunk.fitsName else { return true }
        guard (try? responder.isListed(chunk)) ?? true else {
            forget([chunk.name])
            return false
        }
        return true
    }

    /// Lets go of what a policy does not hold, and asks for what was put off.
    func retain(by policy: RetentionPolicy, quiet: Duration, excess: Int) {
        attempt("apply the relay's retention policy") {
            if let outcome = try responder.retain(by: policy, quiet: quiet, excess: excess) {
                let count = outcome.unlisted.count
                logger.info(
                    "deleted blobs that the retention policy does not keep",
                    metadata: ["event": "\(event)", "blobs": "\(count)"]
                )
                tell(outcome)
            }
            guard hasDeferred.exchange(false) else { return }
            try responder.listings { listed in
                let wants = responder.wants(listed)
                wanted.add(wants)
                feed(.blobsWanted(wants))
            }
        }
    }
}
