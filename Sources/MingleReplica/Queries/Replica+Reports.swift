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

extension Replica {
    /// Reported records that are listed at a time.
    package static let reportedLimit = 500

    /// What was reported: for moderators what others than themselves posted, else what this person reported.
    ///
    /// What waits for a moderator comes first; of that what most people reported, and then in turns of those who reported: who reports
    /// everything pushes nobody's report out of sight.
    package func reported() throws -> [ShownReported] {
        try view { viewer in
            let sql = """
                SELECT target, open, count(*) AS people, min(turn) AS turn, max(made) AS latest FROM (
                    SELECT report.target, \(Viewer.isOpen) AS open, report.made,
                        row_number() OVER (PARTITION BY report.author ORDER BY report.shown_at DESC, report.tie) AS turn
                    FROM \(Viewer.counted) WHERE \(viewer.mayList)
                )
                GROUP BY target ORDER BY open DESC, people DESC, turn, latest DESC, target LIMIT \(Self.reportedLimit)
                """
            return try viewer.rows(sql, []).map { try viewer.reported($0["target"], isOpen: $0["open"]) }
        }
    }

    /// How many people have to report a record before it is hidden until a moderator decides: what the founder says, else
    /// ``ReportRule/usualThreshold``; 0: nothing is hidden for that.
    package func reportThreshold() throws -> Int { try view { try $0.reportThreshold() } }

    /// Whether a record was reported that ``reported()`` lists, and no moderator said anything about it since.
    package func awaitsDecision(on reference: Reference) throws -> Bool {
        try view { viewer in
            let sql = """
                SELECT \(Viewer.isOpen) AS open FROM \(Viewer.counted) WHERE report.target = ? AND \(viewer.mayList) LIMIT 1
                """
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
}

extension Viewer {
    /// The reports that count: of people who take part, or did until they left, about what others than themselves made and what stands.
    static let counted = """
        standing_report AS report
        JOIN person ON person.id = report.author AND person.base <= \(ReportRule.countedLevel.rawValue)
            AND NOT EXISTS (
                SELECT 1 FROM cut WHERE cut.person = person.id AND cut.maker <> person.id AND cut.counts = 1
                    AND coalesce(cut.level, \(Level.relay.rawValue)) > \(ReportRule.countedLevel.rawValue)
            )
        JOIN journal ON journal.id = report.target JOIN branch ON branch.id = journal.branch
        JOIN device ON device.id = branch.device AND device.person <> report.author
        """

    /// What others than its author said about whether a reported record is to be seen.
    private static let decisions = """
        SELECT 1 FROM hiding WHERE hiding.record = report.target AND hiding.maker <> device.person
        """

    /// Whether no moderator but its author has said if a reported record is to be seen.
    ///
    /// That a node hid it for the reports is no such word, be it hidden by that or shown by its author again.
    fileprivate static let isOpen = """
        (NOT EXISTS (\(decisions) AND reason IS NOT '\(ReportRule.hidingReason)')
            OR EXISTS (\(decisions) AND hides = 1 AND reason = '\(ReportRule.hidingReason)'))
        """

    /// Which reports this person is shown: moderators not who reported them, others their own.
    fileprivate var mayList: String { moderates ? "device.person <> :me" : "report.author = :me" }

    /// How many people's reports hide a record; 0: no number does.
    func reportThreshold() throws -> Int {
        let said = try db.first(
            """
            SELECT report_threshold FROM visible_event AS event JOIN person ON person.id = event.author
            WHERE base = \(Level.founder.rawValue) ORDER BY event.made DESC LIMIT 1
            """
        ) { _ in
        } read: {
            $0.isNull(0) ? nil : Int($0.integer(0))
        }
        return (said ?? nil) ?? ReportRule.usualThreshold
    }

    /// A record that waits for a moderator's word, how many people reported it, and the latest report's place in lists.
    typealias OpenReport = (record: Int64, kind: Kind, people: Int, latest: Cursor)

    /// What waits for this person's word, if the person moderates.
    func openReports() throws -> [OpenReport] {
        guard moderates, try db.number("SELECT EXISTS (SELECT 1 FROM report)") == 1 else { return [] }
        let sql = """
            SELECT report.target, report.target_kind AS kind, count(*) AS people, max(report.shown_at) AS latest, report.tie
            FROM \(Self.counted)
            WHERE \(mayList) AND \(Self.isOpen) GROUP BY report.target ORDER BY max(report.shown_at) DESC
            LIMIT \(Replica.reportedLimit)
            """
        return try rows(sql, []).compactMap { row in
            Kind.numbered(row["kind"]).map { kind in
                (row["target"], kind, row["people"], Cursor(at: row["latest"], tie: row["tie"]))
            }
        }
    }

    /// How many records ``Replica/reported()`` has for a moderator that wait for a word.
    func waitingReports() throws -> Int64 {
        // Every event is counted when a node starts; what looks through six tables takes longer to compile than all other counts,
        // and in most events nobody reports anything.
        guard moderates, try db.number("SELECT EXISTS (SELECT 1 FROM report)") == 1 else { return 0 }
        let sql = """
            SELECT count(DISTINCT report.target) AS waiting FROM \(Self.counted) WHERE \(mayList) AND \(Self.isOpen)
            """
        return try rows(sql, []).first.map { $0["waiting"] } ?? 0
    }

    fileprivate func reported(_ target: Int64, isOpen: Bool) throws -> ShownReported {
        let reports = try rows(
            """
            SELECT report.author, reason, "text", report.made FROM \(Self.counted)
            WHERE report.target = ? AND \(mayList) ORDER BY report.shown_at, report.tie LIMIT \(Replica.reportedLimit)
            """,
            [target]
        )
        return ShownReported(
            record: try names.reference(target),
            kind: try posted(target)?.kind.name ?? "",
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

    func dueHiding(of target: Int64) throws -> DueHiding {
        DueHiding(
            record: try names.reference(target),
            posted: Timestamp(milliseconds: try posted(target)?.made ?? 0)
        )
    }

    /// Which kind of record one is that may be reported, and when it was posted.
    private func posted(_ target: Int64) throws -> (kind: Kind, made: Int64)? {
        for kind in Kind.report.parents {
            let found = try rows("SELECT made FROM \(kind.name) WHERE id = ?", [target])
            if let row = found.first { return (kind, row["made"]) }
        }
        return nil
    }
}
