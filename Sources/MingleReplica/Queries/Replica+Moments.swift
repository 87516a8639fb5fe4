// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

extension Replica {
    /// Moments that one list shows; an event with more is told so.
    package static let momentLimit = 1000

    /// All moments that the viewer sees, latest start first.
    package func moments() throws -> [ShownMoment] {
        try view { viewer in
            let rows = try viewer.rows(
                """
                SELECT id FROM \(viewer.seen(.moment)) AS moment WHERE \(Viewer.isHeard("author"))
                ORDER BY start DESC, tie DESC LIMIT ?
                """,
                [Self.momentLimit]
            )
            return try rows.map { try viewer.moment($0["id"]) }
        }
    }

    /// One visible moment.
    package func moment(_ reference: Reference) throws -> ShownMoment {
        try view { viewer in try viewer.moment(viewer.row(of: reference)) }
    }

    /// How far this person takes part in a moment only by what hangs on one that it continues.
    package func inheritedParticipation(in reference: Reference) throws -> ParticipationState? {
        try view { viewer in
            let row = try viewer.row(of: reference)
            let own = """
                SELECT 1 FROM visible_participation AS part JOIN moment ON moment.id = part.target
                WHERE part.target = ?1 AND part.author = ?2 AND part.audience = moment.audience
                """
            guard try viewer.rows(own, [row, viewer.me]).isEmpty else { return nil }
            return try viewer.seenMoment(row).participation
        }
    }

    /// Who takes part in a moment: those who joined, those of them who checked in, and whom its creator invited.
    package func participants(of reference: Reference) throws -> ShownParticipants {
        try view { viewer in
            let row = try viewer.row(of: reference)
            // Also of one that is hidden, which only who may see it comes to.
            guard try viewer.sees(row, of: .moment) else { throw ReplicaError.notFound(reference.description) }
            let joined = try viewer.rows(
                """
                \(Viewer.family) SELECT author, max(state) AS state, min(shown_at) AS since, tie
                FROM \(Viewer.taking) AND state >= 2 GROUP BY author ORDER BY since, tie
                """,
                [row]
            )
            let people = try joined.map { (state: $0["state"] as Int64, person: try viewer.person($0["author"])) }
            let invited = try viewer.rows(
                """
                \(Viewer.family) SELECT person.id FROM family JOIN visible_invite AS invite ON invite.target = family.id
                JOIN person ON person.name = invite.person WHERE \(Viewer.isOpenInvite)
                GROUP BY person.id ORDER BY min(shown_at), min(tie)
                """,
                [row]
            )
            return ShownParticipants(
                joined: people.map(\.person),
                checkedIn: people.filter { $0.state == 3 }.map(\.person),
                invited: try invited.map { try viewer.person($0["id"]) }
            )
        }
    }
}

extension Viewer {
    /// What decides what this person may do with a moment; the arguments are those of ``momentQuery``.
    var seenMomentQuery: String {
        """
        \(Self.family) SELECT moment.*, \(Self.ownPart) FROM \(seen(.moment)) AS moment WHERE id = ?1
        """
    }

    /// This person's part in a moment.
    private static let ownPart = """
        (SELECT max(state) FROM \(taking) AND author = ?2) AS state,
        (SELECT min(invite.made) FROM \(under("invite")) AND person = ?3 AND \(isOpenInvite)) AS invited
        """

    /// What is shown of one moment; its arguments are the moment's row, this person's row, and this person's name.
    ///
    /// The first photo is looked for in each of the family by itself, so that an index gives them in order of time.
    var momentQuery: String {
        """
        \(Self.family) SELECT moment.*,
            (SELECT ifnull(sum(photo.count), 0) FROM family CROSS JOIN \(Schema.talliedPhotos) ON photo.target = family.id
                WHERE \(Schema.showsPhotos) AND \(Self.isHeard("photo.author"))) AS photos,
            (SELECT photo.id FROM family JOIN photo ON photo.id = (\(Self.firstPhoto))
                ORDER BY photo.shown_at, photo.tie LIMIT 1) AS first_photo,
            \(Self.takers("state >= 2", tally: "part >= 2")) AS joined,
            \(Self.takers("state = 3", tally: "part = 3")) AS checked_in,
            \(Self.comments),
            \(Self.faves),
            EXISTS (SELECT 1 FROM bookmark WHERE \(Self.isBookmarked("?1"))) AS bookmarked,
            \(Self.ownPart)
        FROM \(seen(.moment)) AS moment WHERE id = ?1
        """
    }

