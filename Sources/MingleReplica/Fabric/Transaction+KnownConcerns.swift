// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

/// Which keys this device may hand on.
extension Transaction {
    /// Those of some epochs that obey nothing of which this device has not read.
    ///
    /// One that obeys more says that somebody is out of whom this device has not heard, and handed on it might reach just that
    /// one: whoever brings journals may leave payloads out.
    func understood(_ epochs: [HeldEpoch], of audience: Int64) throws -> [HeldEpoch] {
        let current = concerns(of: audience).known
        guard epochs.contains(where: { !$0.obeys.isSubset(of: current) }) else { return epochs }
        let known = try current.union(everConcerns(of: audience))
        return epochs.filter { $0.obeys.isSubset(of: known) }
    }

    /// All that was ever said that keys of an audience obey, whether it counts still or not.
    private func everConcerns(of audience: Int64) throws -> Set<UInt64> {
        var known: Set<UInt64> = []
        // Moderators are out where they are not removed, too.
        let takesAnyCut = memory.audiences[audience]?.hasOwnKeys ?? false
        let sql = "SELECT hash FROM cut JOIN journal ON journal.id = delta WHERE level IS NULL OR ?"
        for row in try rows(sql, [takesAnyCut]) {
            known.insert(try HeaderHash(column: row["hash"]).raw.prefix)
        }
        guard audience != 0 else {
            for row in try rows("SELECT DISTINCT invitation FROM closing", []) {
                known.insert(try Bytes32(column: row["invitation"]).prefix)
            }
            return known
        }
        for row in try rows("SELECT id FROM invite WHERE audience = ?", [audience]) {
            known.formUnion(try everConcerns(ofInvite: row["id"]))
        }
        return known
    }

    /// Each end that its owner ever gave an invitation, as two devices that do not know of each other give two.
    private func everConcerns(ofInvite row: Int64) throws -> [UInt64] {
        guard let ends = Kind.invite.field(named: "ends") else { return [] }
        let id = try Names(db).reference(row)
        return try contributions(to: row, of: .invite).flatMap(\.changes).compactMap { change in
            guard change.field == ends.number, case .data(let bytes) = change.value else { return nil }
            return EpochMaking.concern(ofEnd: bytes, of: id)
        }
    }
}
