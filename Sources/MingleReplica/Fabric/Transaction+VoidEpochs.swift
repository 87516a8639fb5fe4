// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// Epochs that do not count, since a cut says that whoever made them was out by then, and under which people wrote who did not
/// know it yet. What they wrote counts, and nobody who comes later could read it.
extension Transaction {
    /// Keys that give all that are at hand, of epochs that count and then of those that do not, if others wrote under them.
    func keysToHandOn(of audience: Int64) throws -> [HeldEpoch] {
        let kept = try keysAtHand(of: audience)
        return try kept + voidEpochs(of: audience, besides: kept)
    }

    /// At most 16, those first under which most people wrote: so that nobody who is out crowds out others' by keys of no use.
    private func voidEpochs(of audience: Int64, besides kept: [HeldEpoch]) throws -> [HeldEpoch] {
        // In a private audience nothing counts of who never belonged to it, and anybody may make a key that says that it is for it.
        let members = audience == 0 ? [] : everMembers(of: audience).compactMap { memory.personIDs[$0] }
        let found = try rows(
            """
            SELECT epoch.id, epoch.name, rules, obeys, count(DISTINCT person) AS writers FROM epoch
            JOIN epoch_writer ON epoch_writer.epoch = epoch.id JOIN device ON device.id = epoch_writer.device
            WHERE audience = ?1 AND key IS NOT NULL AND person IS NOT maker
                AND (?1 = 0 OR person IN (SELECT value FROM json_each(?2))) AND (?1 <> 0 OR rank IS NULL OR rank > \(Level.attendee.rawValue))
            GROUP BY epoch.id ORDER BY writers DESC, epoch.name
            """,
            [audience, "\(members)"]
        )
        .compactMap(held)
        guard !found.isEmpty else { return [] }
        let counting = Set(try countingEpochs(of: audience).map(\.row))
        let void = found.filter { !counting.contains($0.row) }
        guard !void.isEmpty else { return [] }
        let carried = try CarriedEpochs(of: audience, in: self).reach(of: kept.map(\.row))
        return Array(
            try understood(void, of: audience).filter { !carried.contains($0.row) }.prefix(Self.keysHandedOn)
        )
    }
}

/// Which epochs of an audience carry the keys of which others.
struct CarriedEpochs {
    private var carried: [Int64: Set<Int64>] = [:]

    /// Reads what those whose keys are at hand carry.
    init(of audience: Int64, in transaction: Transaction) throws {
        let sql = """
            SELECT carried.epoch, carried.carried AS next FROM carried JOIN epoch ON epoch.id = carried.epoch
            WHERE epoch.audience = ?
            """
        for row in try transaction.rows(sql, [audience]) { carried[row["epoch"], default: []].insert(row["next"]) }
    }

    /// The epochs whose keys follow from those of some.
    func reach(of epochs: [Int64]) -> Set<Int64> {
        var (reached, pending) = (Set<Int64>(), epochs)
        while let epoch = pending.popLast() {
            for next in carried[epoch] ?? [] where reached.insert(next).inserted { pending.append(next) }
        }
        return reached
    }
}