    func moment(_ id: Int64) throws -> ShownMoment {
        let found = try rows(momentQuery, [id, me, own.column])
        guard let row = found.first else { throw ReplicaError.notFound(try names.reference(id).description) }
        return ShownMoment(
            id: try names.reference(id),
            title: row["title"] ?? row["place_name"] ?? "",
            description: row["description"] ?? "",
            start: row["start"],
            end: row["end"],
            place: place(of: row),
            author: try person(row["author"]),
            cover: try cover(of: row),
            coverPicture: Media(column: row["preview"]).map { Base32.encode(Array($0.root.bytes.prefix(8))) },
            categories: (row["categories"] as Data?).flatMap { Reference.list([UInt8]($0)) } ?? [],
            created: row["made"],
            photos: row["photos"],
            joined: row["joined"],
            checkedIn: row["checked_in"],
            comments: row["comments"],
            faves: row["faves"],
            faved: row["faved"],
            bookmarked: row["bookmarked"],
            participation: (row["state"] as Int64?).flatMap { ParticipationState(rawValue: $0) },
            hiding: try hiding(of: row),
            isPrivate: (row["audience"] as Int64) != 0,
            isInvited: (row["invited"] as Int64?) != nil,
            invited: row["invited"],
            continues: (row["continues"] as Data?).flatMap { Reference.list([UInt8]($0)) } ?? []
        )
    }

    /// The moment that the first argument names, and the earlier ones that it continues: all on which hangs what it shows.
    static let family = """
        WITH family(id, audience) AS (
            SELECT id, audience FROM moment WHERE id = ?1
            UNION SELECT ancestor, audience FROM lineage WHERE moment = ?1
        )
        """

    /// That an invite on the family goes on and is one to the first argument: earlier moments were for other people.
    static let isOpenInvite = """
        ends IS NULL AND invite.audience = (SELECT moment.audience FROM moment WHERE moment.id = ?1)
            AND (invite.audience <> 0 OR invite.target = ?1)
        """

    /// How many comments hang on the family.
    static let comments = Schema.number(of: .comment, where: isHeard("tally.part")) + " AS comments"

    /// How many people fave one of the family, and whether the viewer does.
    static let faves = """
        \(Schema.people(
            of: .fave,
            where: "tally.part = 1",
            otherwise: "SELECT count(DISTINCT author) FROM \(under("fave")) AND \"on\" = 1"
        )) AS faves,
        EXISTS (SELECT 1 FROM \(under("fave")) AND author = ?2 AND "on" = 1) AS faved
        """

    /// What of a kind hangs on the family and may; further conditions follow.
    private static func under(_ kind: String) -> String {
        "family JOIN \(kind) ON \(kind).target = family.id WHERE \(Schema.within(kind, "family"))"
    }

    fileprivate static let taking = under("participation")

    /// How many people take part so far as a condition says, of records and of their counts.
    private static func takers(_ condition: String, tally: String) -> String {
        Schema.people(
            of: .participation,
            where: "tally.\(tally)",
            otherwise: "SELECT count(DISTINCT author) FROM \(taking) AND \(condition)"
        )
    }

    /// The earliest photo of one of the family that the viewer wants to see.
    private static let firstPhoto = """
        SELECT first.id FROM visible_photo AS first WHERE first.target = family.id AND \(isHeard("first.author"))
            ORDER BY first.shown_at, first.tie LIMIT 1
        """

    /// The creator's choice while it is shown and the viewer wants to see it, else the earliest photo.
    private func cover(of row: Row) throws -> Reference? {
        if (row["preview"] as Data?) != nil { return nil }
        if let chosen = try chosenCover(of: row, where: Self.isHeard("author")) { return chosen }
        return try (row["first_photo"] as Int64?).map { try names.reference($0) }
    }

    /// The creator's choice while it is shown, whomever the viewer muted: what follows from it is told to others.
    func chosenCover(of row: Row, where condition: String = "true") throws -> Reference? {
        guard let chosen = reference(row["cover"]), let photo = try names.row(of: chosen),
            try !rows("SELECT 1 FROM visible_photo WHERE id = ? AND \(condition)", [photo]).isEmpty
        else { return nil }
        return chosen
    }
}
