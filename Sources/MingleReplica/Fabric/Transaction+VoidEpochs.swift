// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// Epochs that do not count, since a cut says that whoever made them was out by then, and under which people wrote who did not
/// know it yet. What they wrote counts, and nobody who comes later could read it.
extension Transaction {
    /// Keys that give all that are at hand, of epochs that count and then of those that do not, if something that counts is under them.
    func keysToHandOn(of audience: Int64) throws -> [HeldEpoch] {
        try keysToHandOn(of: try countingEpochs(of: audience))
    }

    /// The same, of epochs that are at hand.
    func keysToHandOn(of counting: CountingEpochs) throws -> [HeldEpoch] {
        let known = try knownEpochs(of: counting)
        let kept = try keysAtHand(among: known, of: counting.audience)
        return try kept + voidEpochs(besides: kept, but: Set(known.map(\.row)), of: counting.audience)
    }

    /// At most 16, those first under which most people besides the maker wrote: so that nobody who is out crowds out others' by keys of no use.
    private func voidEpochs(
        besides kept: [HeldEpoch],
        but known: Set<Int64>,
        of audience: Int64
    ) throws -> [HeldEpoch] {
        // Most often each key at hand is of one that counts.
        guard memory.epochAudiences.values.count(where: { $0 == audience }) > known.count else { return [] }
        let void = try usedEpochs(of: audience, but: known)
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
        let sql = """
            SELECT \(HeldEpoch.columns), epoch_writer.delta, device.person, maker.person
            FROM epoch JOIN journal AS making ON making.id = epoch.delta JOIN branch AS source ON source.id = making.branch
                JOIN device AS maker ON maker.id = source.device
                JOIN epoch_writer ON epoch_writer.epoch = epoch.id JOIN branch ON branch.id = epoch_writer.branch
                JOIN device ON device.id = branch.device
            WHERE epoch.audience = ?1 AND key IS NOT NULL
                AND (?1 <> 0 OR rank IS NULL OR rank > \(Level.attendee.rawValue))
            ORDER BY epoch.id
            """
        let writings = try db.all(sql) {
            $0.add(audience)
        } read: { columns in
            let isOther = !counting.contains(columns.integer(0))
            return (
                epoch: try isOther ? held(columns) : nil, written: columns.integer(4), person: columns.integer(5),
                maker: columns.integer(6)
            )
        }
        var used: [(epoch: HeldEpoch, writers: Set<Int64>, maker: Int64)] = []
        for writing in writings {
            guard let epoch = writing.epoch, try isIn(audience, wroteAt: writing.written, by: writing.person) else {
                continue
            }
            if used.last?.epoch.row != epoch.row { used.append((epoch, [], writing.maker)) }
            used[used.count - 1].writers.insert(writing.person)
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
            SELECT carried.epoch, carried.carried FROM carried JOIN epoch ON epoch.id = carried.epoch
            WHERE epoch.audience = ?
            """
        let pairs = try transaction.db.all(sql) {
            $0.add(audience)
        } read: {
            (epoch: $0.integer(0), next: $0.integer(1))
        }
        for (epoch, next) in pairs { carried[epoch, default: []].insert(next) }
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
