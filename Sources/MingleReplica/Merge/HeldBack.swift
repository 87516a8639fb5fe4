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
            return try people.reduce(into: transaction.doubtfulBlobs(of: nil)) { names, row in
                names.formUnion(try transaction.listedBlobs(of: row["id"]))
            }
        }
    }
}

/// Blobs that lie beside the journals, though nothing speaks of them.
extension Replica {
    /// Finds what was deleted; fabric is under no epoch, and lists nothing.
    static let deletedRows = "SELECT id FROM journal WHERE erased = 1 AND epoch <> 0"

    /// Of some blobs those that were in records which were deleted, each with those who deleted them and speak of it nowhere else.
    ///
    /// Headers name them, so it needs no key, and says nothing of those whose words are gone. Anybody can name anybody's: it counts for
    /// whom a blob belongs to.
    package func deletedBlobs(among names: Set<BlobName>) throws -> [BlobName: Set<PersonID>] {
        let rows = try read { db in try db.all(Self.deletedRows, binding: { _ in }, read: { $0.integer(0) }) }
        guard !rows.isEmpty else { return [:] }
        return try write(isDurable: false) { transaction in
            var deleted: [Int64: Set<BlobName>] = [:]
            for row in rows {
                guard let stored = try transaction.stored(row) else { continue }
                let listed = names.intersection(stored.delta.header.blobs.map(\.name))
                if !listed.isEmpty { deleted[stored.device.person, default: []].formUnion(listed) }
            }
            return try deleted.reduce(into: [:]) { owners, some in
                guard let person = transaction.memory.persons[some.key]?.name else { return }
                let gone = some.value.subtracting(try transaction.listedBlobs(of: some.key))
                for name in gone { owners[name, default: []].insert(person) }
            }
        }
    }

    /// Of some blobs of this node's person those that nothing that is here speaks of or ever did.
    package func unlistedBlobs(among names: Set<BlobName>) throws -> Set<BlobName> {
        guard !names.isEmpty else { return [] }
        return try write(isDurable: false) { transaction in
            guard let row = transaction.memory.persons.id(of: own.person) else { return [] }
            return names.subtracting(try transaction.listedBlobs(of: row, orDeleted: true))
        }
    }
}

extension Transaction {
    /// The blobs that a person's deltas list, if what the person writes does not count, and else those of private moments to which the
    /// person does not belong, as far as is known, or did not all the time.
    func blobsHeldBack(of person: Int64) throws -> Set<BlobName> {
        let counts = memory.persons[person]?.level.map { $0 >= .attendee } ?? false
        return counts ? try doubtfulBlobs(of: person) : try listedBlobs(of: person)
    }

    /// What a person's deltas list that were not deleted, or all: what was let go of may come back.
    fileprivate func listedBlobs(of person: Int64, orDeleted takesAll: Bool = false) throws -> Set<BlobName> {
        var names: Set<BlobName> = []
        for branch in memory.contentBranches(of: person) {
            let sql = "SELECT id FROM journal WHERE branch = ? AND (erased <> 1 OR ?) ORDER BY id"
            let rows = try rows(sql, [branch, takesAll])
            for row in rows { names.formUnion(try blobs(listedBy: row["id"])) }
        }
        return names
    }

    /// What is listed, by a person or all, under keys that are not here, or for private moments to which the author does not belong, as far
    /// as is known, or did not all the time.
    fileprivate func doubtfulBlobs(of person: Int64?) throws -> Set<BlobName> {
        var names: Set<BlobName> = []
        var isOfPart: [DoubtfulPart: Bool] = [:]
        for branch in person.map({ memory.contentBranches(of: $0).map(Optional.some) }) ?? [nil] {
            let sql = """
                SELECT journal.id, branch, audience FROM journal JOIN epoch ON epoch.id = journal.epoch
                WHERE erased = 0 AND (?1 IS NULL OR branch = ?1) AND (audience <> 0 OR audience IS NULL OR key IS NULL)
                """
            for row in try rows(sql, [branch]) {
                let part = DoubtfulPart(branch: row["branch"], audience: row["audience"])
                let isDoubtful = isOfPart[part] ?? isInDoubt(part)
                isOfPart[part] = isDoubtful
                if isDoubtful { names.formUnion(try blobs(listedBy: row["id"])) }
            }
        }
        return names
    }

    private func isInDoubt(_ part: DoubtfulPart) -> Bool {
        guard let audience = part.audience, audience != 0, case .guests? = memory.audiences[audience] else {
            return part.audience ?? 0 == 0
        }
        let device = memory.branches[part.branch].flatMap { memory.devices[$0.device] }
        guard let author = device.flatMap({ memory.persons[$0.person]?.name }) else { return true }
        return !members(of: audience).contains(author) || memory.guests[audience]?.isCut(author) == true
    }

    private func blobs(listedBy row: Int64) throws -> [BlobName] {
        try stored(row)?.delta.header.blobs.map(\.name) ?? []
    }
}

/// What one device wrote for one audience; nil: for one that is not known, as its key is not here.
private struct DoubtfulPart: Hashable {
    let branch: Int64
    let audience: Int64?
}
