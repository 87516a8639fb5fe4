// SPDX-License-Identifier: Apache-2.0

import MingleModel

// A peer answers requests for journals one after the other. While it sends something, what it was asked for later waits; but
// what it passed over, it keeps to itself.
extension SyncEngine {
    /// Frees what an answered request took of its peer.
    mutating func endRequest(_ key: JournalKey) {
        guard let request = pulls.table[key]?.request else { return }
        pulls.table[key]?.request = nil
        peers[request.peer]?.asked.free(request.byteLimit)
        pulls.isDirty = true
    }

    /// Gives up on requests whose peers have fallen silent; what another offers as well is asked of that one before.
    mutating func endStaleRequests() {
        for key in pulls.table.keys {
            guard let pull = pulls.table[key], let request = pull.request, pull.merging.isEmpty else { continue }
            guard isStale(request, of: key.journal) else {
                if isHeldUp(request), isOffered(pull, for: key, besides: request.peer) {
                    turnAway(from: request, for: key)
                }
                continue
            }
            pulls.table[key]?.request = nil
            if request.isAnswered {
                peers[request.peer]?.asked.free(request.byteLimit)
            } else {
                peers[request.peer]?.asked.giveUp(request, for: key)
            }
            pulls.isDirty = true
            giveUp(on: request.peer, for: key)
            consider(key)
        }
    }

    /// Asks another peer for a journal; what this one was asked for may come all the same, and that it is slow is no fault.
    private mutating func turnAway(from request: JournalPull.Request, for key: JournalKey) {
        pulls.table[key]?.request = nil
        peers[request.peer]?.asked.giveUp(request, for: key)
        pulls.isDirty = true
        consider(key)
    }

    /// Whether a peer has sent nothing of what it was asked for since a while, as on a bad link or with a slow disk.
    private func isHeldUp(_ request: JournalPull.Request) -> Bool {
        guard !request.isAnswered, let asked = peers[request.peer]?.asked else { return false }
        return min(now - request.since, now - asked.runsSince) >= limits.silence
    }

    /// Whether another peer has room for a request for what it offers.
    private func isOffered(_ pull: JournalPull, for key: JournalKey, besides id: PeerID) -> Bool {
        let reach = frontier.reach(of: key)
        return pull.offers.contains { offer in
            guard offer.peer != id, offer.point.sequence > reach, let peer = peers[offer.peer], peer.ready != nil
            else { return false }
            return peer.asked.givenUp[key] == nil && runRoom(of: offer.peer, peer) >= limits.runBytes
        }
    }

    private func isStale(_ request: JournalPull.Request, of journal: Journal) -> Bool {
        let pause = now - request.since
        guard pause >= limits.requestTimeout, let asked = peers[request.peer]?.asked else { return false }
        let isSilent = now - asked.runsSince >= limits.requestTimeout
        return isSilent || asked.hasPassedOver(request, of: journal) || pause >= limits.queueTimeout
    }
}
