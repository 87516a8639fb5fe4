// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// What people told moderators, which the ledger, being of what everybody sees, knows nothing of.
struct Reporting {
    /// That one person said something against a record.
    struct Report {
        let record: Reference
        let person: PersonID
        /// The delta that said it.
        let delta: Reference
        /// The number of the words in it.
        let word: UInt64
    }

    var reports: [Report] = []
}

extension World {
    /// Somebody reports what somebody else posted, often what others reported before.
    func report(_ node: SimulatedNode) throws {
        guard let entry = someReported(seenBy: node) ?? someRecord([.moment, .photo, .comment], seenBy: node),
            let record = entry.reference, entry.person != node.secrets.person,
            try node.replica.isForEverybody(record)
        else { return }
        let (text, word) = privateWord("Because")
        let reason = Value.number(whims.pick(ReportReason.allCases).rawValue)
        let draft = Draft.set(.report, on: .record(record), values: ["reason": reason, "text": text])
        guard let written = try author([draft], by: node) else { return }
        coverage.reports += 1
        reporting.reports.append(
            Reporting.Report(
                record: record,
                person: node.secrets.person,
                delta: written.references[0],
                word: word
            )
        )
    }

    /// Mostly one of the last records that others reported and the person did not, if the person sees it.
    private func someReported(seenBy node: SimulatedNode) -> Ledger.Entry? {
        guard whims.chance(80) else { return nil }
        let person = node.secrets.person
        let said = Set(reporting.reports.filter { $0.person == person }.map(\.record))
        let reported = reporting.reports.suffix(12).filter { !said.contains($0.record) }
            .compactMap { ledger[$0.record] }
            .filter { $0.person != person && node.shows($0.kind, $0.reference) && isPublic($0, at: node) }
        return reported.isEmpty ? nil : whims.pick(reported)
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
