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
        judgeGivenUp()
        var turnedTo: [PeerID: Int] = [:]
        for key in pulls.table.keys {
            guard let pull = pulls.table[key], let request = pull.request, pull.merging.isEmpty else { continue }
            if isStale(request, of: key.journal) {
                end(request, for: key)
            } else if isHeldUp(request, for: key), let other = other(than: request.peer, for: key, pull, turnedTo) {
                turnedTo[other, default: 0] += 1
                turnAway(from: request, for: key)
            }
        }
    }

    private mutating func end(_ request: JournalPull.Request, for key: JournalKey) {
        pulls.table[key]?.request = nil
        if request.isAnswered {
            peers[request.peer]?.asked.free(request.byteLimit)
        } else {
            peers[request.peer]?.asked.giveUp(request, for: key, isJudged: true)
        }
        pulls.isDirty = true
        judge(request.peer, for: key)
    }

    /// Gives up on a peer for a journal, unless all is here by now of which it has told.
    private mutating func judge(_ id: PeerID, for key: JournalKey) {
        let tips = frontier.tips(of: key)
        let lacksSome = pulls.table[key]?.offers.contains { $0.peer == id && !tips.contains($0.point) } ?? false
        if lacksSome { giveUp(on: id, for: key) }
        consider(key)
    }

    // MARK: - Turning to others

    /// Asks another peer for a journal; what this one was asked for may come all the same, and it has its time for that.
    private mutating func turnAway(from request: JournalPull.Request, for key: JournalKey) {
        pulls.table[key]?.request = nil
        peers[request.peer]?.asked.giveUp(request, for: key, isJudged: false)
        pulls.isDirty = true
        consider(key)
    }

    /// Gives up on those who were turned away from once they have had their time.
    private mutating func judgeGivenUp() {
        for id in peers.keys {
            for (key, request) in peers[id]?.asked.unjudged ?? [] where isStale(request, of: key.journal) {
                peers[id]?.asked.giveUp(request, for: key, isJudged: true)
                judge(id, for: key)
            }
        }
    }

    /// Takes the end of an answer to a request that was given up; false if none was.
    mutating func endGivenUp(_ key: JournalKey, from id: PeerID, needsOlder: Bool) -> Bool {
        guard let ended = peers[id]?.asked.endGivenUp(key) else { return false }
        pulls.isDirty = true
        pulls.exhausted.remove(id)
        // Who is slow and then sends nothing did not deliver, as if nobody else had been asked.
        let hasSentNothing = frontier.tips(of: key) == ended.tips && pulls.table[key]?.merging.isEmpty ?? true
        if !ended.isJudged, !needsOlder, hasSentNothing { judge(id, for: key) }
        return true
    }

    /// Whether a peer has sent nothing of what it was asked for since a while, as on a bad link or with a slow disk, and no other one
    /// was turned away from for that: where all are slow, asking all would make them slower.
    private func isHeldUp(_ request: JournalPull.Request, for key: JournalKey) -> Bool {
        guard !request.isAnswered, let asked = peers[request.peer]?.asked,
            min(now - request.since, now - asked.runsSince) >= limits.silence
        else { return false }
        return !peers.keys.contains { peers[$0]?.asked.givenUp[key] != nil }
    }

    /// Another peer that offers a journal and has room for one more request, and for so many that were turned to it already.
    private func other(
        than id: PeerID,
        for key: JournalKey,
        _ pull: JournalPull,
        _ turnedTo: [PeerID: Int]
    ) -> PeerID? {
        let reach = frontier.reach(of: key)
        let offer = pull.offers.first { offer in
            guard offer.peer != id, offer.point.sequence > reach, let peer = peers[offer.peer], peer.ready != nil
            else { return false }
            let count = peer.asked.runRequests + turnedTo[offer.peer, default: 0]
            return count < limits.runRequests && runRoom(of: offer.peer, peer) >= limits.runBytes
        }
        return offer?.peer
    }

    private func isStale(_ request: JournalPull.Request, of journal: Journal) -> Bool {
        let pause = now - request.since
        guard pause >= limits.requestTimeout, let asked = peers[request.peer]?.asked else { return false }
        let isSilent = now - asked.runsSince >= limits.requestTimeout
        return isSilent || asked.hasPassedOver(request, of: journal) || pause >= limits.queueTimeout
    }
}
