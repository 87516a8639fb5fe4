// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// Photos that the viewer sees, newest first.
    ///
    /// - Parameters:
    ///   - moment: only those that hang on this moment; nil for all.
    ///   - before: the cursor of the page before.
    ///   - limit: how many at most, up to 500.
    /// - Returns: one page.
    package func photos(
        of moment: Reference? = nil,
        before: Cursor? = nil,
        limit: Int
    ) throws -> Page<ShownPhoto> {
        try view { viewer in
            let target = try moment.map { try viewer.row(of: $0) }
            let page = try Timeline(viewer: viewer)
                .page(of: [.photo], target: target, before: before, limit: min(max(limit, 1), 500))
            return try page.map { try viewer.photo($0.row) }
        }
    }

    /// Photos by name, in one read.
    package func photos(_ references: [Reference]) throws -> [ShownPhoto] {
        try view { viewer in try references.map { try viewer.photo(viewer.row(of: $0)) } }
    }

    /// How many photos that fit a query there are in each step of time that has some, the first in the query's order
    /// first.
    ///
    /// - Parameters:
    ///   - step: milliseconds.
    ///   - limit: how many steps at most.
    package func photoTimes(_ query: RecordQuery, by step: Int64, limit: Int) throws -> [TimeCount] {
        try view { viewer in
            try RecordList(kind: .photo, query: query, viewer: viewer).times(by: step, limit: limit)
        }
    }

    /// One visible photo.
    package func photo(_ reference: Reference) throws -> ShownPhoto {
        try view { viewer in try viewer.photo(viewer.row(of: reference)) }
    }

    /// This person's own photos in one place whose originals have so many bytes, as the person sees them, hidden or not.
    ///
    /// What was shared when fewer people saw that place is none of them.
    ///
    /// - Parameters:
    ///   - moment: what they show under; nil for the event itself.
    ///   - size: bytes of the original.
    ///   - limit: how many at most, the earliest first.
    package func ownPhotos(of moment: Reference?, size: UInt64, limit: Int) throws -> [ShownPhoto] {
        try view { viewer in
            let target = try moment.map { try viewer.row(of: $0) } ?? TargetColumn.nothing
            var column: [UInt8] = []
            size.appendBigEndian(to: &column)
            // What is a person's own is found by an index; whether it is shown is asked of the few that are left.
            let sql = """
                SELECT id FROM \(viewer.seen(.photo)) AS photo WHERE id IN (
                    SELECT id FROM photo WHERE author = :me AND \(Media.sizeColumn("original")) = :size
                        AND (target = :target OR target IN (SELECT ancestor FROM lineage WHERE moment = :target))
                        AND audience IN (0, (SELECT audience FROM moment WHERE id = :target))
                ) ORDER BY id LIMIT :limit
                """
            return try viewer.rows(sql, ["size": Data(column), "target": target, "limit": limit])
                .map { try viewer.photo($0["id"]) }
        }
    }

    /// Photos of this person's in the same place whose originals have the same size, each with one that is up to ten
    /// minutes earlier.
    ///
    /// Left out is what somebody hid or reported, and what a moment shows as its cover. Of equal times the tie of lists
    /// decides, so all of the person's devices name the same one as the earlier.
    package func possibleDoubles(limit: Int) throws -> [(first: ShownPhoto, second: ShownPhoto)] {
        try view { viewer in
            let sql = """
                WITH own AS MATERIALIZED (
                    SELECT id, made, tie, target, audience, held, \(Media.sizeColumn("original")) AS size
                    FROM photo WHERE author = :me
                        AND NOT EXISTS (SELECT 1 FROM hiding WHERE hiding.record = photo.id)
                        AND NOT EXISTS (SELECT 1 FROM report WHERE report.target = photo.id)
                ),
                several AS MATERIALIZED (
                    SELECT target, audience, size FROM own GROUP BY target, audience, size HAVING count(*) > 1
                )
                SELECT one.id AS first, other.id AS second FROM several
                JOIN own AS one USING (target, audience, size) JOIN own AS other USING (target, audience, size)
                WHERE (other.made, other.tie) > (one.made, one.tie) AND other.made - one.made <= 600000
                    AND one.held IS other.held
                    AND one.id IN (SELECT id FROM \(viewer.seen(.photo)))
                    AND other.id IN (SELECT id FROM \(viewer.seen(.photo)))
                ORDER BY one.made, one.tie, other.made, other.tie LIMIT ?
                """
            return try viewer.rows(sql, [limit])
                .map { (first: try viewer.photo($0["first"]), second: try viewer.photo($0["second"])) }
                .filter { _, second in
                    try viewer.rows("SELECT 1 FROM moment WHERE cover = ? LIMIT 1", [Data(second.id.bytes)]).isEmpty
                }
        }
    }

    /// Comments on a photo or moment: the newest page, oldest first.
    package func comments(
        on target: Reference,
        before: Cursor?,
        limit: Int
    ) throws -> Page<ShownComment> {
        try view { viewer in
            let page = try Timeline(viewer: viewer)
                .page(of: [.comment], target: viewer.row(of: target), before: before, limit: min(max(limit, 1), 500))
            let comments = try page.map { try viewer.comment($0.row) }
            return Page(items: comments.items.reversed(), next: comments.next)
        }
    }

    /// One visible comment.
    package func comment(_ reference: Reference) throws -> ShownComment {
        try view { viewer in try viewer.comment(viewer.row(of: reference)) }
    }

    /// How many people fave a record that the viewer may see, hidden or not, and whether the viewer does.
    package func faves(of target: Reference) throws -> (count: Int64, mine: Bool) {
        try view { viewer in
            let row = try viewer.row(of: target)
            let kind = try viewer.kind(of: row, among: Kind.fave.parents)
            let family = kind == .moment ? Viewer.family : Viewer.single
            let found = try viewer.rows("\(family) SELECT \(Viewer.faves)", [row, viewer.me])
            return (found.first?["faves"] ?? 0, found.first?["faved"] ?? false)
        }
    }

    /// What of a photo, a moment and the earlier ones that it continues the viewer faves: what a change of mind is about.
    ///
    /// Each fave stays for whom it was made for, be it for more people than see the target now.
    package func faved(_ target: Reference) throws -> [(target: Reference, audience: Audience)] {
        try view { viewer in
            let row = try viewer.row(of: target)
            let sql = """
                SELECT DISTINCT target, fave.audience, terms
                FROM fave LEFT JOIN audience ON audience.id = fave.audience
                WHERE author = ?2 AND "on" = 1 AND (target = ?1 OR target IN (SELECT ancestor FROM lineage WHERE moment = ?1))
                """
            return try viewer.rows(sql, [row, viewer.me]).compactMap { row in
                let terms: Data? = row["terms"]
                guard let audience = terms.map({ Audience(bytes: [UInt8]($0)) }) ?? .event else { return nil }
                return (try viewer.names.reference(row["target"]), audience)
            }
        }
    }
}

