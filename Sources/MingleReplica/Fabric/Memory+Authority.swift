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
        try read(db, "SELECT maker, invitation, admitted FROM closing") { row in
            let person = persons[row["admitted"]]?.name
            return .closing(InvitationID(try Bytes32(column: row["invitation"])), Set(person.map { [$0] } ?? []))
        }
        for row in try Row.fetchAll(db, sql: "SELECT person, invitation FROM admission") {
            guard let person = persons[row["person"]]?.name else { continue }
            authority.admit(person, by: InvitationID(try Bytes32(column: row["invitation"])))
        }
        // It is what the persons' rows say.
        _ = authority.settle()
    }

    private func read(_ db: Database, _ sql: String, _ statement: (Row) throws -> Authority.Statement?) throws {
        for row in try Row.fetchAll(db, sql: sql) {
            guard let maker = persons[row["maker"]]?.name, let statement = try statement(row) else { continue }
            authority.state(statement, by: maker)
        }
    }
}
