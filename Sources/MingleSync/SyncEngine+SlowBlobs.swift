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
            // Of one that stalled lately no word counts as much as others' anyhow, and to look through all blobs costs.
            guard source.wireCount > 0, !source.isKnownAsSlow, source.isPrompt(at: now, limits) else { continue }
            distrust(id)
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

    /// Takes a peer's word that it holds blobs for less than that of others, and asks those.
    private mutating func distrust(_ id: PeerID) {
        peers[id]?.blobs.isKnownAsSlow = true
        peers[id]?.blobs.slowTimes += 1
        if let times = peers[id]?.blobs.slowTimes, times >= limits.slowTimes { noteStall(of: id) }
        for name in blobs.table.keys {
            guard let sources = blobs.table[name]?.sources, sources.contains(where: { $0.peer == id }) else { continue }
            change(name) { blob in
                guard let place = blob.sources.firstIndex(where: { $0.peer == id }) else { return }
                blob.sources[place].isPrompt = false
            }
            if blobs.table[name]?.isAwaited == true { release(name, from: id) }
        }
        blobs.pass.lookAtAll()
    }

    /// Remembers of a peer, and of its person's other devices, that it kept others waiting.
    mutating func noteStall(of id: PeerID) {
        peers[id]?.blobs.stalledAt = now
        if let person = peers[id]?.person { lapses.note(person, at: now, limits) }
    }

    /// Takes whose device a peer is: what that person's devices did counts for this one.
    mutating func take(_ person: PersonID, of id: PeerID) {
        peers[id]?.person = person
        if let last = lapses.last(of: person) { peers[id]?.blobs.stalledAt = last }
    }
}

/// When devices of persons last kept others waiting for blobs.
struct Lapses: Sendable {
    private static let limit = 1024
    private var times: [PersonID: Duration] = [:]

    /// When that was; nil if it never was, or is long ago.
    func last(of person: PersonID) -> Duration? { times[person] }

    mutating func note(_ person: PersonID, at now: Duration, _ limits: SyncLimits) {
        if times.count >= Self.limit { times = times.filter { now - $0.value < limits.stallMemory } }
        // Whoever has so many persons at hand needs no memory of them to be a nuisance.
        guard times.count < Self.limit || times[person] != nil else { return }
        times[person] = now
    }
}
