// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// Who was removed, and what of theirs counts.
struct Removals {
    /// What was said of each, by everybody who removed somebody.
    private(set) var cuts: [CutTerms] = []

    /// Those who came by a link that leads nowhere.
    var turnedAway: Set<PersonID> = []

    /// Those who take no part any more, or never did.
    var persons: Set<PersonID> { Set(cuts.map(\.person)).union(turnedAway) }

    mutating func note(_ terms: CutTerms) { cuts.append(terms) }

    /// Whether a delta of somebody's counts, whose journal never forked.
    func spares(_ delta: Reference, of person: PersonID) -> Bool {
        cuts.filter { $0.person == person }
            .allSatisfy { cut in
                cut.ends.contains {
                    $0.device.raw.prefix == delta.device && $0.journal == delta.journal && $0.sequence >= delta.sequence
                }
            }
    }
}

extension World {
    /// Takes the person of a node out of the event.
    func remove(_ node: SimulatedNode, by host: SimulatedNode, keepsLinks: Bool = false) throws {
        let time = host.clock(at: now)
        let (person, randomness) = (node.secrets.person, host.randomness)
        let authored = try host.replica.remove(person, keepsLinks: keepsLinks, at: time, randomness: randomness)
        for payload in authored.runs.flatMap(\.deltas).compactMap(\.payload) {
            guard case .cut(let terms)? = try? FabricPayload(decoding: payload) else { continue }
            removals.note(terms)
        }
        coverage.removals += 1
        try publish(authored, by: host)
    }

    /// The founder removes somebody; who is yet to come is shown a new link, as the old ones are closed.
    func removeSomebody() throws {
        guard plan.hasFaults, mayInvite, removals.persons.count < max(1, plan.peers / 6) else { return }
        let copied = Set(plan.copies.map { nodes[$0.node].secrets.person })
        let candidates = try honest.filter { node in
            try node.isHere && !copied.contains(node.secrets.person)
                && nodes[0].replica.level(of: node.secrets.person) == .attendee
        }
        guard candidates.count > 2 else { return }
        let removed = whims.pick(candidates)
        try remove(removed, by: nodes[0])
        for node in nodes where node.secrets.person == removed.secrets.person { bridge(node) }
        try invite()
        for node in honest where !node.isHere { try showLastInvitation(to: node) }
    }

    /// Expects nobody any more whose link was closed before any door opened: such people are told so, and ask for another.
    func turnAwayStrangers() throws {
        let founder = nodes[0].replica
        for node in honest where node.isHere {
            guard let seed = node.secrets.cameBy, try founder.level(of: node.secrets.person) == nil,
                try founder.invitation(InvitationKeys(seed: seed).id)?.isClosed == true,
                try !founder.isWaiting(node.secrets.person), try !node.replica.hasKey() || isForgotten(node)
            else { continue }
            removals.turnedAway.insert(node.secrets.person)
        }
    }

    /// Whether nobody knows of a person who has a key: no door opened, and a newcomer showed the fabric; or those are out or hostile whose
    /// doors did, or they started anew since and may have lost what was not on the disk.
    private func isForgotten(_ node: SimulatedNode) throws -> Bool {
        let (person, out) = (node.secrets.person, unreliablePersons)
        let known = try honest.contains { other in
            try other.secrets.person != person
                && (other.replica.level(of: person) != nil || other.replica.isWaiting(person))
        }
        return !known
            && guestList.doors[person, default: [:]].allSatisfy { door, life in
                out.contains(nodes[door].secrets.person) || nodes[door].life != life
            }
    }

    /// Lets those dial each other who heard of each other by way of a node that nobody lets in any more.
    private func bridge(_ node: SimulatedNode) {
        let neighbours = Set(targets.filter { [$0.from, $0.to].contains(node.number) }.flatMap { [$0.from, $0.to] })
            .subtracting([node.number]).sorted()
        for (from, to) in zip(neighbours.dropFirst(), neighbours) { acquaint(from, to) }
    }

    /// Lets one node dial another from now on, unless either does.
    func acquaint(_ from: Int, _ to: Int) {
        guard !targets.contains(where: { Set([$0.from, $0.to]) == [from, to] }) else { return }
        targets.append(Target(from: from, to: to))
        agenda.add(.dial(target: targets.count - 1), at: now + dice.milliseconds(0...3000))
    }

    /// Takes from the ledger what people wrote past the cut, which nobody shows.
    func settleRemovals() {
        let persons = removals.persons
        for entry in ledger.entries where persons.contains(entry.person) {
            let isNobody = removals.turnedAway.contains(entry.person)
            // What moderators said of it stands in journals of theirs.
            for delta in entry.ownReferences where isNobody || !removals.spares(delta, of: entry.person) {
                ledger.lose(delta)
                coverage.voidDeltas += 1
            }
            // A deletion counts whenever it comes, if it does.
            for deletion in entry.deletions where !loyal.contains(where: { $0.hasMet(deletion) }) {
                ledger.lose(deletion)
            }
        }
    }

    /// The founder lets in who waits, since a link was closed where nobody knew of them.
    func admitWaiting() throws {
        let founder = nodes[0]
        guard founder.isHere, founder.canWrite else { return }
        for person in try founder.replica.waitingPeople().compactMap({ PersonID(text: $0.id) }) {
            guard let node = honest.first(where: { $0.secrets.person == person }) else { continue }
            try grant(.attendee, to: node, by: founder)
        }
    }
}
