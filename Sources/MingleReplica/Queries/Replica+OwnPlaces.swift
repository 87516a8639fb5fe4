// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// The places with which this node's person has to do.
package enum OwnPlaces: String, Sendable, CaseIterable {
    /// Those at which the person checked in, the last visited first.
    case visited
    /// Those that are favourites, the last chosen first.
    case favourite
    /// Those that the person rated, the last rated first.
    case rated
}

extension Replica {
    /// One page of the places with which this node's person has to do, each once.
    ///
    /// - Parameters:
    ///   - before: the cursor of the page before.
    ///   - limit: how many at most, up to 500.
    package func places(_ list: OwnPlaces, before: Cursor?, limit: Int) throws -> Page<ShownRecord> {
        let (limit, start) = (min(max(limit, 1), 500), before ?? .end)
        return try view { viewer in
            // The place's tie decides between equal times: all that one person says has one tie.
            let rows = try viewer.rows(
                """
                SELECT place.*, mark.at FROM (\(list.marks)) AS mark
                JOIN \(viewer.seen(.place)) AS place ON place.id = mark.target
                WHERE \(Viewer.isHeard("place.author")) AND (mark.at, place.tie) < (:at, :tie)
                ORDER BY mark.at DESC, place.tie DESC LIMIT :limit
                """,
                ["at": start.at, "tie": start.tie, "limit": limit + 1]
            )
            return try Page(of: rows, limit: limit, by: "at") { try viewer.record($0, of: .place) }
        }
    }
}

extension OwnPlaces {
    /// Selects the place and the latest time of each of the person's marks.
    fileprivate var marks: String {
        switch self {
        case .visited: "SELECT target, max(shown_at) AS at FROM check_in \(Self.mine) GROUP BY target"
        case .favourite: "SELECT target, shown_at AS at FROM favourite \(Self.mine) AND \"on\" = 1"
        case .rated: "SELECT target, shown_at AS at FROM rating \(Self.mine) AND overall IS NOT NULL"
        }
    }

    private static let mine = "WHERE author = :me AND target_kind = \(Kind.place.number)"
}

extension Viewer {
    /// How many places a person visited and rated, as everybody sees.
    ///
    /// - Returns: numbers up to ``Replica/profileLimit``.
    func placesKnown(by person: Int64) throws -> (visited: Int, rated: Int) {
        func number(_ kind: Kind) throws -> Int {
            try count(
                """
                SELECT DISTINCT said.target FROM visible_\(kind.name) AS said
                JOIN visible_place AS place ON place.id = said.target
                WHERE said.author = ? AND said.target_kind = \(Kind.place.number) AND \(Viewer.isHeard("place.author"))
                """,
                [person]
            )
        }
        return (try number(.checkIn), try number(.rating))
    }
}
