// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

/// The moments in which this node's person has a part.
package enum OwnMoments: String, Sendable, CaseIterable {
    /// Those that the person made, the newest first.
    case mine
    /// Those to which the person is invited, whatever the answer was, the latest invite first.
    case invited
    /// Those that the person joined, those with a check-in among them, the last joined first.
    case joined
    /// Those at which the person checked in, the latest first.
    case checkedIn = "checked_in"
}

extension Replica {
    /// One page of the moments in which this node's person has a part.
    ///
    /// - Parameters:
    ///   - before: the cursor of the page before.
    ///   - limit: how many at most, up to 500.
    package func moments(_ list: OwnMoments, before: Cursor?, limit: Int) throws -> Page<ShownMoment> {
        let limit = min(max(limit, 1), 500)
        return try view { viewer in
            let start = before ?? .end
            let person: any DatabaseValueConvertible = list == .invited ? viewer.own.column : viewer.me
            let found = try viewer.rows(viewer.query(list), [person, start.at, start.tie, limit + 1])
            return try Page(of: found, limit: limit, by: "at") { row in
                let shown = try viewer.moment(under: row["moment"]).flatMap { try viewer.names.row(of: $0) }
                return try viewer.moment(shown ?? row["moment"])
            }
        }
    }
}

extension Viewer {
    /// The query for a list; its arguments are the person, the cursor's two parts, and the number of rows.
    fileprivate func query(_ list: OwnMoments) -> String {
        switch list {
        case .mine:
            """
            SELECT id AS moment, shown_at AS at, tie FROM \(seen(.moment)) AS moment
            WHERE author = ? AND (shown_at, tie) < (?, ?) ORDER BY shown_at DESC, tie DESC LIMIT ?
            """
        case .invited:
            """
            SELECT invite.target AS moment, invite.shown_at AS at, invite.tie AS tie
            FROM visible_invite AS invite JOIN moment ON moment.id = invite.target
            WHERE invite.person = ?1 AND invite.ends IS NULL AND invite.audience = moment.audience
                AND \(Self.isHeard("moment.author")) AND (invite.shown_at, invite.tie) < (?2, ?3)
                AND NOT EXISTS (
                    SELECT 1 FROM visible_invite AS earlier WHERE earlier.target = invite.target AND earlier.person = ?1
                        AND earlier.ends IS NULL AND earlier.audience = invite.audience
                        AND (earlier.shown_at, earlier.tie) < (invite.shown_at, invite.tie)
                )
            ORDER BY invite.shown_at DESC, invite.tie DESC LIMIT ?4
            """
        case .joined: taking(.joined)
        case .checkedIn: taking(.checkedIn)
        }
    }

    /// Participations of this person so far at least, one of each moment.
    ///
    /// All of a person's participations have one tie, so that of the moment decides.
    private func taking(_ least: ParticipationState) -> String {
        """
        SELECT part.target AS moment, part.shown_at AS at, ifnull(moment.tie, part.target) AS tie
        FROM visible_participation AS part LEFT JOIN moment ON moment.id = part.target
        WHERE -part.author = -?1 AND part.state >= \(least.rawValue) AND part.shown_at <= ?2
            AND (part.shown_at, ifnull(moment.tie, part.target)) < (?2, ?3)
            AND \(Self.isHeard(underMoment: "part.target"))
            AND NOT EXISTS (
                SELECT 1 FROM lineage AS one CROSS JOIN lineage AS two CROSS JOIN visible_participation AS later
                WHERE one.ancestor = part.target AND two.moment = one.moment AND later.target = two.ancestor
                    AND later.author = ?1 AND later.state >= \(least.rawValue)
                    AND (later.shown_at, later.target) > (part.shown_at, part.target)
            )
        ORDER BY part.shown_at DESC, ifnull(moment.tie, part.target) DESC LIMIT ?4
        """
    }
}
