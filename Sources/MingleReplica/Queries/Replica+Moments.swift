// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

extension Replica {
    /// Moments that one list shows; an event with more is told so.
    package static let momentLimit = 1000

    /// All moments that the viewer sees, latest start first.
    package func moments() throws -> [ShownMoment] {
        try view { viewer in
            let rows = try viewer.rows(
                "SELECT id FROM \(viewer.seen(.moment)) AS moment ORDER BY start DESC, id DESC LIMIT ?",
                [Self.momentLimit]
            )
            return try rows.map { try viewer.moment($0["id"]) }
        }
    }

    /// One visible moment.
    package func moment(_ reference: Reference) throws -> ShownMoment {
        try view { viewer in try viewer.moment(viewer.row(of: reference)) }
    }

    /// Who takes part in a moment: those who joined, and those of them who checked in.
    package func participants(
        of reference: Reference
    ) throws -> (joined: [ShownPerson], checkedIn: [ShownPerson]) {
        try view { viewer in
            let row = try viewer.row(of: reference)
            _ = try viewer.moment(row)
            let rows = try viewer.rows(
                "SELECT author, state FROM participation WHERE target = ? AND state >= 2 ORDER BY made",
                [row]
            )
            let people = try rows.map { (state: $0["state"] as Int64, person: try viewer.person($0["author"])) }
            return (people.map(\.person), people.filter { $0.state == 3 }.map(\.person))
        }
    }
}

extension Viewer {
    func moment(_ id: Int64) throws -> ShownMoment {
        let found = try rows(
            """
            SELECT moment.*,
                (SELECT count(*) FROM visible_photo WHERE target = moment.id) AS photos,
                (SELECT id FROM visible_photo WHERE target = moment.id ORDER BY made, id LIMIT 1) AS first_photo,
                (SELECT count(*) FROM participation WHERE target = moment.id AND state >= 2) AS joined,
                (SELECT count(*) FROM participation WHERE target = moment.id AND state = 3) AS checked_in,
                (SELECT count(*) FROM comment WHERE target = moment.id AND \(Self.commentCounts)) AS comments,
                (SELECT count(*) FROM fave WHERE target = moment.id AND "on" = 1) AS faves,
                EXISTS (SELECT 1 FROM fave WHERE target = moment.id AND author = ?2 AND "on" = 1) AS faved,
                (SELECT state FROM participation WHERE target = moment.id AND author = ?2) AS state
            FROM \(seen(.moment)) AS moment WHERE id = ?1
            """,
            [id, me]
        )
        guard let row = found.first else { throw ReplicaError.notFound(try names.reference(id).description) }
        return ShownMoment(
            id: try names.reference(id),
            title: row["title"],
            description: row["description"] ?? "",
            start: row["start"],
            end: row["end"],
            place: ShownPlace(
                id: reference(row["place"]),
                name: row["place_name"],
                latitude: row["latitude"],
                longitude: row["longitude"],
                radius: row["radius"]
            ),
            author: try person(row["author"]),
            cover: try cover(of: row),
            created: row["made"],
            photos: row["photos"],
            joined: row["joined"],
            checkedIn: row["checked_in"],
            comments: row["comments"],
            faves: row["faves"],
            faved: row["faved"],
            participation: (row["state"] as Int64?).flatMap { ParticipationState(rawValue: $0) },
            hiding: try hiding(of: row)
        )
    }

    /// The creator's choice while it is shown, else the earliest photo.
    private func cover(of row: Row) throws -> Reference? {
        if let chosen = reference(row["cover"]), let photo = try names.row(of: chosen),
            try !rows("SELECT 1 FROM visible_photo WHERE id = ?", [photo]).isEmpty
        {
            return chosen
        }
        return try (row["first_photo"] as Int64?).map { try names.reference($0) }
    }
}
