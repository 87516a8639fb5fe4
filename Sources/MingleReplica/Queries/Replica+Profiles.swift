// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// What numbers of a profile go up to: more is not counted.
    package static let profileLimit = 1000

    /// A person's profile.
    ///
    /// - Parameters:
    ///   - hasMoments: Whether moments are told of.
    ///   - hasPlaces: Whether places are told of.
    /// - Throws: `ReplicaError.notFound` if nobody is known by this id.
    package func profile(of id: PersonID, hasMoments: Bool = true, hasPlaces: Bool = true) throws -> ShownProfile {
        try view { viewer in
            let row = try viewer.row(of: id)
            var profile = ShownProfile(person: try viewer.person(row))
            profile.photos = try viewer.count(
                "SELECT 1 FROM \(viewer.seen(.photo)) AS photo WHERE author = ? AND \(Viewer.isHeard("photo.author"))",
                [row]
            )
            profile.pictures = try viewer.count(
                "SELECT 1 FROM \(viewer.seen(.profilePicture)) AS picture WHERE author = ?",
                [row]
            )
            if hasMoments {
                for part in MomentPart.allCases {
                    profile.moments[part] = try viewer.count(viewer.moments(part), viewer.arguments(part, row, id))
                }
                profile.lastSeen = try viewer.lastSeen(row)
            }
            if hasPlaces { (profile.visited, profile.rated) = try viewer.placesKnown(by: row) }
            if row != viewer.me {
                profile.commonConnections = try viewer.count(Viewer.commonConnections, [row, viewer.me])
            }
            return profile
        }
    }

    /// Moments of a person by the person's part in them, those that start last first.
    ///
    /// - Throws: `ReplicaError.notFound` if nobody is known by this id.
    package func moments(
        of id: PersonID,
        _ part: MomentPart,
        before: Cursor?,
        limit: Int
    ) throws -> Page<ShownMoment> {
        try view { viewer in
            let row = try viewer.row(of: id)
            let (limit, start) = (min(max(limit, 1), 500), before ?? .end)
            let arguments =
                viewer.arguments(part, row, id)
                + ["at": start.at, "tie": start.tie, "limit": limit + 1]
            let rows = try viewer.rows(
                """
                \(viewer.moments(part)) AND (start, tie) < (:at, :tie)
                ORDER BY start DESC, tie DESC LIMIT :limit
                """,
                arguments
            )
            return try Page(of: rows, limit: limit, by: "start") { try viewer.moment($0["id"] as Int64) }
        }
    }

    /// The people whom everybody sees connected with this person and with another one, the latest first.
    ///
    /// - Throws: `ReplicaError.notFound` if nobody is known by this id.
    package func commonConnections(with id: PersonID, before: Cursor?, limit: Int) throws -> Page<ShownPerson> {
        try view { viewer in
            let row = try viewer.row(of: id)
            let (limit, start) = (min(max(limit, 1), 500), before ?? .end)
            let rows = try viewer.rows(
                """
                \(Viewer.commonConnections) AND (mine.shown_at, mine.tie) < (?3, ?4)
                ORDER BY mine.shown_at DESC, mine.tie DESC LIMIT ?5
                """,
                [row, viewer.me, start.at, start.tie, limit + 1]
            )
            return try Page(of: rows, limit: limit, by: "shown_at") { try viewer.person($0["person"]) }
        }
    }

    /// The pictures that a person has had in the profile, the latest first.
    ///
    /// - Throws: `ReplicaError.notFound` if nobody is known by this id.
    package func profilePictures(of id: PersonID, before: Cursor?, limit: Int) throws -> Page<ShownProfilePicture> {
        try view { viewer in
            let row = try viewer.row(of: id)
            let (limit, start) = (min(max(limit, 1), 500), before ?? .end)
            let current = try viewer.rows(
                "SELECT picture FROM visible_profile WHERE author = ? AND target = \(TargetColumn.nothing)",
                [row]
            )
            let worn = viewer.reference(current.first?["picture"])
            let rows = try viewer.rows(
                """
                SELECT * FROM \(viewer.seen(.profilePicture)) AS picture
                WHERE author = ? AND (shown_at, tie) < (?, ?) ORDER BY shown_at DESC, tie DESC LIMIT ?
                """,
                [row, start.at, start.tie, limit + 1]
            )
            return try Page(of: rows, limit: limit, by: "shown_at") { try viewer.profilePicture($0, worn: worn) }
        }
    }

    /// One of the pictures that a person has had in the profile.
    ///
    /// - Throws: `ReplicaError.notFound` if there is none.
    package func profilePicture(_ reference: Reference, of id: PersonID) throws -> ShownProfilePicture {
        try view { viewer in
            let rows = try viewer.rows(
                "SELECT * FROM \(viewer.seen(.profilePicture)) AS picture WHERE id = ? AND author = ?",
                [viewer.row(of: reference), viewer.row(of: id)]
            )
            guard let row = rows.first, let picture = try viewer.profilePicture(row, worn: nil) else {
                throw ReplicaError.notFound(reference.description)
            }
            return picture
        }
    }
}

