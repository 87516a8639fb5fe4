// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Reads what happened, all of it in one view of the replica.
///
/// Whoever uses one reads nothing else of the replica meanwhile.
package struct NewsReader {
    /// People who are counted at one record; more do not rank it higher.
    package static let engagedLimit = 63

    let viewer: Viewer
    /// Whether a moment of the event continues another: few do, and then nobody need look.
    private let hasLineage: Bool

    init(_ viewer: Viewer) throws {
        self.viewer = viewer
        hasLineage = try viewer.db.holds("SELECT EXISTS (SELECT 1 FROM lineage)")
    }

    // MARK: - What happened

    /// Photos, comments, moments, check-ins and ratings of places that the viewer sees, newest first.
    package func happenings(before: Cursor? = nil, limit: Int) throws -> Page<Happening> {
        try Timeline(viewer: viewer)
            .page(of: [.photo, .comment, .moment, .checkIn, .rating], target: nil, before: before, limit: limit)
            .map(happening)
    }

    /// What happens at places within a circle, newest first: photos, comments, check-ins and ratings, and what is
    /// said of deals there.
    ///
    /// - Parameter hasDeals: Whether deals are told of.
    package func happenings(
        near circle: GridCircle,
        hasDeals: Bool,
        before: Cursor? = nil,
        limit: Int
    ) throws -> Page<Happening> {
        let targets = try viewer.places(within: circle, hasDeals: hasDeals)
        return try Timeline(viewer: viewer, targets: targets)
            .page(of: [.photo, .comment, .checkIn, .rating], target: nil, before: before, limit: limit)
            .map(happening)
    }

    /// The newest records of one of these kinds.
    package func newest(_ kind: Kind, limit: Int) throws -> [Happening] {
        try Timeline(viewer: viewer).newest(kind, target: nil, before: .end, limit: limit).map(happening)
    }

    /// The photo or moment in a row; nil where the viewer sees neither.
    package func thing(_ row: Int64) throws -> Happening? {
        for kind in [Kind.photo, .moment] {
            let sql = """
                SELECT author, target, shown_at, tie FROM \(viewer.seen(kind)) AS post WHERE id = ?
                    AND \(Viewer.isHeard("post.author"))
                """
            guard let found = try viewer.rows(sql, [row]).first else { continue }
            return Happening(
                kind: kind,
                row: row,
                author: found["author"],
                target: try shown(found["target"]),
                at: found["shown_at"],
                tie: found["tie"]
            )
        }
        return nil
    }

    private func happening(_ entry: Timeline.Entry) throws -> Happening {
        Happening(
            kind: entry.kind,
            row: entry.row,
            author: entry.author,
            target: try shown(entry.target),
            at: entry.place.at,
            tie: entry.place.tie
        )
    }

    /// A moment that continues another stands for it.
    private func shown(_ target: Int64) throws -> Int64 {
        guard hasLineage, target > 0, let moment = try viewer.moment(under: target) else { return max(target, 0) }
        return try viewer.row(of: moment)
    }

    // MARK: - What ranks it

    /// Up to ``engagedLimit`` people who fave or comment on a record, or take part in it, without its author and the
    /// viewer's muted.
    package func engaged(in happening: Happening) throws -> Set<Int64> {
        let family =
            happening.kind == .moment && hasLineage
            ? "IN (SELECT ?1 UNION ALL SELECT ancestor FROM lineage WHERE moment = ?1)" : "= ?1"
        var parts = ["fave", "comment"].map { "SELECT author FROM visible_\($0) WHERE target \(family)" }
        if happening.kind == .moment {
            parts.append("SELECT author FROM visible_participation WHERE target \(family) AND state >= 2")
        }
        let sql = """
            SELECT DISTINCT author FROM (\(parts.joined(separator: " UNION ALL ")))
            WHERE author <> ?2 AND \(Viewer.isHeard("author")) LIMIT \(Self.engagedLimit)
            """
        return Set(
            try viewer.db.all(sql) {
                $0.add(happening.row)
                $0.add(happening.author)
            } read: {
                $0.integer(0)
            }
        )
    }

    /// What of the moment in a row ranks what happens there; nil where the row is no moment that the viewer sees.
    package func moment(standing row: Int64) throws -> MomentStanding? {
        let sql = """
            SELECT start, "end", author = :me OR EXISTS (
                SELECT 1 FROM participation AS part
                WHERE part.target = moment.id AND part.author = :me AND part.state >= 2
            ) AS is_mine FROM \(viewer.seen(.moment)) AS moment WHERE id = ?
            """
        return try viewer.rows(sql, [row]).first.map { row in
            MomentStanding(start: row["start"], end: row["end"], isMine: row["is_mine"])
        }
    }

    /// Those with whom the viewer is connected.
    package func connected() throws -> Set<Int64> {
        let sql = """
            SELECT mine.target FROM connection AS mine
            JOIN connection AS theirs ON theirs.target = mine.author AND theirs.author = mine.target AND theirs."on" = 1
            WHERE mine.author = ? AND mine."on" = 1
            """
        return Set(
            try viewer.db.all(sql) {
                $0.add(viewer.me)
            } read: {
                $0.integer(0)
            }
        )
    }

    /// Why others do not see a rating; nil if they do.
    package func hiding(ofRating row: Int64) throws -> ShownHiding? {
        try viewer.rows("SELECT * FROM \(viewer.seen(.rating)) AS post WHERE id = ?", [row]).first
            .flatMap { try viewer.hiding(of: $0) }
    }

    /// Whether the row is a place that the viewer sees.
    package func isPlace(_ row: Int64) throws -> Bool { try row > 0 && viewer.sees(row, of: .place) }

    // MARK: - What is shown of it

    /// What ratings say overall, on average; nil where there are none.
    package func mean(of ratings: [Int64]) throws -> Double? {
        let sql = "SELECT avg(overall) AS mean FROM rating WHERE id IN (SELECT value FROM json_each(?))"
        return try viewer.rows(sql, ["[\(ratings.map(String.init).joined(separator: ","))]"]).first?["mean"]
    }

    /// A person.
    package func person(_ row: Int64) throws -> ShownPerson { try viewer.person(row) }

    /// A photo.
    package func photo(_ row: Int64) throws -> ShownPhoto { try viewer.photo(row) }

    /// A comment.
    package func comment(_ row: Int64) throws -> ShownComment { try viewer.comment(row) }

    /// A moment.
    package func moment(_ row: Int64) throws -> ShownMoment { try viewer.moment(row) }

    /// A check-in.
    package func checkIn(_ row: Int64) throws -> ShownCheckIn {
        guard let found = try viewer.rows("SELECT * FROM \(viewer.seen(.checkIn)) AS post WHERE id = ?", [row]).first
        else { throw ReplicaError.notFound(try viewer.names.reference(row).description) }
        return ShownCheckIn(placeName: found["place_name"], hiding: try viewer.hiding(of: found))
    }

    /// What something is called; nil where the viewer does not see it.
    package func named(_ row: Int64, among kinds: [Kind] = [.photo, .moment, .place, .deal]) throws -> ShownThing? {
        guard row > 0 else { return nil }
        for kind in kinds { if let thing = try viewer.named(row, of: kind) { return thing } }
        return nil
    }
}