extension Viewer {
    /// The photo that the first argument names, as a family of its own: see ``family``.
    static let single = "WITH family(id, audience) AS (SELECT id, audience FROM photo WHERE id = ?1)"

    /// How many people are for what the family names and against it, and what the viewer says.
    private static let votes = """
        \(Schema.number(of: .vote, where: "tally.part = 1")) AS ups,
        \(Schema.number(of: .vote, where: "tally.part = 0")) AS downs,
        (SELECT up FROM family JOIN vote ON vote.target = family.id
            WHERE \(Schema.within("vote", "family")) AND vote.author = ?2 AND up IS NOT NULL LIMIT 1) AS vote
        """

    func photo(_ id: Int64) throws -> ShownPhoto {
        let found = try rows(
            """
            \(Self.single) SELECT photo.*, \(Self.faves),
                EXISTS (SELECT 1 FROM bookmark
                    WHERE target = photo.id AND author = ?2 AND "on" = 1) AS bookmarked,
                \(Self.comments), \(Self.votes)
            FROM \(seen(.photo)) AS photo WHERE id = ?1
            """,
            [id, me]
        )
        guard let row = found.first, let original = Media(column: row["original"]),
            let preview = Media(column: row["preview"]), let thumbnail = Media(column: row["thumbnail"])
        else { throw ReplicaError.notFound(try names.reference(id).description) }
        let moment = try moment(under: row["target"], of: row["target_kind"])
        return ShownPhoto(
            id: try names.reference(id),
            moment: moment,
            place: Kind.numbered(row["target_kind"]) == .place ? try names.reference(row["target"]) : nil,
            author: try person(row["author"]),
            title: row["title"] ?? "",
            name: row["name"] ?? "",
            taken: row["taken"],
            posted: row["made"],
            width: row["width"],
            height: row["height"],
            duration: row["duration"],
            theme: reference(row["theme"]),
            price: row["price"],
            latitude: row["latitude"],
            longitude: row["longitude"],
            original: original,
            preview: preview,
            thumbnail: thumbnail,
            faves: row["faves"],
            faved: row["faved"],
            bookmarked: row["bookmarked"],
            comments: row["comments"],
            votes: ShownVotes(up: row["ups"], down: row["downs"], mine: (row["vote"] as Int64?).map { $0 == 1 }),
            isPrivate: (row["audience"] as Int64) != 0,
            isHeldBack: (row["held"] as Int64?) == 1,
            outside: try moment.map { try bounds(of: $0) }??
                .outside(taken: row["taken"], latitude: row["latitude"], longitude: row["longitude"]) ?? [],
            hiding: try hiding(of: row)
        )
    }

