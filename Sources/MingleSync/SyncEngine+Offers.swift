// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

extension SyncEngine {
    /// Notes that a peer says it holds a header, and pulls the journal if that is missing here.
    mutating func offer(_ point: JournalPoint, of key: JournalKey, by id: PeerID) {
        guard peers[id] != nil, !frontier.tips(of: key).contains(point) else { return }
        noteAhead(id)
        if let strikes = peers[id]?.asked.strikes[key], strikes.count >= limits.strikes {
            // It is not asked, so nobody knows when that is here.
            peers[id]?.standing = .unknown
            return
        }
        guard canMerge(key) else { return park(point, of: key, by: id) }
        var pull = pulls.table[key] ?? pulls.begin(key)
        let earlier = pull.offers.filter { $0.peer == id }
        guard !earlier.contains(where: { $0.point == point }) else { return }
        if earlier.count >= Limits.branchesPerJournal, let lowest = earlier.min(by: { $0.point < $1.point }) {
            pull.offers.removeAll { $0.peer == id && $0.point == lowest.point }
            peers[id]?.asked.offers -= 1
        } else if !mayOffer(key, id) {
            return overlook(id)
        }
        pull.offers.append(JournalPull.Offer(peer: id, point: point))
        peers[id]?.asked.offers += 1
        peers[id]?.hasToldMore = true
        pulls.table[key] = pull
        consider(key)
    }

    /// Whether one more header that a peer says it holds is kept in mind.
    private func mayOffer(_ key: JournalKey, _ id: PeerID) -> Bool {
        guard let count = peers[id]?.asked.offers, count < limits.offers else { return false }
        return count < limits.offersAtLeast || pulls.table[key] != nil || pulls.table.count < limits.pulledJournals
    }

    /// Leaves it to the next comparison to find what a peer says it holds.
    private mutating func overlook(_ id: PeerID) {
        peers[id]?.hasToldMore = true
        peers[id]?.asked.hasOverlooked = true
        peers[id]?.standing = .unknown
    }

    /// Content is proved by the certificate in the device's fabric journal, so that one goes first.
    func canMerge(_ key: JournalKey) -> Bool {
        guard key.journal == .content else { return true }
        let fabric = JournalKey(device: key.device, journal: .fabric)
        return frontier.reach(of: fabric) > 0
    }

    /// Keeps in mind that a peer holds content of a device whose certificate is not here; that is looked at no more until it is.
    private mutating func park(_ point: JournalPoint, of key: JournalKey, by id: PeerID) {
        var offers = pulls.unproved[key] ?? []
        let earlier = offers.filter { $0.peer == id }
        guard !earlier.contains(where: { $0.point == point }) else { return }
        let hasRoom = !offers.isEmpty || pulls.unproved.count < limits.unprovedJournals
        guard hasRoom, earlier.count < Limits.branchesPerJournal,
            let count = peers[id]?.asked.unprovedOffers, count < limits.unprovedOffers
        else { return overlook(id) }
        offers.append(JournalPull.Offer(peer: id, point: point))
        pulls.unproved[key] = offers
        peers[id]?.asked.unprovedOffers += 1
        peers[id]?.hasToldMore = true
    }

    /// Takes up what peers hold of devices whose certificates have come, in the order in which they told of it.
    mutating func takeUpProved() {
        guard pulls.hasProofs else { return }
        pulls.hasProofs = false
        for key in pulls.unproved.keys where canMerge(key) {
            let offers = pulls.unproved[key] ?? []
            pulls.unproved[key] = nil
            for proved in offers {
                peers[proved.peer]?.asked.unprovedOffers -= 1
                offer(proved.point, of: key, by: proved.peer)
                note(proved.point, of: key, heldBy: proved.peer)
                noteCaughtUp(proved.peer)
            }
        }
    }

    /// Forgets what a peer holds of devices without certificate.
    mutating func forgetUnproved(of id: PeerID) {
        for key in pulls.unproved.keys {
            guard let offers = pulls.unproved[key], offers.contains(where: { $0.peer == id }) else { continue }
            let others = offers.filter { $0.peer != id }
            pulls.unproved[key] = others.isEmpty ? nil : others
        }
    }

    /// Notes that a peer which held the same tells of more, if it is the first of that.
    mutating func noteAhead(_ id: PeerID) {
        guard peers[id]?.standing == .inSync else { return }
        peers[id]?.standing = .ahead
        actions.append(.note(id, .ahead))
    }

    /// Notes that all is here of which a peer has told since it held the same, if that is so.
    mutating func noteCaughtUp(_ id: PeerID) {
        guard let peer = peers[id], peer.standing == .ahead, peer.asked.offers == 0, peer.asked.unprovedOffers == 0,
            pulls.merging[id] == nil
        else { return }
        peers[id]?.standing = .inSync
        actions.append(.note(id, .caughtUp))
    }

