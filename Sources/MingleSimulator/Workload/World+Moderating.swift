// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

extension World {
    /// The kinds of which people report records, and moderators hide them.
    private static let reportableKinds = Kind.all.filter { $0.traits.contains(.reportable) }

    /// A moderator, or somebody above, hides something or shows something again.
    func hide(_ node: SimulatedNode) throws {
        guard try moderates(node.secrets.person, at: node),
            let entry = someHidden(seenBy: node) ?? someRecord(Self.reportableKinds, seenBy: node),
            // About what is a moderator's own, others decide.
            let record = entry.reference, isPublic(entry, at: node), entry.person != node.secrets.person,
            // Who does not know yet that somebody moderates does not overwrite what that one said.
            try knowsWhoHid(entry, node)
        else { return }
        let isHidden = try node.replica.hiding(of: record) != nil
        try hide(record, because: isHidden && whims.chance(70) ? .cleared : word("Reason"), by: node)
    }

    /// With some luck a record that is hidden and that the person sees all the same.
    private func someHidden(seenBy node: SimulatedNode) -> Ledger.Entry? {
        guard whims.chance(40) else { return nil }
        let hidden = ledger.entries.filter { $0.hiding != nil && node.shows($0.kind, $0.reference) }
        return hidden.isEmpty ? nil : whims.pick(hidden)
    }

    func hide(_ record: Reference, because reason: Value, by node: SimulatedNode, at time: Timestamp? = nil) throws {
        var words: String?
        if case .text(let text) = reason { words = text }
        guard let written = try author([.hide(record, because: words)], by: node, at: time) else { return }
        if words == nil { coverage.showings += 1 } else { coverage.hidings += 1 }
        ledger.edit(
            record,
            [Hiding.field.name: reason],
            by: node,
            at: written.time,
            reference: written.references[0],
            isPinned: words != ReportRule.hidingReason && ledger[record]?.person != node.secrets.person
        )
    }

    /// Whether a node takes all for moderators who said whether a record is to be seen, as far as people know.
    func knowsWhoHid(_ entry: Ledger.Entry, _ node: SimulatedNode) throws -> Bool {
        try (entry.history[Hiding.field.name] ?? []).allSatisfy { try moderates($0.person, at: node) }
    }

    func moderates(_ person: PersonID, at node: SimulatedNode) throws -> Bool {
        try node.replica.level(of: person).map { $0 >= Hiding.writers } ?? false
    }
}

// What `EventSession+Reports` does, in virtual time.
extension World {
    func scheduleHiding(of node: SimulatedNode) {
        guard !node.isModerating, !node.isRelay, node.hostility == nil else { return }
        node.isModerating = true
        put(.lookAtReports, on: .judging, of: node, after: .seconds(1))
    }

    func lookAtReports(of node: SimulatedNode) throws {
        node.isModerating = false
        guard node.canTend, let duty = try node.replica.hidingDuty(at: node.clock(at: now)) else { return }
        put(.hide(duty), on: .judging, of: node, after: max(duty.pause, .milliseconds(1)))
    }

    func fulfil(_ duty: HidingDuty, by node: SimulatedNode) throws {
        guard node.canTend, let entry = ledger[duty.due.record], try knowsWhoHid(entry, node),
            let (_, time) = try node.replica.hiding(for: duty, at: node.clock(at: now))
        else { return }
        coverage.reportHidings += 1
        try hide(duty.due.record, because: .text(ReportRule.hidingReason), by: node, at: time)
    }
}
