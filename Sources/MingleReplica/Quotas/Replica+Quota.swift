// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Somebody of whom this node does not keep all that the person wrote.
package struct BeyondQuota: Hashable, Sendable {
    /// Who it is.
    package let person: PersonID
    /// Deltas whose payload is not kept.
    package let count: Int
}

/// What came of looking whether there is room for what was let go of.
package struct QuotaReview: Hashable, Sendable {
    /// Payloads that are missing now and were not, to be fetched.
    package internal(set) var missing: [MissingPayload] = []
    /// Whether all that fits was asked for again; else another go goes on.
    package internal(set) var isDone = true
}

extension Replica {
    /// Asks again for what was let go of where there is room for it: at a start, as the quota may be another one, and after room came
    /// (see ``MergeOutcome/hasRoom``).
    ///
    /// - Parameter limit: Deltas that are asked for again in one go.
    package func reviewQuota(atMost limit: Int = 10_000) throws -> QuotaReview {
        guard !own.isRelay else { return QuotaReview() }
        return try write(isDurable: false) { try $0.takeBack(atMost: limit) }
    }

    /// Those of whom not all words are kept, as they wrote more than the quota; who lacks most comes first.
    package func beyondQuota() throws -> [BeyondQuota] {
        try read { db in
            let sql = """
                SELECT person.name, sum(let_go) AS count FROM usage JOIN device ON device.id = usage.device
                    JOIN person ON person.id = device.person
                WHERE let_go > 0 GROUP BY person.id ORDER BY count DESC, person.id
                """
            return try db.all(sql) { _ in
            } read: {
                BeyondQuota(person: PersonID(try $0.bytes32(0)), count: Int($0.integer(1)))
            }
        }
    }

    /// Whether what was counted of everybody is what the journals hold.
    package func isUsageCounted() throws -> Bool { try read { try Usage.stored($0) == Usage.counted($0) } }
}