    /// Remembers how far a peer says it holds a journal, if that is further than it is held here, and unless nothing else
    /// speaks for that journal.
    mutating func note(_ point: JournalPoint, of key: JournalKey, heldBy id: PeerID) {
        let reach = frontier.reach(of: key)
        if peers[id]?.untold[key] != nil, frontier.tips(of: key) == [point] { peers[id]?.untold.release(key) }
        guard point.sequence > reach else {
            // It may hold less than it said, as it was repaired. Of a fork this may be the lower branch: one word too many.
            peers[id]?.ahead.release(key)
            return
        }
        guard reach > 0 || pulls.table[key] != nil else { return }
        peers[id]?.ahead[key] = point
    }

    /// Finds out what is to be done for a journal, if nothing is on its way.
    mutating func consider(_ key: JournalKey) {
        guard var pull = pulls.table[key], pull.isIdle else { return }
        let tips = frontier.tips(of: key)
        let reach = tips.last?.sequence ?? 0
        dropOffers(from: &pull) { tips.contains($0.point) }
        for place in pull.offers.indices where pull.offers[place].point.sequence > reach {
            pull.offers[place].isMissing = true
        }
        var uncertain: [JournalPoint] = []
        for place in pull.offers.indices where !pull.offers[place].isMissing {
            pull.offers[place].isAsked = true
            if !uncertain.contains(pull.offers[place].point) { uncertain.append(pull.offers[place].point) }
        }
        if !uncertain.isEmpty {
            pull.isAsking = true
            actions.append(.findMissing(key, uncertain))
        }
        pulls.stopWaiting(key)
        pulls.table[key] = pull.offers.isEmpty ? nil : pull
        if pull.offers.isEmpty {
            if tips.isEmpty { forget(key) }
        } else if uncertain.isEmpty {
            pulls.wait(key)
        }
    }

    /// Forgets what peers say of a journal that is not held and that nobody offers any more.
    private mutating func forget(_ key: JournalKey) {
        for id in peers.keys where peers[id]?.ahead[key] != nil { peers[id]?.ahead.release(key) }
    }

    /// Takes the shell's word about offers at or below what is held.
    mutating func setMissing(_ points: [JournalPoint], of key: JournalKey) {
        guard var pull = pulls.table[key] else { return }
        pull.isAsking = false
        dropOffers(from: &pull) { $0.isAsked && !points.contains($0.point) }
        for place in pull.offers.indices where pull.offers[place].isAsked {
            pull.offers[place].isAsked = false
            pull.offers[place].isMissing = true
        }
        pulls.table[key] = pull
        consider(key)
    }

    /// Takes what says where branches part.
    mutating func setLocator(_ points: [JournalPoint], of key: JournalKey) {
        guard pulls.table[key] != nil else { return }
        pulls.table[key]?.isAsking = false
        pulls.table[key]?.locator = Array(points.prefix(limits.locatorPoints))
        consider(key)
    }

    /// After a journal grew, offers may be held that were missing.
    mutating func reconsider(_ key: JournalKey) {
        guard var pull = pulls.table[key] else { return }
        for place in pull.offers.indices { pull.offers[place].isMissing = false }
        pull.locator = nil
        pulls.table[key] = pull
        consider(key)
    }

    /// A peer does not deliver what it offered: it is not asked for it again unless it offers more, and after some times
    /// not for a while.
    mutating func giveUp(on id: PeerID, for key: JournalKey) {
        peers[id]?.standing = .unknown
        if var pull = pulls.table[key] {
            dropOffers(from: &pull) { $0.peer == id }
            pulls.table[key] = pull
        }
        guard let count = peers[id]?.asked.strikes.count else { return }
        guard count < limits.undelivered else { return close(id, "advertises too many journals") }
        peers[id]?.asked.strike(key, at: now)
        actions.append(.note(id, .gaveUp(key)))
    }

    /// Forgives peers what they failed to deliver long ago.
    mutating func forgiveStrikes() {
        for id in peers.keys { peers[id]?.asked.forgiveStrikes(until: now - limits.strikePause) }
    }

    /// Forgets offers, and lets their peers make as many others.
    private mutating func dropOffers(
        from pull: inout JournalPull,
        where isDone: (JournalPull.Offer) -> Bool
    ) {
        for offer in pull.offers where isDone(offer) {
            peers[offer.peer]?.asked.offers -= 1
            noteCaughtUp(offer.peer)
        }
        pull.offers.removeAll(where: isDone)
    }
}
