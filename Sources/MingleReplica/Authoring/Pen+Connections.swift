// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Transaction {
    /// - Throws: `ReplicaError.invalid` and `.notFound` where nobody is there who could be asked; what is taken back, or declined, may
    ///   be about whomever.
    func requirePartner(_ target: Target, for values: [String: Value]) throws {
        guard case .person(let person) = target, person != replica.own.person else {
            throw ReplicaError.invalid("People connect with somebody else: name another person.")
        }
        guard values["on"] == .number(1) else { return }
        try settleLevels()
        guard let level = memory.authority.standings[person]?.level, level.isPeople else {
            throw ReplicaError.notFound(person.description)
        }
        guard level >= Kind.connection.writers else {
            throw ReplicaError.invalid("That person is \(level.phrase) of this event, who could not answer.")
        }
    }
}
