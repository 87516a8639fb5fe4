// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
import MingleWire

/// Blobs of people whose records count for nothing now, and will once somebody lets them in, or invites them to a private moment
/// again: nobody may lose them meanwhile.
extension Replica {
    /// The blobs that people hold back list in deltas that are not erased.
    package func blobsHeldBack() throws -> Set<BlobName> {
        try write(isDurable: false) { transaction in
            let people = try transaction.rows(
                "SELECT id FROM person WHERE level IS NULL OR level > ?",
                [Level.attendee.column]
            )
            let outside = Set(people.map { $0["id"] as Int64 }).union(transaction.personsWhosePartEnded)
            return try outside.reduce(into: []) { $0.formUnion(try transaction.blobsHeldBack(of: $1)) }
        }
    }
}

extension Transaction {
    /// The blobs that a person's deltas list, if what the person writes does not count, and else those of private moments of which the
    /// person was, or is again.
    func blobsHeldBack(of person: Int64) throws -> Set<BlobName> {
        guard let row = memory.persons[person], row.level.map({ $0 >= .attendee }) ?? false else {
            return try listedBlobs(of: person)
        }
        let ended = memory.guests.filter { $0.value.isCut(row.name) }.keys.sorted()
        return try ended.reduce(into: []) { $0.formUnion(try listedBlobs(of: person, in: $1)) }
    }

    /// What a person's deltas list that are not erased, for an audience or for all.
    private func listedBlobs(of person: Int64, in audience: Int64? = nil) throws -> Set<BlobName> {
        let sql = """
            SELECT journal.id FROM journal LEFT JOIN epoch ON epoch.id = journal.epoch
            WHERE branch = ?1 AND erased = 0 AND (?2 IS NULL OR audience = ?2)
            """
        var names: Set<BlobName> = []
        for branch in memory.contentBranches(of: person) {
            for row in try rows(sql, [branch, audience]) {
                names.formUnion(try stored(row["id"])?.delta.header.blobs.map(\.name) ?? [])
            }
        }
        return names
    }

    /// Those whose part in some private moment has ended, be they invited again.
    fileprivate var personsWhosePartEnded: Set<Int64> {
        Set(memory.guests.values.flatMap(\.peopleWhosePartEnded).compactMap { memory.personIDs[$0] })
    }
}
