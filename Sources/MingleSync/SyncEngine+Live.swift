// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

extension SyncEngine {
    /// Pushes own deltas to every peer, and tells those that may not have it how far other journals have grown.
    mutating func take(_ commit: Commit) {
        var grown: [FrontierEntry] = []
        for journal in commit.journals {
            let tips = frontier.replace(journal)
            guard !tips.isEmpty else { continue }
            // Its content may have waited for a device's certificate.
            pulls.isDirty = true
            grown += tips.map { FrontierEntry(key: journal.key, point: $0) }
            reconsider(journal.key)
        }
        pulls.expect(commit.awaited)
        for id in peers.keys {
            var known = takeAhead(of: id, for: grown)
            guard let scope = peers[id]?.ready else { continue }
            for run in push(commit.own.filter({ scope.includes($0.key.journal) }), to: id) { known[run.key] = run.tip }
            let news = grown.filter { entry in
                guard scope.includes(entry.journal) else { return false }
                guard let point = known[entry.key], point != entry.point else { return known[entry.key] == nil }
                return point.sequence < entry.sequence || frontier.tips(of: entry.key).count > 1
            }
            tell(news, to: id)
        }
    }

    /// How far a peer is known to hold journals that have grown; what is held here as well by now is forgotten.
    private mutating func takeAhead(of id: PeerID, for grown: [FrontierEntry]) -> [JournalKey: JournalPoint] {
        guard peers[id]?.ahead.isEmpty == false else { return [:] }
        var known: [JournalKey: JournalPoint] = [:]
        for key in grown.map(\.key) {
            guard let point = peers[id]?.ahead[key] else { continue }
            known[key] = point
            if point.sequence <= frontier.reach(of: key) { peers[id]?.ahead[key] = nil }
        }
        return known
    }

    /// Pushes runs, and returns those that were sent.
    private mutating func push(_ runs: [Run], to id: PeerID) -> ArraySlice<Run> {
        for (place, run) in runs.enumerated() {
            guard hasRoom(id, on: run.key.journal.lane) else {
                // It reads too slowly to be pushed anything; it will be asked what it lacks once it has caught up.
                peers[id]?.owesDigest = true
                return runs[..<place]
            }
            send(run, to: id)
        }
        return runs[...]
    }

    private mutating func tell(_ entries: [FrontierEntry], to id: PeerID) {
        guard !entries.isEmpty, peers[id]?.owesDigest == false else { return }
        if hasRoom(id, on: .control) {
            sendEntries(entries, to: id)
        } else {
            peers[id]?.owesDigest = true
        }
    }

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
            blobs.isDirty = true
        }
    }

    /// Forgets a peer, and turns to others for what it was asked.
    mutating func forget(_ id: PeerID) {
        guard peers[id] != nil else { return }
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
        (pulls.isDirty, blobs.isDirty) = (true, true)
        forgetPayloads(of: id)
        forgetBlobs(of: id)
    }

    /// When a tick does something again if nothing else happens before, and at the earliest a second after `now`.
    package func nextTick(after now: Duration) -> Duration {
        let soon = now + .seconds(1)
        guard pulls.table.isEmpty else { return soon }
        let resuming = payloads.unstored.isEmpty ? nil : payloads.resumesAt
        let duties = peers.keys.map { peers[$0]?.nextDuty(limits) } + [resuming, nextBlobDuty]
        return duties.compactMap(\.self).reduce(now + limits.digestInterval) { min($0, max($1, soon)) }
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
        findBlobs()
        pulls.isDirty = true
    }
}
