// SPDX-License-Identifier: Apache-2.0

import MingleWire

extension SyncEngine {
    /// Goes on with what waited for a lane to drain.
    mutating func drain(_ lane: Lane, of id: PeerID) {
        guard peers[id] != nil else { return }
        peers[id]?.unsent[Int(lane.rawValue)] = Peer.Unsent()
        let isCaughtUp = hasRoom(id, on: .control) && hasRoom(id, on: .deltas)
        if isCaughtUp, peers[id]?.owesDigest == true { compare(with: id) }
        serveRuns(to: id)
        servePayloads(to: id)
        serveQuestions(to: id)
        serveChunks(to: id)
        if peers[id]?.blobs.isHeldUp == true {
            peers[id]?.blobs.isHeldUp = false
            lookAt(id)
        }
    }

    /// Forgets a peer, and turns to others for what it was asked.
    mutating func forget(_ id: PeerID) {
        guard let isRelay = peers[id]?.isRelay else { return }
        noteAbandonment(by: id)
        peers[id] = nil
        relays.removeAll { $0 == id }
        for key in pulls.table.keys {
            guard var pull = pulls.table[key] else { continue }
            guard pull.request?.peer == id || pull.offers.contains(where: { $0.peer == id }) else { continue }
            pull.offers.removeAll { $0.peer == id }
            if pull.request?.peer == id { pull.request = nil }
            pulls.table[key] = pull
            consider(key)
        }
        forgetUnproved(of: id)
        pulls.isDirty = true
        pulls.exhausted.remove(id)
        if isRelay { blobs.pass.lookAtAll() } else { blobs.pass.lookAtLanes() }
        forgetPayloads(of: id)
        forgetBlobs(of: id)
    }

    /// When a tick does something again if nothing else happens before, and at the earliest a second after `now`.
    package func nextTick(after now: Duration) -> Duration {
        let soon = now + .seconds(1)
        guard pulls.table.isEmpty else { return soon }
        var next = now + limits.digestInterval
        if !payloads.unstored.isEmpty { next = min(next, payloads.resumesAt) }
        if let duty = nextBlobDuty { next = min(next, duty) }
        for id in peers.keys {
            guard next > soon else { return soon }
            if let duty = peers[id]?.nextDuty(limits) { next = min(next, duty) }
        }
        return max(next, soon)
    }

    /// Sees to everything that has waited too long.
    mutating func tick() {
        for id in peers.keys {
            if let end = peers[id]?.endOfGreeting(limits), now >= end {
                close(id, "does not greet")
            } else if let next = peers[id]?.nextComparison(limits), now >= next {
                compare(with: id)
            }
        }
        forgiveStrikes()
        endStaleRequests()
        endStalePayloads()
        resumePayloads()
        endStaleBlobs()
        flushAnnouncements()
        tellWhatIsDue()
        findBlobs()
        pulls.isDirty = true
    }
}
