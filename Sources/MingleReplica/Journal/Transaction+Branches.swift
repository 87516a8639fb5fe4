// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

/// Of a journal's ways from its beginning to a tip, the four count that come first in the order of the hashes where they
/// part. Any order of arrival leaves the same four: what was refused or dropped would never come among them again.
extension Transaction {
    /// A way from a journal's beginning: each branch on it, with the last sequence that belongs to the way.
    private typealias Way = [(branch: Int64, last: UInt32)]

    /// Makes a branch that leaves another, and drops the one that no longer counts; nil if that is the new one.
    func fork(_ first: Delta, of device: DeviceRow, parent: Int64?, leaves: UInt32) throws -> Int64? {
        let journal = first.header.journal
        let others = memory.branches(of: device.id, journal)
        guard others.count >= Limits.branchesPerJournal else {
            return try makeBranch(of: device, journal, parent: parent, leaves: leaves)
        }
        let new: Int64 = 0
        var last = new
        for branch in others where try isBefore(last, branch.id, new: first, leaving: parent, at: leaves) {
            last = branch.id
        }
        guard last != new else { return nil }
        let made = try makeBranch(of: device, journal, parent: parent, leaves: leaves)
        let kept = try drop(last, of: device, journal)
        // The rest of the dropped branch may go on as the new one.
        return kept == made ? last : made
    }

    /// Whether another held header fits the reference of one that just came; then only the lowest hash counts.
    func isShadowed(_ reference: Reference, at row: Int64) throws -> Bool {
        guard memory.isAmbiguous(reference) else { return false }
        var rows: Set<Int64> = [row]
        for device in memory.devices.beginning(with: reference.device) {
            for branch in memory.branches(of: device.id, reference.journal) {
                let found = try self.row(
                    "SELECT id FROM journal WHERE branch = ? AND sequence = ? AND substr(hash, 1, 8) = ?",
                    [branch.id, Int64(reference.sequence), reference.hash.blob]
                )
                if let found { rows.insert(found["id"]) }
            }
        }
        return rows.count > 1
    }

    private func isBefore(
        _ one: Int64,
        _ other: Int64,
        new first: Delta,
        leaving parent: Int64?,
        at leaves: UInt32
    ) throws -> Bool {
        func way(_ branch: Int64) -> Way {
            branch == 0 ? self.way(to: parent, last: leaves) + [(0, first.header.sequence)] : self.way(to: branch)
        }
        func hash(_ branch: Int64, at sequence: UInt32) throws -> HeaderHash {
            guard branch == 0 else { return try self.hash(branch: branch, sequence: sequence) }
            return sequence == first.header.sequence
                ? first.hash : try self.hash(branch: parent ?? 0, sequence: sequence)
        }
        let (mine, theirs) = (way(one), way(other))
        let common = zip(mine, theirs).prefix { $0 == $1 }.count
        guard common < mine.count, common < theirs.count else { return false }
        let parting =
            mine[common].branch == theirs[common].branch
            ? min(mine[common].last, theirs[common].last) : common == 0 ? 0 : mine[common - 1].last
        return try hash(one, at: parting + 1) < hash(other, at: parting + 1)
    }

    private func way(to branch: Int64?, last: UInt32? = nil) -> Way {
        guard let branch, let row = memory.branches[branch] else { return [] }
        return way(to: row.parent, last: row.leaves) + [(branch, last ?? row.tipSequence)]
    }

    /// Forgets the headers that only the way to this branch's tip needs.
    ///
    /// - Returns: the branch that now goes on in this one's place, if others left it.
    private func drop(_ id: Int64, of device: DeviceRow, _ journal: Journal) throws -> Int64? {
        let children = memory.branches(of: device.id, journal).filter { $0.parent == id }
        mustRecompute = true
        guard let heir = children.max(by: { ($0.leaves, $1.id) < ($1.leaves, $0.id) }) else {
            try dropHeaders(of: id, after: 0)
            try run("DELETE FROM branch WHERE id = ?", [id])
            try noteWritersAgain(of: id)
            try memory.reloadBranches(db)
            return nil
        }
        let hash = try hash(branch: id, sequence: heir.leaves)
        try dropHeaders(of: id, after: heir.leaves)
        try run("UPDATE journal SET branch = ? WHERE branch = ?", [id, heir.id])
        try run("UPDATE branch SET parent = ? WHERE parent = ?", [id, heir.id])
        try run("DELETE FROM branch WHERE id = ?", [heir.id])
        for branch in [id, heir.id] { try noteWritersAgain(of: branch) }
        let isEmpty = heir.tipSequence == 0
        try run(
            "UPDATE branch SET tip_sequence = ?, tip_hash = ? WHERE id = ?",
            [Int64(isEmpty ? heir.leaves : heir.tipSequence), (isEmpty ? hash : heir.tipHash).column, id]
        )
        try memory.reloadBranches(db)
        return heir.id
    }

    /// Forgets the headers of a branch behind one, and that any of their payloads are waited for.
    private func dropHeaders(of branch: Int64, after sequence: UInt32) throws {
        let place = "WHERE branch = ? AND sequence > ?"
        let missing = "SELECT id FROM journal \(place) AND payload IS NULL AND erased = 0"
        let names = try Names(db)
        for row in try rows(missing, [branch, Int64(sequence)]) {
            outcome.settledPayloads.append(try names.reference(row["id"]))
        }
        try run("DELETE FROM journal \(place)", [branch, Int64(sequence)])
    }

    /// Notes anew under which epochs the deltas of a branch are that were moved or forgotten.
    private func noteWritersAgain(of branch: Int64) throws {
        try run("DELETE FROM epoch_writer WHERE branch = ?", [branch])
        try run(
            """
            INSERT INTO epoch_writer
                SELECT epoch, branch, delta FROM (\(Schema.writersOfJournals) WHERE branch = ? AND epoch <> 0 GROUP BY epoch)
            """,
            [branch]
        )
    }
}
