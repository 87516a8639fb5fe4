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
            var outside = Set(people.map { $0["id"] as Int64 })
            // Of a private moment anybody may have been a guest.
            let memory = transaction.memory
            if memory.audiences.values.contains(where: \.isOfGuests) { outside.formUnion(memory.persons.keys) }
            return try outside.reduce(into: []) { $0.formUnion(try transaction.blobsHeldBack(of: $1)) }
        }
    }
}

extension Transaction {
    /// The blobs that a person's deltas list, if what the person writes does not count, and else those of private moments to which the
    /// person does not belong, as far as is known, or did not all the time.
    func blobsHeldBack(of person: Int64) throws -> Set<BlobName> {
        guard let name = memory.persons[person]?.name, memory.persons[person]?.level.map({ $0 >= .attendee }) ?? false
        else {
            return try listedBlobs(of: person) { _ in true }
        }
        let others = Set(memory.audiences.filter { $0.value.isOfGuests && !belongsThroughout(name, to: $0.key) }.keys)
        return others.isEmpty ? [] : try listedBlobs(of: person, where: others.contains)
    }

    private func belongsThroughout(_ person: PersonID, to audience: Int64) -> Bool {
        members(of: audience).contains(person) && memory.guests[audience]?.isCut(person) != true
    }

    /// What a person's deltas list that are not erased, for some audiences.
    private func listedBlobs(of person: Int64, where isMeant: (Int64) -> Bool) throws -> Set<BlobName> {
        let sql = """
            SELECT journal.id, ifnull(audience, 0) AS audience FROM journal LEFT JOIN epoch ON epoch.id = journal.epoch
            WHERE branch = ? AND erased = 0 ORDER BY journal.id
            """
        var names: Set<BlobName> = []
        for branch in memory.contentBranches(of: person) {
            for row in try rows(sql, [branch]) where isMeant(row["audience"]) {
                names.formUnion(try stored(row["id"])?.delta.header.blobs.map(\.name) ?? [])
            }
        }
        return names
    }
}

extension Audience {
    /// Whether it is that of private moments.
    fileprivate var isOfGuests: Bool { if case .guests = self { true } else { false } }
}
