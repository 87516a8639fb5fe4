// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// What one person said against a record.
package struct ShownReport: Hashable, Sendable {
    /// Who.
    package var author: ShownPerson
    /// Why.
    package var reason: ReportReason
    /// What the person adds; empty for nothing.
    package var text: String
    /// When, in milliseconds since 1970.
    package var at: Int64
}

/// A record with what people said against it.
package struct ShownReported: Hashable, Sendable {
    /// The record.
    package var record: Reference
    /// What kind of record it is.
    package var kind: String
    /// What counts of the reports that this person can read, in the order of time; one of each person.
    package var reports: [ShownReport]
    /// Whether no moderator has said yet if it is to be seen.
    package var isOpen: Bool
    /// For those who moderate how it is hidden, be it by a moderator's word or because of reports; nil if it is not.
    package var hiding: ShownHiding?
}

/// A record that enough people reported, and of which nobody said yet whether it is to be seen.
package struct DueHiding: Hashable, Sendable {
    /// The record.
    package let record: Reference
    /// When the last of those reports was written that it took.
    package let reached: Timestamp

    /// Names a record, and when enough people had reported it.
    package init(record: Reference, reached: Timestamp) { (self.record, self.reached) = (record, reached) }
}

extension Replica {
    /// Reported records that are listed at a time.
    package static let reportedLimit = 500

    /// What was reported, as far as this person can read that: all of it for moderators, else what this person reported.
    ///
    /// Those of which no moderator said anything come first, then those that were reported last.
    package func reported() throws -> [ShownReported] {
        try view { viewer in
            let sql = """
                SELECT target, \(Viewer.isOpen) AS open, max(report.made) AS latest FROM \(Viewer.counted)
                GROUP BY target ORDER BY open DESC, latest DESC, target LIMIT \(Self.reportedLimit)
                """
            return try viewer.rows(sql, []).map { try viewer.reported($0["target"], isOpen: $0["open"]) }
        }
    }

    /// Whether somebody reported a record whose report this person can read, and no moderator said anything about it since.
    package func awaitsDecision(on reference: Reference) throws -> Bool {
        try view { viewer in
            let sql = "SELECT \(Viewer.isOpen) AS open FROM \(Viewer.counted) WHERE target = ? LIMIT 1"
            return try viewer.rows(sql, [viewer.row(of: reference)]).first.map { $0["open"] } ?? false
        }
    }

    /// Whether everybody in the event sees a record, if nobody hid it.
    package func isForEverybody(_ reference: Reference) throws -> Bool {
        try write(isDurable: false) { transaction in
            guard let row = try transaction.resolve(reference) else {
                throw ReplicaError.notFound(reference.description)
            }
            return try transaction.audienceShown(row) == 0
        }
    }

    /// The first record that is to be hidden because of reports, at a node of somebody who moderates; nil if none is.
    ///
    /// Reports hide a record once: of what a moderator hid or showed again, moderators decide.
    package func dueHiding() throws -> DueHiding? {
        let due = try view { viewer in
            guard viewer.moderates else { return [(row: Int64, hiding: DueHiding)]() }
            let sql = """
                SELECT target FROM \(Viewer.counted)
                WHERE NOT EXISTS (SELECT 1 FROM hiding WHERE hiding.record = report.target)
                GROUP BY target HAVING count(*) >= \(ReportRule.threshold) ORDER BY target LIMIT \(Self.reportedLimit)
                """
            return try viewer.rows(sql, []).map { row in (row["target"], try viewer.dueHiding(of: row["target"])) }
        }
        guard !due.isEmpty else { return nil }
        return try write(isDurable: false) { transaction in
            // What only a private moment shows any more is not hidden for everybody to read why.
            try due.first { try transaction.audienceShown($0.row) == 0 }?.hiding
        }
    }
}

extension Viewer {
    /// The reports that count: of people who take part, about what others than themselves made and what stands.
    fileprivate static let counted = """
        standing_report AS report
        JOIN person ON person.id = report.author AND person.level <= \(ReportRule.countedLevel.rawValue)
        JOIN journal ON journal.id = report.target JOIN branch ON branch.id = journal.branch
        JOIN device ON device.id = branch.device AND device.person <> report.author
        """

    /// Whether no moderator has said if a reported record is to be seen: that a node hid it for the reports is no such word.
    fileprivate static let isOpen = """
        (NOT EXISTS (SELECT 1 FROM hiding WHERE hiding.record = report.target) OR EXISTS (
            SELECT 1 FROM hiding WHERE hides = 1 AND hiding.record = report.target
                AND reason = '\(ReportRule.hidingReason)'
        ))
        """

    fileprivate func reported(_ target: Int64, isOpen: Bool) throws -> ShownReported {
        let reports = try rows(
            """
            SELECT report.author, reason, "text", report.made FROM \(Self.counted)
            WHERE target = ? ORDER BY report.made, report.author LIMIT \(Replica.reportedLimit)
            """,
            [target]
        )
        return ShownReported(
            record: try names.reference(target),
            kind: try kind(of: target),
            reports: try reports.map { row in
                ShownReport(
                    author: try person(row["author"]),
                    reason: ReportReason(value: row["reason"]),
                    text: row["text"] ?? "",
                    at: row["made"]
                )
            },
            isOpen: isOpen,
            hiding: moderates ? try hiding(ofRecord: target) : nil
        )
    }

    fileprivate func dueHiding(of target: Int64) throws -> DueHiding {
        let sql = "SELECT report.made FROM \(Self.counted) WHERE target = ? ORDER BY report.made LIMIT 1 OFFSET ?"
        let last = try rows(sql, [target, ReportRule.threshold - 1]).first
        return DueHiding(
            record: try names.reference(target),
            reached: Timestamp(milliseconds: last.map { $0["made"] } ?? 0)
        )
    }

    /// Which kind of record one is that may be reported.
    private func kind(of target: Int64) throws -> String {
        guard case .record(let kinds, _) = Kind.report.target else { return "" }
        return try kinds.compactMap(Kind.numbered).first { kind in
            try !rows("SELECT 1 FROM \(kind.name) WHERE id = ?", [target]).isEmpty
        }?.name ?? ""
    }
}