extension Viewer {
    /// The row of a person.
    ///
    /// - Throws: `ReplicaError.notFound` if nobody is known by this id.
    func row(of person: PersonID) throws -> Int64 {
        let found = try db.number("SELECT id FROM person WHERE name = ?") { $0.add(person.raw) }
        guard let found else { throw ReplicaError.notFound(person.description) }
        return found
    }

    /// How many rows a query has, up to ``Replica/profileLimit``.
    func count(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        let rows = try rows("SELECT count(*) AS count FROM (\(sql) LIMIT \(Replica.profileLimit))", arguments)
        return rows.first?["count"] ?? 0
    }

    /// What a query of ``moments(_:)`` takes.
    func arguments(_ part: MomentPart, _ person: Int64, _ id: PersonID) -> StatementArguments {
        switch part {
        case .made, .joined, .checkedIn, .crossed: ["person": person]
        case .common: ["person": person, "name": id.column, "own": own.column]
        }
    }

    /// Selects moments that the viewer sees, by a person's part in them; further conditions can follow.
    func moments(_ part: MomentPart) -> String {
        let condition =
            switch part {
            case .made: "author = :person"
            case .joined: "id IN (\(Self.taken(by: ":person", state: 2)))"
            case .checkedIn: "id IN (\(Self.taken(by: ":person", state: 3)))"
            case .crossed:
                """
                :person <> :me AND id IN (
                    SELECT id FROM (\(Self.taken(by: ":person", state: 3))) INTERSECT SELECT id FROM (\(Self.taken(by: ":me", state: 3)))
                )
                """
            case .common:
                """
                :person <> :me AND id IN (
                    SELECT id FROM (\(Self.concerning(":person", ":name"))) INTERSECT SELECT id FROM (\(Self.concerning(":me", ":own")))
                )
                """
            }
        return """
            SELECT id, start, tie FROM \(seen(.moment)) AS moment
            WHERE \(condition) AND \(Self.isHeard("moment.author"))
            """
    }

    /// Selects moments that somebody made, joined or is invited to, whoever sees them.
    ///
    /// - Parameters:
    ///   - row: The argument that is the person's row.
    ///   - name: The argument that is the person's name.
    private static func concerning(_ row: String, _ name: String) -> String {
        """
        SELECT moment.id FROM moment WHERE moment.author = \(row) UNION \(taken(by: row, state: 2))
        UNION SELECT invite.target AS id FROM visible_invite AS invite JOIN moment ON moment.id = invite.target
            WHERE invite.person = \(name) AND invite.ends IS NULL AND invite.audience = moment.audience
        """
    }

    /// Selects moments in which somebody takes part, by themselves or by one that they continue.
    private static func taken(by row: String, state: Int) -> String {
        """
        SELECT moment.id FROM participation AS part JOIN moment ON moment.id = part.target
            WHERE part.author = \(row) AND part.state >= \(state) AND \(Schema.within("part", "moment"))
        UNION SELECT moment.id FROM participation AS part JOIN lineage AS old ON old.ancestor = part.target
            JOIN moment ON moment.id = old.moment
            WHERE part.author = \(row) AND part.state >= \(state) AND \(Schema.within("part", "old"))
        """
    }

    /// Selects people who are connected with the first and the second argument, as all three let everybody see.
    fileprivate static let commonConnections = """
        SELECT mine.target AS person, mine.shown_at, mine.tie FROM visible_friendship AS mine
            JOIN person ON person.id = mine.target
        WHERE mine.author = ?2 AND person.level IS NOT NULL AND EXISTS (
            SELECT 1 FROM visible_friendship AS theirs WHERE theirs.author = ?1 AND theirs.target = mine.target
        )
        """

    /// The latest of a person's check-ins that the viewer sees.
    fileprivate func lastSeen(_ person: Int64) throws -> ShownLastSeen? {
        let sql = """
            SELECT * FROM \(seen(.checkIn)) AS post WHERE author = ? AND \(Self.isHeard("post.author"))
            ORDER BY shown_at DESC, tie DESC LIMIT 1
            """
        guard let row = try rows(sql, [person]).first else { return nil }
        let kind = Kind.numbered(row["target_kind"])
        let place: Row? =
            kind == .place
            ? try rows("SELECT name FROM \(seen(.place)) AS place WHERE id = ?", [row["target"] as Int64]).first : nil
        return ShownLastSeen(
            moment: kind == .place ? nil : try moment(under: row["target"], of: row["target_kind"]),
            placeName: row["place_name"] ?? place?["name"],
            at: row["made"]
        )
    }

    fileprivate func profilePicture(_ row: Row, worn: Reference?) throws -> ShownProfilePicture? {
        guard let thumbnail = Media(column: row["thumbnail"]) else { return nil }
        let id = try names.reference(row["id"])
        return ShownProfilePicture(
            id: id,
            posted: row["made"],
            isCurrent: id == worn,
            thumbnail: thumbnail,
            preview: Media(column: row["preview"])
        )
    }
}
