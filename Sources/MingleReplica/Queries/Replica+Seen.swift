// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// What decides what this person may do with a moment; nothing of it is counted.
package struct SeenMoment: Hashable, Sendable {
    /// What it is called.
    package let title: String
    /// When it starts, in milliseconds since 1970.
    package let start: Int64
    /// When it ends, in milliseconds since 1970.
    package let end: Int64
    /// Where it is.
    package let place: ShownPlace
    /// Who made it.
    package let author: PersonID
    /// How far the viewer takes part.
    package let participation: ParticipationState?
    /// Whether the viewer is invited.
    package let isInvited: Bool
}

/// Where the blobs of a photo come from.
package struct SeenMedia: Hashable, Sendable {
    /// Who shared it.
    package let owner: PersonID
    /// The file's name at its author's.
    package let name: String
    /// What the author shared.
    package let original: Media
    /// Large enough for a screen.
    package let preview: Media
    /// Small enough for a grid.
    package let thumbnail: Media
}

/// Checks before something is written: they read a few rows, however much hangs on a record.
extension Replica {
    /// Which of some kinds a record is that the viewer sees.
    ///
    /// - Throws: `ReplicaError.notFound` if the viewer sees no record of these kinds under this name.
    @discardableResult
    package func requireSeen(_ reference: Reference, among kinds: [Kind] = [.photo, .moment]) throws -> Kind {
        try view { viewer in try viewer.kind(of: viewer.row(of: reference), among: kinds) }
    }

    /// Who made a record of one of some kinds that the viewer sees.
    ///
    /// - Throws: `ReplicaError.notFound` if the viewer sees no record of these kinds under this name.
    package func author(of reference: Reference, among kinds: [Kind]) throws -> PersonID {
        try view { viewer in
            let row = try viewer.row(of: reference)
            let kind = try viewer.kind(of: row, among: kinds)
            let author = try viewer.db.number("SELECT author FROM \(kind.name) WHERE id = ?") { $0.add(row) }
            return try viewer.names.person(author ?? 0)
        }
    }

    /// What decides what this person may do with a moment.
    ///
    /// - Throws: `ReplicaError.notFound` if the viewer does not see it.
    package func seenMoment(_ reference: Reference) throws -> SeenMoment {
        try view { viewer in try viewer.seenMoment(viewer.row(of: reference)) }
    }

    /// Where the blobs of a photo come from.
    ///
    /// - Throws: `ReplicaError.notFound` if the viewer does not see it.
    package func seenMedia(of photo: Reference) throws -> SeenMedia {
        try view { viewer in
            let columns = "author, name, original, preview, thumbnail"
            let sql = "SELECT \(columns) FROM \(viewer.seen(.photo)) AS photo WHERE id = ?"
            guard let row = try viewer.rows(sql, [viewer.row(of: photo)]).first,
                let original = Media(column: row["original"]), let preview = Media(column: row["preview"]),
                let thumbnail = Media(column: row["thumbnail"])
            else { throw ReplicaError.notFound(photo.description) }
            return SeenMedia(
                owner: try viewer.names.person(row["author"]),
                name: row["name"] ?? "",
                original: original,
                preview: preview,
                thumbnail: thumbnail
            )
        }
    }
}

extension Viewer {
    /// Whether the viewer sees the record in a row of a kind's table.
    func sees(_ row: Int64, of kind: Kind) throws -> Bool {
        try !rows("SELECT 1 FROM \(seen(kind)) WHERE id = ?", [row]).isEmpty
    }

    /// Which of some kinds the record in a row is.
    ///
    /// - Throws: `ReplicaError.notFound` if the viewer sees no such record.
    func kind(of row: Int64, among kinds: [Kind]) throws -> Kind {
        guard let kind = try kinds.first(where: { try sees(row, of: $0) }) else {
            throw ReplicaError.notFound(try names.reference(row).description)
        }
        return kind
    }

    /// What decides what this person may do with the moment in a row.
    func seenMoment(_ id: Int64) throws -> SeenMoment {
        let found = try rows(seenMomentQuery, [id, me, own.column])
        guard let row = found.first else { throw ReplicaError.notFound(try names.reference(id).description) }
        return SeenMoment(
            title: row["title"] ?? row["place_name"] ?? "",
            start: row["start"],
            end: row["end"],
            place: place(of: row),
            author: try names.person(row["author"]),
            participation: (row["state"] as Int64?).flatMap { ParticipationState(rawValue: $0) },
            isInvited: (row["invited"] as Int64?) != nil
        )
    }

    /// The place that was copied into a moment.
    func place(of row: Row) -> ShownPlace {
        ShownPlace(
            id: reference(row["place"]),
            name: row["place_name"] ?? "",
            latitude: row["latitude"],
            longitude: row["longitude"],
            radius: row["radius"]
        )
    }
}
