// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

// One side asks with the digest of all that it holds. If the other holds the same, it answers with the same digest, and
// that was all. If not, it answers with a digest of each bucket, gets the entries of those that differ together with
// the first side's buckets, and sends its own entries. Each then pulls what it lacks, in the order in which it was told.
extension SyncEngine {
    /// Asks a peer whether it holds the same.
    mutating func compare(with id: PeerID) {
        guard let scope = peers[id]?.scope else { return }
        guard hasRoom(id, on: .control) else {
            peers[id]?.owesDigest = true
            return
        }
        peers[id]?.owesDigest = false
        peers[id]?.comparedAt = now
        sendDigest(to: id, scope, hasBuckets: false, isAnswer: false)
    }

    private mutating func sendDigest(to id: PeerID, _ scope: Scope, hasBuckets: Bool, isAnswer: Bool) {
        var message = ProtoDigest()
        message.whole = .init(frontier.digest(scope).bytes)
        if hasBuckets { message.buckets = frontier.frontier(scope).bucketDigests }
        message.fabricOnly = scope == .fabric
        message.isAnswer = isAnswer
        send(.digest(message), to: id, on: .control)
    }

    mutating func receive(_ message: ProtoDigest, from id: PeerID, _ scope: Scope) {
        let scope = message.fabricOnly ? .fabric : scope
        guard let whole = Bytes32(message.whole),
            message.buckets.isEmpty || message.buckets.count == Frontier.bucketCount
        else { return close(id, "malformed digest") }
        becomeReady(id, scope)
        // Answers to what was asked are welcome however slowly the peer reads; questions have to wait.
        guard hasRoom(id, on: .control) else {
            peers[id]?.owesDigest = true
            return
        }
        peers[id]?.comparedAt = now
        if frontier.digest(scope) == whole {
            peers[id]?.standing = .inSync
            peers[id]?.differences = 0
            peers[id]?.noteAgreement(at: now, limits)
            peers[id]?.asked.hasOverlooked = false
            actions.append(.note(id, .inSync(scope)))
            if !message.isAnswer { sendDigest(to: id, scope, hasBuckets: false, isAnswer: true) }
        } else if message.buckets.isEmpty {
            sendDigest(to: id, scope, hasBuckets: true, isAnswer: false)
        } else {
            peers[id]?.differences += 1
            peers[id]?.agreements = 0
            peers[id]?.hasToldMore = false
            peers[id]?.asked.hasOverlooked = false
            let own = frontier.frontier(scope)
            let mine = own.bucketDigests
            let differing = Set(mine.indices.filter { mine[$0] != message.buckets[$0] })
            if !message.isAnswer { sendDigest(to: id, scope, hasBuckets: true, isAnswer: true) }
            sendEntries(frontier.newestFirst(own.entries(in: differing)), to: id)
        }
    }

    /// Notes that a peer does not send what it has.
    ///
    /// Who did that is not taken to hold the same until both have compared anew, which is soon.
    mutating func noteFailing(_ id: PeerID, _ state: PeerState) {
        actions.append(.note(id, state))
        peers[id]?.agreements = 0
    }

    /// A digest from the peer says that it is in the session's scope itself, so that any lane may be used.
    private mutating func becomeReady(_ id: PeerID, _ scope: Scope) {
        guard peers[id] != nil, peers[id]?.ready.map({ $0 < scope }) ?? true else { return }
        peers[id]?.ready = scope
        peers[id]?.agreements = 0
        pulls.isDirty = true
        lookAt(id)
        offerPayloads(to: id)
    }

    /// Tells a peer how far journals are held; it pulls what it lacks.
    mutating func sendEntries(_ entries: [FrontierEntry], to id: PeerID, werePushed: Bool = false) {
        var start = 0
        while start < entries.count {
            let end = min(start + limits.entriesPerMessage, entries.count)
            var message = ProtoEntries()
            message.entries = entries[start..<end].map { .init($0.bytes) }
            message.werePushed = werePushed
            send(.entries(message), to: id, on: .control)
            start = end
        }
    }

    mutating func receive(_ message: ProtoEntries, from id: PeerID, _ scope: Scope) {
        guard message.entries.count <= limits.entriesPerMessage else { return close(id, "too many entries") }
        var entries: [FrontierEntry] = []
        entries.reserveCapacity(message.entries.count)
        for bytes in message.entries {
            guard let entry = try? FrontierEntry(decoding: [UInt8](bytes)), scope.includes(entry.journal) else {
                return close(id, "malformed entries")
            }
            entries.append(entry)
        }
        if message.werePushed { peers[id]?.isEager = false }
        for entry in entries {
            offer(entry.point, of: entry.key, by: id)
            note(entry.point, of: entry.key, heldBy: id)
            guard peers[id] != nil else { return }
        }
    }
}
