// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// Enough reports hide a record, and nothing less does.
struct ReportChecker: Checker {
    let name = "reports"

    func findings(in world: World) throws -> [String] {
        let founder = world.nodes[0]
        let reported = try counted(in: world).filter { $0.value.count >= ReportRule.usualThreshold }.keys
        // Nobody's node hides that person's own while another one moderates.
        let moderators = try Set(world.nodes.map(\.secrets.person)).filter { try world.moderates($0, at: founder) }
        let honest = Set(world.honest.map(\.secrets.person)).intersection(moderators)
        let due = reported.filter { record in
            honest.contains { $0 != world.ledger[record]?.person || moderators.count == 1 }
        }
        let unheard = due.filter { (world.ledger[$0]?.history[Hiding.field.name] ?? []).isEmpty }.sorted()
        let hasty = world.ledger.entries.filter { entry in
            let hidings = (entry.history[Hiding.field.name] ?? []).filter { $0.value == .text(ReportRule.hidingReason) }
            let reports = entry.reference.map { world.ledger.entries(of: .report, on: $0) } ?? []
            return !hidings.isEmpty && Set(reports.map(\.person)).count < ReportRule.usualThreshold
        }
        return unheard.map { "nobody hid \($0), which enough people reported" }
            + hasty.compactMap(\.reference).map { "\($0) was hidden, which fewer people reported" }
    }

    /// Who takes part still, or left, and reported what, of what the founder's node shows to everybody and reads.
    private func counted(in world: World) throws -> [Reference: Set<PersonID>] {
        let founder = world.nodes[0]
        var persons: [Reference: Set<PersonID>] = [:]
        for report in world.ledger.entries(of: .report) where !report.isLost {
            guard let record = report.target, let kind = world.ledger[record]?.kind, founder.shows(kind, record),
                try founder.replica.isForEverybody(record), try isCounted(report.person, in: world),
                founder.read(among: report.references) == report.references
            else { continue }
            persons[record, default: []].insert(report.person)
        }
        return persons
    }

    private func isCounted(_ person: PersonID, in world: World) throws -> Bool {
        let founder = world.nodes[0].replica
        // Who walked in by a node that is out may be known to nobody.
        guard try founder.level(of: person) != nil || founder.hasLeft(person) else { return false }
        let known = try founder.person(person)
        let level = known.level ?? (known.hasLeft && !known.isRemoved ? known.base : nil)
        return level.map { $0 >= ReportRule.countedLevel } ?? false
    }
}
