// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// Who was removed, and what of theirs counts.
struct Removals {
    /// A cut, and the statement that makes it where that is the cut person's own.
    private struct Said {
        let id: Reference
        let terms: CutTerms
        let own: Reference?

        /// Whether it lets a delta of its person count.
        func spares(_ delta: Reference) -> Bool {
            if let device = terms.device, device.raw.prefix != delta.device { return true }
            return terms.ends.contains {
                $0.device.raw.prefix == delta.device && $0.journal == delta.journal && $0.sequence >= delta.sequence
            }
        }
    }

    /// What was said of each, by everybody who removed somebody, or by themselves.
    private var cuts: [Said] = []

    /// Retirements of which nobody has heard who is looked at: others let who made them in no more.
    private var unheard: Set<Reference> = []

    /// Those who came by a link that leads nowhere.
    var turnedAway: Set<PersonID> = []

    /// Those who have left, and not been removed.
    var left: Set<PersonID> = []

    /// Loyal nodes that held all that a device had written when its person left, in which of their lives, by the device's prefix.
    var heirs: [UInt64: [Int: Int]] = [:]

    /// Loyal nodes that said, to somebody who then left, to hold a blob whole, in which of their lives.
    var blobHeirs: [BlobName: [Int: Int]] = [:]

    /// Those who take no part any more, or never did; who leaves on a device that was retired before goes on to take part.
    var persons: Set<PersonID> {
        let gone = cuts.map(\.terms.person).filter { !leavings(of: $0).isEmpty }
        return removed.union(gone).union(turnedAway)
    }

    /// Those whom others removed.
    var removed: Set<PersonID> { Set(cuts.filter { $0.own == nil && $0.terms.level == nil }.map(\.terms.person)) }

    /// Devices that their persons retired, and these persons.
    var retired: Set<DeviceName> { Set(cuts.compactMap(\.terms.device)) }
    var retiring: Set<PersonID> { Set(cuts.map(\.terms).filter { $0.device != nil }.map(\.person)) }

    /// Notes a cut; `own` is the statement of somebody about oneself.
    mutating func note(_ id: Reference, _ terms: CutTerms, own: Bool) {
        cuts.append(Said(id: id, terms: terms, own: own ? id : nil))
    }

    /// Takes for nothing what people said of devices that nobody has heard.
    mutating func settleRetirements(where isHeard: (Reference) -> Bool) {
        unheard = Set(cuts.filter { $0.terms.device != nil }.map(\.id).filter { !isHeard($0) })
    }

    /// Whether a delta of somebody's counts, whose journal never forked.
    func spares(_ delta: Reference, of person: PersonID) -> Bool {
        (removals(of: person) + retirements(by: person) + leavings(of: person)).allSatisfy { $0.spares(delta) }
    }

    /// The removals of somebody that no other replaced.
    private func removals(of person: PersonID) -> [Said] {
        let removals = cuts.filter { $0.terms.person == person && $0.own == nil && $0.terms.level == nil }
        return removals.filter { removal in !removals.contains { $0.terms.overwrites.contains(removal.id) } }
    }

    /// What somebody said of devices that counts: nobody says anything of oneself past a removal.
    private func retirements(by person: PersonID) -> [Said] {
        let removals = removals(of: person)
        return cuts.filter { cut in
            cut.terms.person == person && cut.terms.device != nil && !unheard.contains(cut.id)
                && cut.own.map { own in removals.allSatisfy { $0.spares(own) } } ?? false
        }
    }

    /// What somebody said of leaving that counts: nobody leaves on a device that was retired before, either.
    private func leavings(of person: PersonID) -> [Said] {
        let before = removals(of: person) + retirements(by: person)
        return cuts.filter { cut in
            cut.terms.person == person && cut.terms.device == nil
                && cut.own.map { own in before.allSatisfy { $0.spares(own) } } ?? false
        }
    }
}

