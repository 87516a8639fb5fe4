// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MingleModel
import MingleWire

/// Blobs of people whose records count for nothing now, and will once somebody lets them in: nobody may lose them meanwhile.
extension Replica {
    /// The blobs that people hold back list in deltas that are not erased.
    package func blobsHeldBack() throws -> Set<BlobName> {
        try write(isDurable: false) { transaction in
            let people = try transaction.rows(
                "SELECT id FROM person WHERE level IS NULL OR level > ?",
                [Level.attendee.column]
            )
            return try people.reduce(into: []) { $0.formUnion(try transaction.blobsHeldBack(of: $1["id"])) }
        }
    }
}

extension Transaction {
    /// The blobs that a person's deltas list, if what the person writes does not count.
    func blobsHeldBack(of person: Int64) throws -> Set<BlobName> {
        guard memory.persons[person]?.level.map({ $0 < .attendee }) ?? true else { return [] }
        var names: Set<BlobName> = []
        for branch in memory.contentBranches(of: person) {
            let rows = try rows("SELECT id FROM journal WHERE branch = ? AND erased = 0 ORDER BY id", [branch])
            for row in rows { names.formUnion(try stored(row["id"])?.delta.header.blobs.map(\.name) ?? []) }
        }
        return names
    }
}
