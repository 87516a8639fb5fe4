// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleModel

/// Whose records this person does not want to see; nobody else learns of it, and it is kept on this device alone.
extension Replica {
    /// Persons that are muted at a time.
    package static let mutedLimit = 1000

    /// Leaves what a person shares and says out of all lists.
    ///
    /// - Throws: `ReplicaError.notFound` for a person of whom nothing came, `ReplicaError.tooManyMuted` beyond ``mutedLimit``.
    package func mute(_ person: PersonID) throws {
        guard try self.person(person).id != own.person else { return }
        try write(isDurable: true) { transaction in
            try transaction.mute(person)
            // Of somebody who is muted already it is no news.
            guard try transaction.row("SELECT 1 FROM muted WHERE name = ?", [person.column]) != nil else {
                throw ReplicaError.tooManyMuted
            }
        }
    }

    /// Takes over whom an earlier database names, known yet or not.
    func keepMuted(_ persons: some Sequence<PersonID>) throws {
        try write(isDurable: true) { transaction in for person in persons { try transaction.mute(person) } }
    }

    /// Muted people who take no part any more, or not yet: what they shared is left out as well.
    package func mutedOutsiders() throws -> [ShownPerson] {
        try view { viewer in
            let people = "muted JOIN person ON person.name = muted.name"
            let rows = try viewer.rows("SELECT person.id FROM \(people) WHERE level IS NULL ORDER BY muted.id", [])
            return try rows.map { try viewer.person($0["id"]) }
        }
    }

    /// Shows again what a person shares and says.
    package func unmute(_ person: PersonID) throws {
        try write(isDurable: true) { try $0.run("DELETE FROM muted WHERE name = ?", [person.column]) }
    }
}

extension Transaction {
    /// Mutes a person, if there is room for one more.
    fileprivate func mute(_ person: PersonID) throws {
        let hasRoom = "(SELECT count(*) FROM muted) < \(Replica.mutedLimit)"
        try run("INSERT OR IGNORE INTO muted (name) SELECT ?1 WHERE \(hasRoom)", [person.column])
    }
}

extension Viewer {
    /// That a column names nobody whom the viewer muted; these are few, and so are gone through first.
    static func isHeard(_ author: String) -> String {
        "\(author) NOT IN (SELECT person.id FROM muted CROSS JOIN person ON person.name = muted.name)"
    }

    /// That a column names no record of a kind that somebody shared whom the viewer muted.
    static func isHeard(_ target: String, of kind: Kind) -> String {
        "NOT EXISTS (SELECT 1 FROM \(kind.name) WHERE id = \(target) AND NOT \(isHeard("author")))"
    }

    /// That what hangs on a moment does not show under one of somebody's whom the viewer muted.
    static func isHeard(underMoment target: String) -> String {
        """
        \(isHeard(target, of: .moment)) AND NOT EXISTS (
            SELECT 1 FROM lineage JOIN moment ON moment.id = lineage.moment
            WHERE ancestor = \(target) AND NOT \(isHeard("moment.author"))
        )
        """
    }

    /// Most people mute nobody; where that is so this is asked once.
    static let mutesNobody = "NOT EXISTS (SELECT 1 FROM muted)"
}
