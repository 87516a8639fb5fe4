// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// What people report is with those who moderate, all of it, and no word of it with anybody else; and enough of it hides a
/// record, and nothing less does.
struct ReportChecker: Checker {
    let name = "reports"

    func findings(in world: World) throws -> [String] {
        try leaks(in: world) + losses(in: world) + hidings(in: world)
    }

    /// Words at nodes of people who neither said them nor ever moderated.
    private func leaks(in world: World) -> [String] {
        let moderators = world.readers
        return world.nodes.filter { !moderators.contains($0.secrets.person) }.compactMap { node in
            let foreign = Set(world.reporting.reports.filter { $0.person != node.secrets.person }.map(\.word))
            let word = node.disk?.numbers(behind: String(Ledger.mark)).intersection(foreign).min()
            return word.map { "node \(node.number), which does not moderate, has the reported word \($0) on its disk" }
        }
    }

    /// Reports that some moderator does not read; what is about a moderator's own is not for that one to read.
    private func losses(in world: World) throws -> [String] {
        try world.honest.filter { try world.moderates($0.secrets.person, at: world.nodes[0]) }.flatMap { node in
            let listed = try node.replica.reported().map { reported in
                (reported.record, Set(reported.reports.map(\.author.id)))
            }
            let read = Dictionary(uniqueKeysWithValues: listed)
            let person = node.secrets.person
            let others = try expected(at: node, in: world).filter { world.ledger[$0.key]?.person != person }
            return others.sorted { $0.key < $1.key }.compactMap { record, persons in
                let missing = Set(persons.map(\.description)).subtracting(read[record] ?? []).sorted()
                return missing.first.map { "node \(node.number) does not read what \($0) reported of \(record)" }
            }
        }
    }

    /// Who takes part still, or left, and reported what, of what a node shows to everybody; but nothing said on a device once it was retired.
    private func expected(at node: SimulatedNode, in world: World) throws -> [Reference: Set<PersonID>] {
        var persons: [Reference: Set<PersonID>] = [:]
        for report in world.reporting.reports {
            guard let kind = world.ledger[report.record]?.kind, node.shows(kind, report.record),
                try node.replica.isForEverybody(report.record),
                try isCounted(report.person, in: world), try !isLocked(report.person, at: node, in: world),
                world.removals.spares(report.delta, of: report.person),
                world.loyal.contains(where: { $0.knows(report.delta) })
            else { continue }
            persons[report.record, default: []].insert(report.person)
        }
        return persons
    }

    /// Whether nobody is left who could hand a node the keys of what somebody reported: its device has others since, and no device that had
    /// them is of a moderator's, or of who reported and takes part.
    private func isLocked(_ person: PersonID, at node: SimulatedNode, in world: World) throws -> Bool {
        guard node.hasNewKeys else { return false }
        let takesPart = try node.replica.level(of: person) != nil
        return try !world.honest.contains { other in
            let isReporters = takesPart && other.secrets.person == person
            return try !other.hasNewKeys && (isReporters || world.moderates(other.secrets.person, at: node))
        }
    }

    private func isCounted(_ person: PersonID, in world: World) throws -> Bool {
        let founder = world.nodes[0].replica
        // Who walked in by a node that is out may be known to nobody.
        guard try founder.level(of: person) != nil || founder.hasLeft(person) else { return false }
        let known = try founder.person(person)
        let level = known.level ?? (known.hasLeft && !known.isRemoved ? known.base : nil)
        return level.map { $0 >= ReportRule.countedLevel } ?? false
    }

    /// Records that are not hidden though enough people reported them, or are though fewer ever did.
    private func hidings(in world: World) throws -> [String] {
        let founder = world.nodes[0]
        let reported = try expected(at: founder, in: world).filter { $0.value.count >= ReportRule.usualThreshold }.keys
        // Nobody's node hides that person's own.
        let moderators = try Set(world.honest.map(\.secrets.person)).filter { try world.moderates($0, at: founder) }
        let due = reported.filter { record in moderators.contains { $0 != world.ledger[record]?.person } }
        let unheard = due.filter { (world.ledger[$0]?.history[Hiding.field.name] ?? []).isEmpty }.sorted()
        let hasty = world.ledger.entries.filter { entry in
            let hidings = (entry.history[Hiding.field.name] ?? []).filter { $0.value == .text(ReportRule.hidingReason) }
            let reporters = Set(world.reporting.reports.filter { $0.record == entry.reference }.map(\.person))
            return !hidings.isEmpty && reporters.count < ReportRule.usualThreshold
        }
        return unheard.map { "nobody hid \($0), which enough people reported" }
            + hasty.compactMap(\.reference).map { "\($0) was hidden, which fewer people reported" }
    }
}

extension World {
    /// Those who moderate, or did.
    fileprivate var readers: Set<PersonID> {
        Set(guestList.levels.filter { $0.value >= Hiding.writers }.keys).union([nodes[0].secrets.person])
    }
}