extension World {
    /// Takes the person of a node out of the event.
    func remove(_ node: SimulatedNode, by host: SimulatedNode, keepsLinks: Bool = false) throws {
        try remove(node.secrets.person, by: host, keepsLinks: keepsLinks)
    }

    /// Takes a person out of the event.
    func remove(_ person: PersonID, by host: SimulatedNode, keepsLinks: Bool) throws {
        let (time, randomness) = (host.clock(at: now), host.randomness)
        // All that anybody nearby could come back by is closed as well, as far as it is known there.
        let known = try host.replica.namedOpenings()
        let authored = try host.replica.remove(person, keepsLinks: keepsLinks, at: time, randomness: randomness)
        noteCuts(authored)
        try openings.close { try known.contains($0.id) || !keepsLinks && host.replica.invitation($0.id) != nil }
        coverage.removals += 1
        try publish(authored, by: host)
    }

    /// Keeps out the person of a node, who waits to be let in.
    func decline(_ node: SimulatedNode, by host: SimulatedNode) throws {
        let time = host.clock(at: now)
        let authored = try host.replica.decline(node.secrets.person, at: time, randomness: host.randomness)
        noteCuts(authored)
        coverage.removals += 1
        try publish(authored, by: host)
    }

    /// Remembers the cuts that somebody just made.
    func noteCuts(_ authored: Authored) {
        for delta in authored.runs.flatMap(\.deltas) {
            guard let payload = delta.payload, case .cut(let terms)? = try? FabricPayload(decoding: payload) else {
                continue
            }
            let device = delta.header.device
            let isOwn = nodes.contains { $0.replica.own.name == device && $0.secrets.person == terms.person }
            removals.note(delta.reference, terms, own: isOwn)
        }
    }

    /// The founder removes somebody; who is yet to come is shown a new link, as the old ones are closed.
    func removeSomebody() throws {
        guard plan.maySendAway, mayInvite else { return }
        if try removeGuest() { return }
        guard removals.persons.count < max(1, plan.peers / 6) else { return }
        let candidates = try expendable
        guard candidates.count > 2 else { return }
        let removed = whims.pick(candidates)
        try remove(removed, by: nodes[0], keepsLinks: whims.chance(30))
        for node in nodes where node.secrets.person == removed.secrets.person { bridge(node) }
        try invite()
        for node in honest where !node.isHere && !node.isDoor { try showLastInvitation(to: node) }
    }

    /// Devices of attendees whose files were never copied.
    var expendable: [SimulatedNode] {
        get throws {
            let copied = Set(nodes.filter { plan.mayForget($0.number) }.map(\.secrets.person))
            return try honest.filter { node in
                try node.isHere && !node.isDoor && !copied.contains(node.secrets.person)
                    && nodes[0].replica.level(of: node.secrets.person) == .attendee
            }
        }
    }

    /// Expects nobody any more whose link was closed before any door opened: such people are told so, and ask for another.
    func turnAwayStrangers() throws {
        let founder = nodes[0].replica
        for node in honest where node.isHere {
            guard let seed = node.secrets.cameBy, try founder.level(of: node.secrets.person) == nil,
                let invitation = try founder.invitation(InvitationKeys(seed: seed).id),
                invitation.isClosed || isOver(invitation.terms),
                try !founder.isWaiting(node.secrets.person), try !node.replica.hasKey() || isForgotten(node)
            else { continue }
            removals.turnedAway.insert(node.secrets.person)
        }
    }

    /// Whether an invitation has expired by the clock of every door.
    private func isOver(_ terms: InvitationTerms) -> Bool {
        guard let expires = terms.expires else { return false }
        return loyal.allSatisfy { $0.clock(at: now) > expires }
    }

