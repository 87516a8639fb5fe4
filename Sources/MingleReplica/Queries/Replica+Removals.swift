// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Somebody who was taken out of the event.
package struct ShownRemoval: Hashable, Sendable {
    /// Who.
    package let person: ShownPerson
    /// By whom; of several, the one of the highest level.
    package let maker: ShownPerson
}

extension Replica {
    /// Those who were removed, at most 500.
    package func removals() throws -> [ShownRemoval] { try removals(where: "true", []) }

    /// Who removed a person; nil if nobody did.
    package func removal(of person: PersonID) throws -> ShownRemoval? {
        try removals(where: "person.name = ?", [person.column]).first
    }

    /// Whether a delta is here and stands behind a cut of its author, so that it counts for nothing as far as is known.
    package func isCutOff(_ reference: Reference) throws -> Bool {
        try write(isDurable: false) { transaction in
            try transaction.settleLevels()
            guard let row = try Names(transaction.db).row(of: reference), let stored = try transaction.stored(row),
                let author = transaction.memory.persons[stored.device.person], author.isCut
            else { return false }
            return transaction.level(of: stored) == nil
        }
    }

    private func removals(where condition: String, _ arguments: StatementArguments) throws -> [ShownRemoval] {
        try view { viewer in
            let sql = """
                SELECT cut.person AS id, cut.maker FROM cut
                    JOIN person ON person.id = cut.person JOIN person AS remover ON remover.id = cut.maker
                WHERE cut.counts = 1 AND cut.level IS NULL AND cut.maker <> cut.person AND \(condition)
                ORDER BY person.name, remover.level IS NULL, remover.level, remover.name LIMIT 500
                """
            var removals: [Int64: ShownRemoval] = [:]
            let rows = try viewer.rows(sql, arguments)
            return try rows.compactMap { row in
                let id: Int64 = row["id"]
                guard removals[id] == nil else { return nil }
                let removal = ShownRemoval(person: try viewer.person(id), maker: try viewer.person(row["maker"]))
                removals[id] = removal
                return removal
            }
        }
    }
}
