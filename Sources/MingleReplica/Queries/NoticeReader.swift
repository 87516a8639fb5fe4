// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// What concerns the viewer, of one kind and at one thing: "Bob and three others fave your photo".
package struct Notice: Hashable, Sendable {
    /// What was done.
    package let kind: NoticeKind
    /// The kind of the thing to which it was done; nil for a person.
    package let thing: Kind?
    /// The thing, or the person, as a row of this replica.
    package let row: Int64
    /// How many people did it.
    package let count: Int
    /// When the latest of it is shown, in milliseconds since 1970.
    package let at: Int64
    /// What decides between equal times.
    let tie: Int64
    /// Who did it, where that is one person.
    fileprivate let person: Int64?

    /// Its place in lists.
    package var place: Cursor { Cursor(at: at, tie: tie) }
}

/// How far the viewer has read what concerns the viewer at one thing, or in the event.
package struct Reading: Hashable, Sendable {
    /// What is shown up to this time is read, in milliseconds since 1970.
    package var until = Int64.min
    /// Whether the viewer wants to be told nothing of it.
    package var isMuted = false
}

/// Reads what concerns the viewer, all of it in one view of the replica.
///
/// Nothing of it is stored: each list follows from the records that the viewer sees.
package struct NoticeReader {
    /// Notices that there are at a time; earlier ones are not listed.
    package static let limit = 10_000

    let viewer: Viewer
    /// Milliseconds since 1970.
    let now: Int64

    // MARK: - Notices

    /// All notices, the latest first.
    package func notices() throws -> [Notice] {
        var notices = try NoticeSource.byThings.flatMap(groups)
        notices += try invitations() + connections() + hidings() + reports() + deals() + answers() + duties()
        notices.sort { ($0.place, $0.kind.rawValue, $0.row) > ($1.place, $1.kind.rawValue, $1.row) }
        return Array(notices.prefix(Self.limit))
    }

    /// The latest people of a notice.
    package func people(of notice: Notice, limit: Int) throws -> [ShownPerson] {
        if let person = notice.person { return [try viewer.person(person)] }
        if notice.kind == .claim { return try claimants(of: notice.row, limit: limit) }
        guard let source = source(of: notice) else { return [] }
        let rows = try viewer.db.all(source.people) {
            $0.add(viewer.me)
            $0.add(notice.row)
            $0.add(Int64(limit))
        } read: {
            $0.integer(0)
        }
        return try rows.map(viewer.person)
    }

    /// What was said last, of a notice of comments.
    package func comment(of notice: Notice) throws -> ShownComment? {
        guard [.comment, .reply].contains(notice.kind), let source = source(of: notice) else { return nil }
        let row = try viewer.db.number(source.newest) {
            $0.add(viewer.me)
            $0.add(notice.row)
        }
        return try row.map(viewer.comment)
    }

    /// What a notice is about; nil where the viewer does not see it, or it is a person.
    package func thing(of notice: Notice) throws -> ShownThing? {
        try notice.thing.flatMap { try viewer.named(notice.row, of: $0) }
    }

    /// A person by row.
    package func person(_ row: Int64) throws -> ShownPerson { try viewer.person(row) }

    /// What something is called; nil where the viewer does not see it.
    package func thing(_ row: Int64) throws -> ShownThing? {
        for kind in Kind.reading.parents { if let thing = try viewer.named(row, of: kind) { return thing } }
        return nil
    }

    /// A row as a name that is the same on all nodes.
    package func reference(of row: Int64) throws -> Reference { try viewer.names.reference(row) }

    private func source(of notice: Notice) -> NoticeSource? {
        NoticeSource.all.first { $0.notice == notice.kind && $0.thing == notice.thing }
    }

    // MARK: - What was read

    /// How far the viewer has read, by the row of the thing; 0 stands for the event.
    package func readings() throws -> [Int64: Reading] {
        let sql = "SELECT target, until, muted FROM reading WHERE author = ?1 AND target >= 0"
        var readings: [Int64: Reading] = [:]
        for row in try viewer.rows(sql, [viewer.me]) {
            readings[row["target"]] = Reading(
                until: row["until"] ?? .min,
                isMuted: (row["muted"] as Int64?) == 1
            )
        }
        return readings
    }

    // MARK: - Groups

    private func groups(of sources: [NoticeSource]) throws -> [Notice] {
        try viewer.db.all(NoticeSource.groups(of: sources)) {
            $0.add(viewer.me)
        } read: {
            let source = sources[Int($0.integer(0))]
            return Notice(
                kind: source.notice,
                thing: source.thing,
                row: $0.integer(1),
                count: Int($0.integer(2)),
                at: $0.integer(3),
                tie: $0.integer(4),
                person: nil
            )
        }
    }

    private func invitations() throws -> [Notice] {
        let sql = """
            SELECT moment.id AS row, invite.author AS person, max(invite.shown_at) AS at, invite.tie
            FROM invite CROSS JOIN visible_moment AS moment ON moment.id = invite.target AND moment.author = invite.author
            WHERE invite.person = ?2 AND invite.ends IS NULL AND moment.author <> ?1
                AND \(Schema.within("invite", "moment")) AND \(Viewer.isHeard("moment.author")) GROUP BY moment.id
            """
        return try singles(.invitation, .moment, sql, [viewer.me, viewer.own.column])
    }

    private func connections() throws -> [Notice] {
        let sql = """
            SELECT theirs.author AS row, theirs.author AS person, theirs.shown_at AS at, theirs.tie,
                ifnull(mine."on", 0) AS is_mine
            FROM connection AS theirs LEFT JOIN connection AS mine
                ON mine.author = theirs.target AND mine.target = theirs.author
            WHERE theirs.target = ?1 AND theirs."on" = 1 AND \(Viewer.isHeard("theirs.author"))
                AND CASE WHEN mine."on" = 1 THEN theirs.shown_at >= mine.shown_at ELSE ifnull(mine.declined, 0) = 0 END
            """
        return try viewer.rows(sql, [viewer.me]).compactMap { row -> Notice? in
            // Nobody asks who does not take part, or not any more.
            guard try viewer.person(row["person"]).level?.isPeople == true else { return nil }
            return single((row["is_mine"] as Int64) == 1 ? .connected : .request, nil, row)
        }
    }

    private func hidings() throws -> [Notice] {
        try Kind.report.parents.filter { $0.identity == .delta }.flatMap { kind -> [Notice] in
            let sql = """
                SELECT mine.id AS row, hiding.maker AS person, max(hiding.made) AS at, mine.tie,
                    EXISTS (SELECT 1 FROM hiding WHERE hiding.record = mine.id AND hides = 1) AS is_hidden
                FROM \(kind.name) AS mine CROSS JOIN hiding ON hiding.record = mine.id
                WHERE mine.author = ?1 AND hiding.maker <> ?1 GROUP BY mine.id
                """
            return try viewer.rows(sql, [viewer.me]).compactMap { row -> Notice? in
                guard try viewer.sees(row["row"], of: kind) else { return nil }
                return single((row["is_hidden"] as Int64) == 1 ? .hidden : .shown, kind, row)
            }
        }
    }

    private func reports() throws -> [Notice] {
        try viewer.openReports().compactMap { report -> Notice? in
            guard try viewer.sees(report.record, of: report.kind) else { return nil }
            return Notice(
                kind: .report,
                thing: report.kind,
                row: report.record,
                count: report.people,
                at: report.latest.at,
                tie: report.latest.tie,
                person: nil
            )
        }
    }

    private func deals() throws -> [Notice] {
        let sql = """
            SELECT deal.id AS row, deal.author AS person, max(deal.shown_at, deal.start) AS at, deal.tie
            FROM favourite CROSS JOIN visible_deal AS deal ON deal.target = favourite.target
            WHERE favourite.author = ?1 AND favourite."on" = 1 AND deal.author <> ?1 AND deal.start <= ?2
                AND \(Viewer.isHeard("deal.author"))
            """
        return try singles(.deal, .deal, sql, [viewer.me, now])
    }

    /// What hosts say of the places that the viewer owns or says to own.
    private func answers() throws -> [Notice] {
        let sql = """
            SELECT owned.target AS row, owned.author AS person, max(owned.shown_at) AS at, owned.tie, owned."on" AS is_on
            FROM complete_ownership AS owned CROSS JOIN visible_place AS place ON place.id = owned.target
            WHERE owned.person = ?2 AND owned.author <> ?1 AND NOT owned.concealed
                AND \(Viewer.isHeard("owned.author")) AND (
                owned."on" = 1 OR EXISTS (
                    SELECT 1 FROM claim WHERE claim.target = owned.target AND claim.author = ?1 AND claim."on" = 1
                        AND claim.made <= owned.made
                )
            ) GROUP BY owned.target
            """
        return try viewer.rows(sql, [viewer.me, viewer.own.column]).map { row in
            single((row["is_on"] as Int64) == 1 ? .owner : .declined, .place, row)
        }
    }

    /// What waits for a word of those who moderate, or of hosts.
    private func duties() throws -> [Notice] {
        guard viewer.moderates else { return [] }
        let feedback = """
            SELECT said.id AS row, said.author AS person, said.shown_at AS at, said.tie FROM visible_feedback AS said
            WHERE said.author <> ?1 AND \(Viewer.isHeard("said.author"))
            """
        let approvals = """
            SELECT place.id AS row, place.author AS person, place.shown_at AS at, place.tie FROM visible_place AS place
            JOIN person ON person.id = place.author AND person.level > \(Hiding.writers.rawValue)
            WHERE place.author <> ?1 AND ifnull(place.approved, 0) = 0 AND \(Viewer.isHeard("place.author"))
            """
        return try singles(.feedback, .feedback, feedback, [viewer.me])
            + singles(.approval, .place, approvals, [viewer.me]) + claims()
    }

    private func claims() throws -> [Notice] {
        guard try viewer.isHost() else { return [] }
        return try viewer.db.all(
            """
            SELECT claim.target, count(*), max(claim.shown_at), claim.tie FROM visible_claim AS claim
            WHERE claim.author <> ?1 AND \(Viewer.isOpen(claim: "claim")) AND \(Viewer.isHeard("claim.author"))
            GROUP BY claim.target
            """
        ) {
            $0.add(viewer.me)
        } read: {
            Notice(
                kind: .claim,
                thing: .place,
                row: $0.integer(0),
                count: Int($0.integer(1)),
                at: $0.integer(2),
                tie: $0.integer(3),
                person: nil
            )
        }
    }

    private func claimants(of place: Int64, limit: Int) throws -> [ShownPerson] {
        let rows = try viewer.db.all(
            """
            SELECT claim.author FROM visible_claim AS claim
            WHERE claim.target = ?2 AND claim.author <> ?1 AND \(Viewer.isOpen(claim: "claim"))
                AND \(Viewer.isHeard("claim.author")) ORDER BY claim.shown_at DESC LIMIT ?3
            """
        ) {
            $0.add(viewer.me)
            $0.add(place)
            $0.add(Int64(limit))
        } read: {
            $0.integer(0)
        }
        return try rows.map(viewer.person)
    }

    private func singles(
        _ notice: NoticeKind,
        _ thing: Kind,
        _ sql: String,
        _ arguments: StatementArguments
    ) throws -> [Notice] {
        try viewer.rows(sql, arguments).map { single(notice, thing, $0) }
    }

    private func single(_ notice: NoticeKind, _ thing: Kind?, _ row: Row) -> Notice {
        Notice(
            kind: notice,
            thing: thing,
            row: row["row"],
            count: 1,
            at: row["at"],
            tie: row["tie"],
            person: row["person"]
        )
    }
}

extension Replica {
    /// Runs `body` with what concerns this person, in one view of the replica.
    ///
    /// - Parameter now: Milliseconds since 1970: what begins later is not told yet.
    package func notices<Result>(at now: Int64, _ body: (NoticeReader) throws -> Result) throws -> Result {
        try view { viewer in try body(NoticeReader(viewer: viewer, now: now)) }
    }
}