    /// Whether nobody knows of a person who has a key: no door opened, and a newcomer showed the fabric; or those are out or hostile whose
    /// doors did, or they started anew since and may have lost what was not on the disk.
    private func isForgotten(_ node: SimulatedNode) throws -> Bool {
        let (person, out) = (node.secrets.person, unreliablePersons)
        // Of two who are forgotten together each knows the other, and neither can bring anybody in.
        let isIn = { try self.nodes[0].replica.level(of: $0) != nil }
        let known = try honest.contains { other in
            try other.secrets.person != person && isIn(other.secrets.person)
                && (other.replica.level(of: person) != nil || other.replica.isWaiting(person))
        }
        return try !known
            && guestList.doors[person, default: [:]].allSatisfy { door, life in
                let host = nodes[door].secrets.person
                return try out.contains(host) || nodes[door].life != life || !isIn(host)
            }
    }

    /// Lets those dial each other who heard of each other by way of a node that nobody lets in any more.
    func bridge(_ node: SimulatedNode) {
        let neighbours = Set(targets.filter { [$0.from, $0.to].contains(node.number) }.flatMap { [$0.from, $0.to] })
            .subtracting([node.number]).sorted()
        for (from, to) in zip(neighbours.dropFirst(), neighbours) { acquaint(from, to) }
    }

    /// Lets one node dial another from now on, unless either does.
    func acquaint(_ from: Int, _ to: Int) {
        guard !targets.contains(where: { $0.nodes == [from, to] }) else { return }
        targets.append(Target(from: from, to: to))
        agenda.add(.dial(target: targets.count - 1), at: now + dice.milliseconds(0...3000))
    }

    /// Takes from the ledger what people wrote past the cut, which nobody shows.
    func settleRemovals() throws {
        try turnAwayGuests()
        let witnesses = loyal
        removals.settleRetirements { retirement in witnesses.contains { $0.hasMet(retirement) } }
        var lost: Set<Reference> = []
        for entry in ledger.entries {
            let void = entry.authored.filter { isVoid($0, of: $1) }.map(\.0)
            coverage.voidDeltas += void.count
            lost.formUnion(void)
            // A deletion counts whenever it comes, if it does.
            guard isOut(entry.person) else { continue }
            lost.formUnion(entry.deletions.filter { deletion in !witnesses.contains { $0.hasMet(deletion) } })
        }
        ledger.lose(lost)
        let founder = nodes[0].replica
        let persons = Set(ledger.entries.map(\.person))
        ledger.outsiders = try persons.filter { try founder.level(of: $0).map { $0 < .attendee } ?? true }
    }

    /// Whether a person was removed, left, or retired a device.
    private func isOut(_ person: PersonID) -> Bool { removals.persons.contains(person) || isUnforced(person) }

    private func isUnforced(_ person: PersonID) -> Bool {
        removals.left.contains(person) || removals.retiring.contains(person)
    }

    /// Whether what a person wrote counts for nothing, as it stands behind a cut or nobody met it in time.
    private func isVoid(_ delta: Reference, of person: PersonID) -> Bool {
        guard isOut(person) else { return false }
        return removals.turnedAway.contains(person) || !removals.spares(delta, of: person)
            || isUnforced(person) && !isInherited(delta) && !loyal.contains { $0.hasMet(delta) }
    }

    /// Whether somebody who left had handed a delta over, to a node that has not started anew since: it may have lost what was not on
    /// the disk.
    private func isInherited(_ delta: Reference) -> Bool {
        guard let heirs = removals.heirs[delta.device] else { return false }
        return loyal.contains { heirs[$0.number] == $0.life }
    }

    /// Whether somebody who left had heard that a blob is whole at a node that has not started anew since.
    func isInherited(_ name: BlobName) -> Bool {
        guard let heirs = removals.blobHeirs[name] else { return false }
        return loyal.contains { heirs[$0.number] == $0.life }
    }

    /// The founder lets in who waits, since a link was closed where nobody knew of them.
    func admitWaiting() throws {
        let founder = nodes[0]
        guard founder.isHere, founder.canWrite else { return }
        for person in try founder.replica.waitingPeople().map(\.id) {
            guard let node = honest.first(where: { $0.secrets.person == person }) else { continue }
            try grant(.attendee, to: node, by: founder)
        }
    }
}
