// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// What is for own devices, for two people or for moderators shows at all of these and nowhere else.
///
/// Private moments have a checker of their own.
struct ReadersChecker: Checker {
    let name = "readers"
    /// The kinds of which no record is ever for everybody.
    private static let kinds = Kind.all.filter { [.own, .pair, .moderators].contains($0.audience) }

    func findings(in world: World) throws -> [String] {
        let entries = world.ledger.entries.filter { $0.scope.audience != .event && !world.ledger.isWithdrawn($0) }
        let withdrawn = world.ledger.entries.filter { $0.scope.audience != .event && world.ledger.isWithdrawn($0) }
        let moderators = try Set(world.honest.map(\.secrets.person)).filter { person in
            try world.moderates(person, at: world.nodes[0])
        }
        let readers = Readers(moderators: moderators, everModerating: world.everModerating)
        return try world.honest.flatMap { node in
            try differences(entries, but: withdrawn, readers, at: node, in: world)
        } + words(entries + withdrawn, readers, in: world)
    }

    /// What a node shows to somebody for whom it is not, shows with other values than were said, or does not show.
    private func differences(
        _ entries: [Ledger.Entry],
        but withdrawn: [Ledger.Entry],
        _ readers: Readers,
        at node: SimulatedNode,
        in world: World
    ) throws -> [String] {
        let shown = try lines(at: node, in: world)
        var expected: [String] = []
        var unsure = Set(withdrawn.map(Ledger.head))
        // A door opens nothing that is not for everybody, whoever seals it for it.
        for entry in entries where !node.isDoor && readers.read(entry, node.secrets.person) {
            guard reads(entry, node) else {
                unsure.insert(Ledger.head(of: entry))
                guard mustRead(entry, readers, at: node, in: world) else { continue }
                return ["node \(node.number) cannot read: \(Ledger.head(of: entry))"]
            }
            guard world.ledger.isShown(entry) else { continue }
            let word = Base32.encode(entry.scope.audience.id(in: node.event).bytes).prefix(16)
            expected.append("\(world.ledger.line(entry))\taudience=\(word)")
        }
        let sure = shown.filter { line in !unsure.contains(Self.head(of: line)) }
        guard let (line, isExpected) = firstDifference(expected.sorted(), sure) else { return [] }
        return [KindChecker.difference(line, isExpected, among: shown, at: node)]
    }

    /// What a node shows of those kinds; what hostile persons tell this one is in no ledger.
    private func lines(at node: SimulatedNode, in world: World) throws -> [String] {
        let hostile = Set(world.hostilePersons.map(\.description))
        return try world.dump(of: node).privately.filter { line in
            let words = line.split(separator: "\t", maxSplits: 3)
            return Self.kinds.contains { $0.name == words[0] } && !hostile.contains(String(words[2]))
        }
    }

    private static func head(of line: String) -> String {
        line.split(separator: "\t", maxSplits: 4).prefix(4).joined(separator: "\t")
    }

    /// Whether a node has the keys to all that was said of a record.
    private func reads(_ entry: Ledger.Entry, _ node: SimulatedNode) -> Bool {
        node.read(among: entry.references).count == entry.references.count
    }

    /// Whether somebody is there who has the keys to a record and hands them on, and nothing of it is gone.
    ///
    /// Those who are out hand on nothing. Nor does a device that was retired before it heard of its person's other one.
    /// A device that has drawn its keys anew may have lost the others with a backup that was put back.
    private func mustRead(
        _ entry: Ledger.Entry,
        _ readers: Readers,
        at node: SimulatedNode,
        in world: World
    ) -> Bool {
        let concerned = [entry.person] + entry.scope.audience.founders
        guard !concerned.contains(where: world.removals.persons.union(world.removals.left).contains),
            !entry.references.contains(where: world.removals.retiredDevice),
            entry.references.allSatisfy({ delta in world.loyal.contains { $0.knows(delta) } })
        else { return false }
        // A door keeps no key of what its guests report, so who moderates later gets none.
        guard !world.phones.contains(where: { $0.person == entry.person }) else { return false }
        let own = world.honest.filter { $0.secrets.person == entry.person }
        let givers = world.honest.filter { giver in
            giver.secrets.person == entry.person || readers.isModerators(entry, giver.secrets.person)
        }
        if !own.isEmpty, own.allSatisfy({ !$0.hasNewKeys }), !node.hasNewKeys { return true }
        return givers.contains { giver in giver !== node && reads(entry, giver) }
    }

    /// Words on the disks of people who neither said them nor ever were of those for whom they are.
    private func words(_ entries: [Ledger.Entry], _ readers: Readers, in world: World) -> [String] {
        let secret = entries.filter { !$0.words.isEmpty }
        guard !secret.isEmpty else { return [] }
        return world.nodes.compactMap { node in
            let person = node.secrets.person
            let foreign = secret.filter { node.isDoor || !readers.everRead($0, person) }.reduce(into: Set<UInt64>()) {
                $0.formUnion($1.words)
            }
            guard !foreign.isEmpty else { return nil }
            let word = node.disk?.numbers(behind: String(Ledger.mark)).intersection(foreign).min()
            return word.map { "node \(node.number) has the word \($0) on its disk, which is not for its person" }
        }
    }

    /// Who is of an audience.
    private struct Readers {
        let moderators: Set<PersonID>
        let everModerating: Set<PersonID>

        func read(_ entry: Ledger.Entry, _ person: PersonID) -> Bool {
            entry.scope.audience.founders.contains(person) || isModerators(entry, person)
        }

        func everRead(_ entry: Ledger.Entry, _ person: PersonID) -> Bool {
            entry.scope.audience.founders.contains(person)
                || entry.kind.audience == .moderators && everModerating.contains(person)
        }

        func isModerators(_ entry: Ledger.Entry, _ person: PersonID) -> Bool {
            entry.kind.audience == .moderators && moderators.contains(person)
        }
    }
}

extension World {
    /// Those who moderate, or did.
    var everModerating: Set<PersonID> {
        Set(guestList.levels.filter { $0.value >= Hiding.writers }.keys).union([nodes[0].secrets.person])
    }
}

extension Removals {
    /// Whether the device that wrote a delta was retired.
    func retiredDevice(of delta: Reference) -> Bool { retired.contains { $0.raw.prefix == delta.device } }
}
