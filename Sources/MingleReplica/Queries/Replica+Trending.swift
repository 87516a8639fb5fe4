// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel

/// What one person did at one place, of one kind, and when last.
package struct PlaceDeed: Hashable, Sendable {
    /// The place, as a row of this replica.
    package let place: Int64
    /// The first 8 bytes of the place's hash, by which ties are decided.
    package let tie: Int64
    /// Who did it, as a row of this replica.
    package let person: Int64
    /// A check-in, a rating, a fave, a comment or a photo.
    package let kind: Kind
    /// When the latest of it is shown, in milliseconds since 1970.
    package let at: Int64

    /// Describes what somebody did.
    package init(place: Int64, tie: Int64, person: Int64, kind: Kind, at: Int64) {
        (self.place, self.tie, self.person, self.kind, self.at) = (place, tie, person, kind, at)
    }
}

/// Reads what people do at places, all of it in one view of the replica.
package struct PlaceDeedReader {
    let viewer: Viewer

    /// What everybody sees that was done at places since a time, without the viewer's muted and places of theirs.
    ///
    /// - Parameters:
    ///   - kinds: What counts.
    ///   - time: Milliseconds since 1970.
    package func deeds(of kinds: [Kind], since time: Int64) throws -> [PlaceDeed] {
        try kinds.flatMap { kind in
            try viewer.rows(
                """
                SELECT said.target, place.tie, said.author, max(said.shown_at) AS at
                FROM visible_\(kind.name) AS said JOIN place ON place.id = said.target
                WHERE said.shown_at >= ? AND said.target_kind = \(Kind.place.number)
                    AND \(Viewer.isHeard("said.author")) AND \(Viewer.isHeard("place.author"))
                GROUP BY said.target, said.author
                """,
                [time]
            ).map {
                PlaceDeed(place: $0["target"], tie: $0["tie"], person: $0["author"], kind: kind, at: $0["at"])
            }
        }
    }

    /// A place as a record.
    package func place(_ row: Int64) throws -> ShownRecord? {
        try viewer.rows("SELECT * FROM \(viewer.seen(.place)) AS place WHERE id = ?", [row]).first
            .map { try viewer.record($0, of: .place) }
    }
}

extension Replica {
    /// Runs `body` with what people do at places, in one view of the replica.
    package func placeDeeds<Result>(_ body: (PlaceDeedReader) throws -> Result) throws -> Result {
        try view { viewer in try body(PlaceDeedReader(viewer: viewer)) }
    }
}

extension Replica {
    /// Places that somebody faves, or rated with 4 or 5, since a time, as everybody sees, without the viewer's muted.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - hasRatings: Whether ratings count.
    package func placesLiked(since time: Int64, hasRatings: Bool) throws -> Set<Reference> {
        try view { viewer in
            let kinds = ["fave"] + (hasRatings ? ["rating"] : [])
            let rows = try kinds.flatMap { kind in
                try viewer.rows(
                    """
                    SELECT DISTINCT target FROM visible_\(kind) AS said WHERE shown_at >= ?
                        AND target_kind = \(Kind.place.number) AND \(kind == "rating" ? "overall >= 4" : "true")
                        AND \(Viewer.isHeard("said.author"))
                    """,
                    [time]
                )
            }
            return Set(try rows.map { try viewer.names.reference($0["target"]) })
        }
    }
}
