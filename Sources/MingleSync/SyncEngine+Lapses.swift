// SPDX-License-Identifier: Apache-2.0

import MingleModel

// A peer that keeps others waiting for blobs is remembered with its person, whose other devices come last as well.
extension SyncEngine {
    /// Remembers of a peer's person that the peer leaves while it owes chunks; too often is as bad as a stall.
    mutating func noteAbandonment(by id: PeerID) {
        guard let peer = peers[id], peer.blobs.wireCount > 0, let person = peer.person else { return }
        lapses.note(person, weight: 1, at: now, limits)
    }

    /// Remembers of a peer, and of its person's other devices, that it stalled.
    mutating func noteStall(of id: PeerID) {
        peers[id]?.blobs.stalledAt = now
        if let person = peers[id]?.person { lapses.note(person, weight: limits.abandonments, at: now, limits) }
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
        records[person].flatMap { $0.count >= limits.abandonments ? $0.last : nil }
    }

    /// Counts one more, or several at once; what is longer ago than stalls are remembered counts no more.
    mutating func note(_ person: PersonID, weight: Int, at now: Duration, _ limits: SyncLimits) {
        if records.count >= Self.limit { records = records.filter { now - $0.value.last < limits.stallMemory } }
        // Whoever has so many persons at hand needs no memory of them to be a nuisance.
        guard records.count < Self.limit || records[person] != nil else { return }
        let known = records[person].flatMap { now - $0.last < limits.stallMemory ? $0.count : nil } ?? 0
        records[person] = (min(known + weight, limits.abandonments), now)
    }
}
