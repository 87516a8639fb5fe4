// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Whose records this person does not want to see; nobody else learns of it, and it is kept on this device alone.
extension Replica {
    /// Persons that are muted at a time.
    package static let mutedLimit = 1000

    /// Leaves what a person shares and says out of all lists.
    ///
    /// - Throws: `ReplicaError.notFound` for a person of whom nothing came, `ReplicaError.invalid` beyond ``mutedLimit``.
    package func mute(_ person: PersonID) throws {
        guard try self.person(person).id != own.person.description else { return }
        try write(isDurable: true) { transaction in
            guard (try transaction.row("SELECT count(*) AS count FROM muted", [])?["count"] ?? 0) < Self.mutedLimit
            else {
                throw ReplicaError.invalid("\(Self.mutedLimit) people are muted already: show somebody again first.")
            }
            try transaction.run("INSERT OR IGNORE INTO muted (name) VALUES (?)", [person.column])
        }
    }

    /// Shows again what a person shares and says.
    package func unmute(_ person: PersonID) throws {
        try write(isDurable: true) { try $0.run("DELETE FROM muted WHERE name = ?", [person.column]) }
    }
}

extension Viewer {
    /// That a column names nobody whom the viewer muted.
    static func isHeard(_ author: String) -> String {
        "\(author) NOT IN (SELECT person.id FROM muted JOIN person ON person.name = muted.name)"
    }
}
