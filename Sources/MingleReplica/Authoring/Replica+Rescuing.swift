// SPDX-License-Identifier: Apache-2.0

import GRDB
package import MingleCrypto
package import MingleModel

/// What letting more of a removed person's words count has come to, or would come to.
package struct Rescue: Sendable {
    /// How many more records of each kind others see, by the kinds' names; of none, those are left out.
    package internal(set) var records: [String: Int] = [:]
    /// What was written for that; nothing for a preview.
    package internal(set) var authored = Authored()
}

extension Replica {
    /// Lets more count of what a removed person wrote, up to a time, or finds out what that would show.
    ///
    /// - Throws: what writing a draft does, see ``author(_:at:randomness:)``.
    package func rescue(
        _ person: PersonID,
        until time: Timestamp,
        isPreview: Bool,
        at timestamp: Timestamp,
        randomness: Randomness
    ) throws -> Rescue {
        do {
            return try write(isDurable: !isPreview) { transaction in
                let before = try transaction.recordCounts(of: person)
                var rescue = Rescue()
                var pen = Pen(transaction: transaction, timestamp: timestamp, randomness: randomness)
                _ = try pen.write(.rescue(person, until: time))
                rescue.authored.runs = try pen.finish()
                try transaction.settle()
                rescue.authored.outcome = transaction.outcome
                rescue.records = try transaction.recordCounts(of: person)
                    .merging(before, uniquingKeysWith: -)
                    .filter { $0.value > 0 }
                if isPreview { throw Previewed(records: rescue.records) }
                return rescue
            }
        } catch let preview as Previewed {
            return Rescue(records: preview.records)
        }
    }
}

/// Ends a write so that nothing of it stays but what it would have come to.
private struct Previewed: Error {
    let records: [String: Int]
}

extension Transaction {
    /// How many records of each kind a person has made that are shown, those aside that hold one value for each author and target.
    fileprivate func recordCounts(of person: PersonID) throws -> [String: Int] {
        guard let row = memory.persons.id(of: person) else { return [:] }
        return try Kind.all.filter { $0.identity == .delta }.reduce(into: [:]) { counts, kind in
            counts[kind.name] =
                try self.row("SELECT count(*) AS count FROM \(kind.name) WHERE author = ?", [row])?["count"] ?? 0
        }
    }
}
