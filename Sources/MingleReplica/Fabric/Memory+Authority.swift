// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel

extension Memory {
    /// Reads what is known about levels, once persons and devices are.
    func loadAuthority(_ db: Database) throws {
        for person in persons.values where person.level == .founder { authority.found(person.name) }
        try read(db, "SELECT maker, id, level FROM invitation") { row in
            try Level(column: row["level"]).map { .invitation(InvitationID(try Bytes32(column: row["id"])), $0) }
        }
        try read(db, "SELECT maker, person, level FROM granted") { row in
            guard let person = persons[row["person"]]?.name else { return nil }
            return Level(column: row["level"]).map { .grant(person, $0) }
        }
        try loadClosings(db)
        for row in try Row.fetchAll(db, sql: "SELECT person, invitation FROM admission") {
            guard let person = persons[row["person"]]?.name else { continue }
            authority.admit(person, by: InvitationID(try Bytes32(column: row["invitation"])))
        }
        // It is what the persons' rows say.
        _ = authority.settle()
    }

    /// One statement for each host and invitation, however many people it lists.
    private func loadClosings(_ db: Database) throws {
        var lists: [Int64: [InvitationID: Set<PersonID>]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT maker, invitation, admitted FROM closing") {
            let invitation = InvitationID(try Bytes32(column: row["invitation"]))
            // That it is closed stands in a row of nobody's.
            lists[row["maker"], default: [:]][invitation, default: []].formUnion(
                persons[row["admitted"]].map { [$0.name] } ?? []
            )
        }
        for (maker, closings) in lists {
            guard let maker = persons[maker]?.name else { continue }
            for (invitation, admitted) in closings { authority.state(.closing(invitation, admitted), by: maker) }
        }
    }

    private func read(_ db: Database, _ sql: String, _ statement: (Row) throws -> Authority.Statement?) throws {
        for row in try Row.fetchAll(db, sql: sql) {
            guard let maker = persons[row["maker"]]?.name, let statement = try statement(row) else { continue }
            authority.state(statement, by: maker)
        }
    }
}
