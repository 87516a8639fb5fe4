// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
import MingleWire

/// Somebody who was taken out of the event.
package struct ShownRemoval: Hashable, Sendable {
    /// Who.
    package let person: ShownPerson
    /// By whom; of several, the one of the highest level.
    package let maker: ShownPerson
    /// When, in milliseconds since 1970: of several, and of one that rescues replaced, the first.
    package internal(set) var at: Int64
}

extension Replica {
    /// Those who were removed, at most 500.
    package func removals() throws -> [ShownRemoval] { try removals(where: "true", []) }

    /// Who removed a person; nil if nobody did.
    package func removal(of person: PersonID) throws -> ShownRemoval? {
        try removals(where: "person.name = ?", [person.column]).first
    }

    private func removals(where condition: String, _ arguments: StatementArguments) throws -> [ShownRemoval] {
        try view { viewer in
            let sql = """
                SELECT cut.delta, cut.person AS id, cut.maker FROM cut
                    JOIN person ON person.id = cut.person JOIN person AS remover ON remover.id = cut.maker
                WHERE cut.counts = 1 AND cut.level IS NULL AND cut.maker <> cut.person AND \(condition)
                ORDER BY person.name, remover.level IS NULL, remover.level, remover.name LIMIT 500
                """
            var (removals, places): ([ShownRemoval], [Int64: Int]) = ([], [:])
            for row in try viewer.rows(sql, arguments) {
                let (id, at): (Int64, Int64) = (row["id"], try viewer.firstRemoval(behind: row["delta"]))
                guard let place = places[id] else {
                    places[id] = removals.count
                    let (person, maker) = (try viewer.person(id), try viewer.person(row["maker"]))
                    removals.append(ShownRemoval(person: person, maker: maker, at: at))
                    continue
                }
                removals[place].at = min(removals[place].at, at)
            }
            return removals
        }
    }
}

extension Viewer {
    /// Removals that are looked at behind one: each rescue stands for those before it.
    private static let replacedLimit = 100

    /// When the first was said of a removal and those that it stands for, in milliseconds since 1970.
    fileprivate func firstRemoval(behind row: Int64) throws -> Int64 {
        var (first, open, seen) = (Int64.max, [row], Set([row]))
        while let row = open.popLast(), seen.count <= Self.replacedLimit {
            // A stored header holds its time in the eight bytes behind the first.
            let found = try rows("SELECT substr(header, 2, 8) AS made, payload FROM journal WHERE id = ?", [row]).first
            guard let made: Data = found?["made"], let payload: Data = found?["payload"],
                case .cut(let terms)? = try? FabricPayload(decoding: [UInt8](payload)), terms.level == nil
            else { continue }
            first = min(first, Timestamp(stored: [UInt8](made))?.milliseconds ?? first)
            for replaced in try terms.overwrites.compactMap(names.row(of:)) where seen.insert(replaced).inserted {
                open.append(replaced)
            }
        }
        return first
    }
}
