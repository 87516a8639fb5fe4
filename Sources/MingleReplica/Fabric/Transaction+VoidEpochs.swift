// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleModel
import MingleWire

/// Epochs that do not count, since a cut says that whoever made them was out by then, and under which people wrote who did not
/// know it yet. What they wrote counts, and nobody who comes later could read it.
extension Transaction {
    /// Keys that give all that are at hand, of epochs that count and then of those that do not, if something that counts is under them.
    func keysToHandOn(of audience: Int64) throws -> [HeldEpoch] {
        let kept = try keysAtHand(of: audience)
        return try kept + voidEpochs(of: audience, besides: kept)
    }

    /// At most 16, those first under which most people besides the maker wrote: so that nobody who is out crowds out others' by keys of no use.
    private func voidEpochs(of audience: Int64, besides kept: [HeldEpoch]) throws -> [HeldEpoch] {
        let void = try usedEpochs(of: audience, but: Set(countingEpochs(of: audience).map(\.row)))
        guard !void.isEmpty else { return [] }
        let carried = try CarriedEpochs(of: audience, in: self).reach(of: kept.map(\.row))
        let order = void.sorted { ($1.others, $0.epoch.id) < ($0.others, $1.epoch.id) }.map(\.epoch)
        return Array(
            try understood(order, of: audience).filter { !carried.contains($0.row) }.prefix(Self.keysHandedOn)
        )
    }

    /// Epochs but some under which something is that counts, with how many people besides the maker wrote that; of the event only
    /// those that nobody made who counts.
    ///
    /// Only what its maker's own journal says to have made: others name any maker, and honest nodes would say it after them.
    private func usedEpochs(of audience: Int64, but counting: Set<Int64>) throws -> [(epoch: HeldEpoch, others: Int)] {
        let writings = try rows(
            """
            SELECT epoch.id, epoch.name, rules, obeys, epoch_writer.delta AS written, device.person, maker.person AS maker
            FROM epoch JOIN journal AS making ON making.id = epoch.delta JOIN branch AS source ON source.id = making.branch
                JOIN device AS maker ON maker.id = source.device
                JOIN epoch_writer ON epoch_writer.epoch = epoch.id JOIN branch ON branch.id = epoch_writer.branch
                JOIN device ON device.id = branch.device
            WHERE epoch.audience = ?1 AND key IS NOT NULL
                AND (?1 <> 0 OR rank IS NULL OR rank > \(Level.attendee.rawValue))
            ORDER BY epoch.id
            """,
            [audience]
        )
        var used: [(epoch: HeldEpoch, writers: Set<Int64>, maker: Int64)] = []
        for row in writings where !counting.contains(row["id"]) {
            let person: Int64 = row["person"]
            guard try isIn(audience, wroteAt: row["written"], by: person), let epoch = try held(row) else { continue }
            if used.last?.epoch.row != epoch.row { used.append((epoch, [], row["maker"])) }
            used[used.count - 1].writers.insert(person)
        }
        return used.map { ($0.epoch, $0.writers.subtracting([$0.maker]).count) }
    }

    /// Whether somebody belonged to an audience where a delta stands.
    private func isIn(_ audience: Int64, wroteAt row: Int64, by person: Int64) throws -> Bool {
        guard let name = memory.persons[person]?.name, let level = try level(of: row, by: person), level.isPeople else {
            return false
        }
        return try isIn(audience, name, at: row, level: level)
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
