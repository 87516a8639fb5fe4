// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

extension Replica {
    /// Friendships that are written at a time.
    private static let friendshipBatch = 50

    /// What this person's node has to say of connections so that everybody sees those that both people want: on where
    /// both private halves are on, off where this person's own is off.
    ///
    /// The other person's node says the other half. None where this person may write none.
    package func dueFriendships() throws -> [Draft] {
        guard let level = try level(of: own.person), level >= Kind.friendship.writers else { return [] }
        return try view { viewer in
            let sql = """
                SELECT person.name, mine."on" = 1 AS wanted FROM connection AS mine JOIN person ON person.id = mine.target
                LEFT JOIN friendship AS said ON said.target = mine.target AND said.author = mine.author AND said."on" = 1
                WHERE mine.author = ?1 AND mine."on" IS NOT NULL AND CASE mine."on"
                    WHEN 1 THEN said.id IS NULL AND person.level IS NOT NULL AND EXISTS (
                        SELECT 1 FROM connection AS theirs
                        WHERE theirs.target = mine.author AND theirs.author = mine.target AND theirs."on" = 1
                    )
                    ELSE said.id IS NOT NULL END
                ORDER BY person.name LIMIT \(Self.friendshipBatch)
                """
            return try viewer.rows(sql, [viewer.me]).map { row in
                let person = try PersonID(column: row["name"])
                return .set(.friendship, on: .person(person), values: ["on": .number(row["wanted"] ? 1 : 0)])
            }
        }
    }
}

extension MergeOutcome {
    /// Whether there may be a friendship by now that this person's node has to write.
    package var concernsFriendships: Bool {
        isRecomputed || !changedKinds.isDisjoint(with: [Kind.connection.name, Kind.friendship.name, "people"])
    }
}
