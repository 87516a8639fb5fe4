// SPDX-License-Identifier: Apache-2.0

import MingleModel

// A peer that does not answer keeps nobody else waiting: not for what others hold too, and not for the lanes behind.
// What only it holds stays asked of it until it is taken to have stalled.
extension SyncEngine {
    /// Turns from peers that have been slow for a moment to others that hold the same.
    mutating func turnFromSlowBlobs() {
        var isAnySlow = false
        for id in peers.keys {
            // Asked before anything is copied, as most peers owe nothing.
            guard peers[id]?.blobs.owesAnything == true, let source = peers[id]?.blobs, isSlow(source) else { continue }
            isAnySlow = true
            guard source.wireCount > 0 else { continue }
            // Of one that stalled lately no word counts as much as others' anyhow, and to look through all blobs costs.
            if !source.isKnownAsSlow, source.isPrompt(at: now, limits) { distrust(id) }
            for name in source.fetching where blobs.table[name]?.isAwaited == true { release(name, from: id) }
        }
        if isAnySlow { blobs.pass.lookAtLanes() }
    }

    /// Whether a peer has sent nothing of what it owes for longer than an answer takes.
    func isSlow(_ source: BlobSource) -> Bool {
        let isSilent = !source.question.isEmpty && now - source.questionSince >= limits.blobSilence
        guard source.wireCount > 0 else { return isSilent }
        let longest = source.fetching.compactMap { blobs.table[$0]?.want.chunkLength }.max() ?? 0
        let patience = limits.blobSilence + .milliseconds(longest * 1000 / limits.slowestChunk)
        return isSilent || now - source.since >= patience
    }

    /// Takes a peer's word that it holds blobs for less than that of others.
    private mutating func distrust(_ id: PeerID) {
        peers[id]?.blobs.isKnownAsSlow = true
        noteSlowness(of: id)
        for name in blobs.table.keys {
            guard let sources = blobs.table[name]?.sources, sources.contains(where: { $0.peer == id }) else { continue }
            change(name) { blob in
                guard let place = blob.sources.firstIndex(where: { $0.peer == id }) else { return }
                blob.sources[place].isPrompt = false
            }
        }
        blobs.pass.lookAtAll()
    }

    /// Counts that a peer kept others waiting for a moment, or left while it did; too often is as bad as a stall.
    mutating func noteSlowness(of id: PeerID) {
        guard let person = peers[id]?.person else { return }
        if lapses.note(person, weight: 1, at: now, limits) { peers[id]?.blobs.stalledAt = now }
    }

    /// Remembers of a peer, and of its person's other devices, that it stalled.
    mutating func noteStall(of id: PeerID) {
        peers[id]?.blobs.stalledAt = now
        if let person = peers[id]?.person { _ = lapses.note(person, weight: limits.slowTimes, at: now, limits) }
    }

    /// Takes whose device a peer is: what that person's devices did counts for this one.
    mutating func take(_ person: PersonID, of id: PeerID) {
        peers[id]?.person = person
        if let last = lapses.stall(of: person, limits) { peers[id]?.blobs.stalledAt = last }
    }
}

/// How often devices of persons kept others waiting for blobs lately, and when last.
struct Lapses: Sendable {
    private static let limit = 1024
    private var records: [PersonID: (count: Int, last: Duration)] = [:]

    /// When a person's devices last kept others waiting, if they did so too often.
    func stall(of person: PersonID, _ limits: SyncLimits) -> Duration? {
        records[person].flatMap { $0.count >= limits.slowTimes ? $0.last : nil }
    }

    /// Counts one more, or several at once; true if they are too many within the time for which stalls are remembered.
    mutating func note(_ person: PersonID, weight: Int, at now: Duration, _ limits: SyncLimits) -> Bool {
        if records.count >= Self.limit { records = records.filter { now - $0.value.last < limits.stallMemory } }
        // Whoever has so many persons at hand needs no memory of them to be a nuisance.
        guard records.count < Self.limit || records[person] != nil else { return false }
        let known = records[person].flatMap { now - $0.last < limits.stallMemory ? $0.count : nil } ?? 0
        records[person] = (min(known + weight, limits.slowTimes), now)
        return known + weight >= limits.slowTimes
    }
}