extension Viewer {
    /// Places of which the news near a point tell at most, the closest.
    private static let nearbyLimit = 2000

    /// The rows of the places within a circle that the viewer sees, and of the deals there.
    fileprivate func places(within circle: GridCircle, hasDeals: Bool) throws -> [Int64] {
        let places = try RecordList(kind: .place, query: RecordQuery(), viewer: self)
            .rows(within: circle, limit: Self.nearbyLimit)
        guard hasDeals, !places.isEmpty else { return places }
        let list = "[\(places.map(String.init).joined(separator: ","))]"
        let deals = try rows(
            """
            SELECT id FROM \(seen(.deal)) AS deal
            WHERE target IN (SELECT value FROM json_each(?)) AND \(Self.isHeard("deal.author"))
            """,
            [list]
        )
        return places + deals.map { $0["id"] }
    }

    /// What the record in a row of a kind is called; nil where the viewer does not see it.
    func named(_ row: Int64, of kind: Kind) throws -> ShownThing? {
        guard let found = try rows("SELECT * FROM \(seen(kind)) AS thing WHERE id = ?", [row]).first else { return nil }
        let words = ["title", "name", "place_name", "text"].filter { kind.field(named: $0) != nil }
            .lazy.compactMap { found[$0] as String? }.first { !$0.isEmpty }
        let target: Int64 = kind == .comment ? found["target"] : 0
        return ShownThing(
            id: try names.reference(row),
            kind: kind,
            title: String((words ?? "").prefix(Self.titleLimit)),
            author: try person(found["author"]),
            target: target > 0 ? try moment(under: target, of: found["target_kind"]) ?? names.reference(target) : nil,
            targetKind: kind == .comment ? Kind.numbered(found["target_kind"]) : nil
        )
    }

    /// Characters of what something is called where it is named in passing.
    private static let titleLimit = 120
}

extension Replica {
    /// Runs `body` with what happened, in one view of the replica.
    package func news<Result>(_ body: (NewsReader) throws -> Result) throws -> Result {
        try view { viewer in try body(NewsReader(viewer)) }
    }
}
