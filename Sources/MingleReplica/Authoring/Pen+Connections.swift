// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Transaction {
    /// - Throws: `ReplicaError.invalid` and `.notFound` where nobody is there who could be asked; what is taken back, or declined, may
    ///   be about whomever, and who has asked need not answer.
    func requirePartner(_ target: Target, for values: [String: Value]) throws {
        guard case .person(let person) = target, person != replica.own.person else {
            throw ReplicaError.invalid("You can connect with other people only. Choose another person.")
        }
        guard values["on"] == .number(1) else { return }
        try settleLevels()
        guard let level = memory.authority.standings[person]?.level, level.isPeople else {
            throw ReplicaError.notFound(person.description)
        }
        guard try level >= Kind.connection.writers || hasAsked(person) else {
            throw ReplicaError.invalid("That person is \(level.phrase) of this event and could not answer.")
        }
    }

    /// Whether somebody said to this person that the two should be connected, and has not taken it back.
    private func hasAsked(_ person: PersonID) throws -> Bool {
        let sql = """
            SELECT 1 FROM connection JOIN person AS other ON other.id = connection.author JOIN person ON person.id = connection.target
            WHERE other.name = ? AND person.name = ? AND "on" = 1
            """
        return try row(sql, [person.column, replica.own.person.column]) != nil
    }
}
