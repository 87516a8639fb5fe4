// SPDX-License-Identifier: Apache-2.0

package import MingleModel
import MingleWire

/// Somebody of whom not all that the person wrote is kept: here, or by others.
package struct BeyondQuota: Hashable, Sendable {
    /// What there is too much of.
    package enum Excess: Sendable {
        /// Bytes.
        case bytes
        /// Words that are dated within one hour.
        case rate
    }

    /// Who it is.
    package let person: PersonID
    /// Deltas whose payload is not kept.
    package let count: Int
    /// What there is too much of; where it is both, bytes.
    package let excess: Excess

    /// Puts together what was found of each person's devices, a person's one after the other; who lacks most comes first.
    fileprivate static func byPerson(_ shares: [BeyondQuota]) -> [BeyondQuota] {
        let persons = shares.reduce(into: [BeyondQuota]()) { persons, share in
            guard let last = persons.last, last.person == share.person else { return persons.append(share) }
            persons[persons.count - 1] = BeyondQuota(
                person: share.person,
                count: last.count + share.count,
                excess: last.excess == .bytes ? .bytes : share.excess
            )
        }
        return persons.sorted { $0.count > $1.count }
    }
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
            // A retired device counts by itself, so what it wrote says nothing of the others.
            let sql = """
                SELECT person.name, sum(let_go) AS count, sum(words), sum(keys) FROM usage
                    JOIN device ON device.id = usage.device JOIN person ON person.id = device.person
                GROUP BY person.id, CASE retired WHEN 0 THEN 0 ELSE device.id END HAVING count > 0 ORDER BY person.id
                """
            let shares = try db.all(sql) { _ in
            } read: {
                let usage = Usage(words: Int($0.integer(2)), keys: Int($0.integer(3)))
                return BeyondQuota(
                    person: PersonID(try $0.bytes32(0)),
                    count: Int($0.integer(1)),
                    excess: quota.map(usage.isNearlyUsedUp) ?? true ? .bytes : .rate
                )
            }
            return BeyondQuota.byPerson(shares)
        }
    }

    /// What this node's person wrote more of than others keep, as two of the person's devices can that have not met; nil if it is less.
    package func ownExcess() throws -> BeyondQuota.Excess? {
        try read { db -> BeyondQuota.Excess? in
            func isExceeded(_ sql: String, by most: Int) throws -> Bool {
                try db.holds(sql) { row in
                    row.add(own.person.raw)
                    row.add(Int64(most))
                }
            }
            if try isExceeded("SELECT sum(words) > ?2 FROM usage \(Self.inUse)", by: ownQuota.words) { return .bytes }
            let base = try db.number("SELECT base FROM person WHERE name = ?") { $0.add(own.person.raw) }
            let quota = ownQuota.raised(for: base.flatMap(Level.init(column:)))
            return try isExceeded(Self.fullHour, by: quota.hourly) ? .rate : nil
        }
    }

    /// What counts together of one person.
    private static let inUse = """
        JOIN device ON device.id = usage.device JOIN person ON person.id = device.person WHERE person.name = ?1 AND device.retired = 0
        """

    /// Whether of one hour of a person more counts together than so many words; the person's rows alone are read.
    static let fullHour = """
        SELECT 1 FROM hourly AS usage \(inUse) AND usage.person = person.id GROUP BY hour HAVING sum(words) > ?2 LIMIT 1
        """

    /// Whether what was counted of everybody is what the journals hold.
    package func isUsageCounted() throws -> Bool { try read { try Counts.stored($0) == Counts.counted($0) } }
}

extension Usage {
    /// Whether there may be a payload that does not fit beside it.
    fileprivate func isNearlyUsedUp(_ quota: Quota) -> Bool {
        [true, false].contains { !hasRoom(for: Int(Limits.payloadLength), isKey: $0, within: quota) }
    }
}
