// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// What a moderator said about whether a record is shown.
package struct ShownHiding: Hashable, Sendable {
    /// The record, which may be what another one hangs on that is hidden with it.
    package var record: Reference
    /// What kind of record it is.
    package var kind: String
    /// Why it is hidden, empty if nobody said; nil: it is shown again.
    package var reason: String?
    /// Who hid it, or showed it again.
    package var maker: ShownPerson
    /// When, in milliseconds since 1970.
    package var at: Int64
    /// Whether it is by this that the record is hidden now.
    package var isCurrent: Bool

    /// Whether a moderator's node said so by itself, as it was reported.
    package var isByReports: Bool { reason == ReportRule.hidingReason }
}

extension Replica {
    /// What the log of hiding shows at a time.
    package static let hidingLimit = 500

    /// Who hid and unhid what, what came here last first, whatever time it claims: of everything for moderators, of one's own for others.
    ///
    /// What was deleted since is not in it.
    package func hidings() throws -> [ShownHiding] { try hidings(where: "true") }

    /// What is hidden now, what came here last first: all of it for moderators, one's own for others.
    package func hiddenRecords() throws -> [ShownHiding] { try hidings(where: "hides = 1") }

    /// By whom and why a record itself is hidden now; nil if it is not.
    package func hiding(of reference: Reference) throws -> ShownHiding? {
        try view { viewer in try viewer.hiding(ofRecord: viewer.row(of: reference)) }
    }

    private func hidings(where condition: String) throws -> [ShownHiding] {
        try view { viewer in
            let isSeen = viewer.moderates ? "true" : "device.person = :me"
            let sql = """
                SELECT hiding.* FROM hiding JOIN journal ON journal.id = hiding.record
                    JOIN branch ON branch.id = journal.branch JOIN device ON device.id = branch.device
                WHERE \(condition) AND \(isSeen) ORDER BY delta DESC LIMIT \(Self.hidingLimit)
                """
            return try viewer.rows(sql, []).map { try viewer.hiding($0) }
        }
    }
}

extension Viewer {
    /// Why others do not see a record of which a view `standing_KIND` gave the row: the nearest hiding above it.
    func hiding(of row: Row) throws -> ShownHiding? {
        guard row["concealed"] else { return nil }
        let (id, target): (Int64, Int64) = (row["id"], row["target"])
        let found = try rows(
            """
            WITH above(record) AS (VALUES (?2) UNION SELECT target FROM photo WHERE id = ?2),
            near(record) AS (
                VALUES (?1) UNION SELECT record FROM above
                UNION SELECT moment FROM lineage WHERE ancestor IN (SELECT record FROM above)
            )
            SELECT * FROM hiding WHERE hides = 1 AND record IN (
                SELECT record FROM near UNION SELECT ancestor FROM lineage WHERE moment IN (SELECT record FROM near)
            )
            ORDER BY record = ?1 DESC, record = ?2 DESC LIMIT 1
            """,
            [id, target]
        )
        return try found.first.map { try hiding($0) }
    }

    /// By whom and why a record itself is hidden; nil if it is not.
    func hiding(ofRecord row: Int64) throws -> ShownHiding? {
        try rows("SELECT * FROM hiding WHERE hides = 1 AND record = ?", [row]).first.map { try hiding($0) }
    }

    fileprivate func hiding(_ row: Row) throws -> ShownHiding {
        let kind: Int64 = row["kind"]
        return ShownHiding(
            record: try names.reference(row["record"]),
            kind: Kind.numbered(UInt32(truncatingIfNeeded: kind))?.name ?? "record",
            reason: row["reason"],
            maker: try person(row["maker"]),
            at: row["made"],
            isCurrent: row["hides"]
        )
    }
}
