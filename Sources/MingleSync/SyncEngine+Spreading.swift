// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

// What is new spreads along a tree that the peers find by themselves, as Plumtree does (Leitão, Pereira, Rodrigues: Epidemic
// Broadcast Trees, SRDS 2007). Everybody pushes it to the eager peers at once and tells the lazy ones of it one to two seconds later,
// unless they have said by then that they hold it. Who is pushed what it holds already says so, and both ends make the link
// lazy; who has to ask for what it was told of makes it eager again.
extension SyncEngine {
    /// Notes what has grown, and for whom that is news; pushes own deltas and those of newcomers.
    mutating func take(_ commit: Commit) {
        var grown: [FrontierEntry] = []
        for journal in commit.journals {
            let tips = frontier.replace(journal)
            guard !tips.isEmpty else { continue }
            pulls.isDirty = true
            if journal.key.journal == .fabric, !pulls.unproved.isEmpty { pulls.hasProofs = true }
            grown += tips.map { FrontierEntry(key: journal.key, point: $0) }
            reconsider(journal.key)
        }
        pulls.expect(commit.awaited)
        for id in peers.keys {
            let known = takeAhead(of: id, for: grown)
            guard let scope = peers[id]?.ready else { continue }
            let news = grown.filter { scope.includes($0.journal) && isNews($0, known[$0.key]) }
            peers[id]?.owe(news, at: now, limits)
        }
        for run in commit.own { push(run, except: nil) }
        for run in commit.greeted { push(run, except: nil, ofAtMost: limits.pushedBytes) }
    }

    /// How far a peer is known to hold journals that have grown; what is held here as well by now is forgotten.
    private mutating func takeAhead(of id: PeerID, for grown: [FrontierEntry]) -> [JournalKey: JournalPoint] {
        guard peers[id]?.ahead.isEmpty == false else { return [:] }
        var known: [JournalKey: JournalPoint] = [:]
        for key in grown.map(\.key) {
            guard let point = peers[id]?.ahead[key] else { continue }
            known[key] = point
            if point.sequence <= frontier.reach(of: key) { peers[id]?.ahead.release(key) }
        }
        return known
    }

    /// Whether somebody who holds a journal as far as `known` lacks what it has grown by.
    private func isNews(_ entry: FrontierEntry, _ known: JournalPoint?) -> Bool {
        guard let known, known != entry.point else { return known == nil }
        return known.sequence < entry.sequence || frontier.tips(of: entry.key).count > 1
    }

    // MARK: - Pushing

    /// Pushes a run to the eager peers to which it is news, but not back to whom it came from; a message of more bytes is left to be
    /// told of.
    private mutating func push(_ run: Run, except sender: PeerID?, ofAtMost length: Int = .max) {
        let (key, tip) = (run.key, run.tip)
        var message: [UInt8]?
        for id in peers.keys where id != sender {
            guard peers[id]?.wantsPush(of: tip, in: key) == true else { continue }
            guard hasRoom(id, on: key.journal.lane) else {
                // It reads too slowly to be pushed anything; it will be asked what it lacks once it has caught up.
                peers[id]?.owesDigest = true
                peers[id]?.untold.release(key)
                continue
            }
            let bytes = message ?? encoded(run)
            guard bytes.count <= length else { return }
            message = bytes
            note(tip, of: key, heldBy: id)
            send(bytes, to: id, on: key.journal.lane)
        }
    }

    /// Pushes on a run that was pushed, and merged whole.
    ///
    /// What is large, or had to be asked for, is told of instead: whoever lacks it has others to ask.
    mutating func passOn(_ merging: PullTable.Merging, from sender: PeerID) {
        if !merging.isRequested, merging.byteCount <= limits.pushedBytes { push(merging.run, except: sender) }
    }

    /// Says that a pushed run is here already, so that the peer tells of what is new instead: somebody else is faster.
    mutating func decline(_ run: Run, from id: PeerID) {
        spend(id)
        guard hasRoom(id, on: .control) else { return }
        peers[id]?.isEager = false
        sendEntries([FrontierEntry(key: run.key, point: run.tip)], to: id, werePushed: true)
    }

    // MARK: - Telling

    /// Tells peers of what they were not pushed and have not come to hold by themselves.
    mutating func tellWhatIsDue() {
        for id in peers.keys {
            guard let untold = peers[id]?.untold, !untold.isEmpty else { continue }
            let due = untold.filter { $0.value <= now }.keys.sorted()
            for key in due { peers[id]?.untold.release(key) }
            let entries = due.flatMap { key in frontier.tips(of: key).map { FrontierEntry(key: key, point: $0) } }
            tell(frontier.newestFirst(entries), to: id)
        }
    }

    private mutating func tell(_ entries: [FrontierEntry], to id: PeerID) {
        guard !entries.isEmpty, peers[id]?.owesDigest == false else { return }
        if hasRoom(id, on: .control) {
            sendEntries(entries, to: id)
        } else {
            peers[id]?.owesDigest = true
        }
    }
}

extension Peer {
    /// Whether a header is to be pushed to the peer, to whom it is news as far as is known.
    fileprivate func wantsPush(of point: JournalPoint, in key: JournalKey) -> Bool {
        isEager && untold[key] != nil && ahead[key].map { $0.sequence < point.sequence } ?? true
    }

    /// Notes what the peer is to be told of unless it is pushed it: at once if it is eager.
    fileprivate mutating func owe(_ news: [FrontierEntry], at now: Duration, _ limits: SyncLimits) {
        let due = isEager ? now : now + limits.tellingDelay
        for entry in news where untold[entry.key] == nil { untold[entry.key] = due }
        guard untold.count > limits.entriesPerMessage else { return }
        // So much is found out faster by comparing, with the next tick.
        untold = [:]
        (comparedAt, agreements) = (now - limits.digestInterval * 2, 0)
    }
}