    /// When and where a moment is; nil where none is stored.
    private func bounds(of moment: Reference) throws -> MomentBounds? {
        guard let id = try names.row(of: moment) else { return nil }
        let sql = "SELECT start, \"end\", latitude, longitude, radius FROM moment WHERE id = ? AND \"end\" > start"
        return try rows(sql, [id]).first.map { row in
            MomentBounds(
                start: row["start"],
                end: row["end"],
                latitude: row["latitude"],
                longitude: row["longitude"],
                radius: row["radius"]
            )
        }
    }

    /// The moment under which something shows that hangs on one: that one, or one that continues it.
    ///
    /// - Parameter kind: the kind of what it hangs on, if that is known.
    func moment(under target: Int64, of kind: UInt32 = Kind.moment.number) throws -> Reference? {
        guard target > 0 else { return nil }
        let continuing = try rows(
            """
            SELECT moment.id FROM lineage JOIN \(seen(.moment)) AS moment ON moment.id = lineage.moment
            WHERE ancestor = ? ORDER BY shown_at DESC, tie DESC LIMIT 1
            """,
            [target]
        )
        if let shown: Int64 = continuing.first?["id"] { return try names.reference(shown) }
        return kind == Kind.moment.number ? try names.reference(target) : nil
    }

    func comment(_ id: Int64) throws -> ShownComment {
        guard let row = try rows("SELECT * FROM \(seen(.comment)) AS comment WHERE id = ?", [id]).first else {
            throw ReplicaError.notFound(try names.reference(id).description)
        }
        return ShownComment(
            id: try names.reference(id),
            target: try moment(under: row["target"], of: row["target_kind"]) ?? names.reference(row["target"]),
            // Of a moment that was deleted before it could be read nobody knows the kind.
            targetKind: Kind.numbered(row["target_kind"]) ?? .moment,
            author: try person(row["author"]),
            text: row["text"] ?? "",
            hasPicture: (row["preview"] as Data?) != nil && (row["thumbnail"] as Data?) != nil,
            posted: row["made"],
            hiding: try hiding(of: row)
        )
    }
}
