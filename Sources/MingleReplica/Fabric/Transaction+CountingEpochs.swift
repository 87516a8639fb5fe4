// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire

/// A key at hand, with what its epoch's id commits to besides.
struct HeldEpoch {
    let row: Int64
    let id: EpochID
    let key: Secret
    let rules: Bytes32?
    let obeys: Set<UInt64>
}

/// An epoch that counts and whose key is at hand.
struct MadeEpoch {
    let epoch: HeldEpoch
    /// The device that made it.
    let device: DeviceRow
    /// Whether who leads made it: a host, or the owner of a private audience.
    let isLeaders: Bool
}

/// The epochs of an audience that count and whose keys are at hand, in the order in which they are used.
///
/// Those come first that a host made, or the owner of a private audience, so that nobody else's wins that leaves people
/// out, and then the lowest id.
struct CountingEpochs {
    let audience: Int64
    let made: [MadeEpoch]

    /// How many are looked at.
    fileprivate static let limit = 256
}

extension Transaction {
    /// Reads the epochs of an audience that count.
    func countingEpochs(of audience: Int64) throws -> CountingEpochs {
        CountingEpochs(audience: audience, made: try audience == 0 ? eventEpochs() : privateEpochs(of: audience))
    }

    private func eventEpochs() throws -> [MadeEpoch] {
        let sql = """
            SELECT \(HeldEpoch.columns), device, rank <= \(Level.host.rawValue) AS leads FROM epoch
            JOIN journal ON journal.id = delta JOIN branch ON branch.id = journal.branch
            WHERE audience = 0 AND rank <= \(Level.attendee.rawValue) AND key IS NOT NULL
            ORDER BY leads DESC, name
            """
        return try db.all(sql) { _ in
        } read: { columns in
            guard let epoch = try held(columns), let device = memory.devices[columns.integer(4)] else { return nil }
            return MadeEpoch(epoch: epoch, device: device, isLeaders: columns.integer(5) == 1)
        }
        .compactMap(\.self)
    }

    /// The same for a private audience: whether a maker belonged to it is looked up each time.
    ///
    /// Of each device the last 256: who makes more is a flooder, or has the last ones carry the others.
    private func privateEpochs(of audience: Int64) throws -> [MadeEpoch] {
        guard let owner = memory.audiences[audience].map(\.owner) else { return [] }
        let sql = """
            SELECT \(HeldEpoch.columns), device, delta FROM (
                SELECT \(HeldEpoch.columns), device, delta,
                    row_number() OVER (PARTITION BY device ORDER BY journal.sequence DESC, name) AS place
                FROM epoch JOIN journal ON journal.id = delta JOIN branch ON branch.id = journal.branch
                WHERE audience = ? AND key IS NOT NULL
            ) AS epoch
            WHERE place <= \(CountingEpochs.limit) ORDER BY name
            """
        let read = try db.all(sql) {
            $0.add(audience)
        } read: { columns in
            (epoch: try held(columns), device: memory.devices[columns.integer(4)], delta: columns.integer(5))
        }
        let made = try read.compactMap { row -> MadeEpoch? in
            guard let epoch = row.epoch, let device = row.device, let name = memory.persons[device.person]?.name,
                let level = try level(of: row.delta, by: device.person),
                try isIn(audience, name, at: row.delta, level: level)
            else { return nil }
            return MadeEpoch(epoch: epoch, device: device, isLeaders: name == owner)
        }
        return made.filter(\.isLeaders) + made.filter { !$0.isLeaders }
    }

    /// An epoch whose key is at hand, from the columns that it is read from.
    func held(_ columns: Columns) throws -> HeldEpoch? {
        let name = EpochID(try columns.bytes32(1))
        guard let key = memory.epochKeys[name] else { return nil }
        return HeldEpoch(
            row: columns.integer(0),
            id: name,
            key: key,
            rules: try columns.isNull(2) ? nil : columns.bytes32(2),
            obeys: Set([UInt64](bigEndian: columns.bytes(3) ?? []))
        )
    }

    /// The first 256 that this device may hand on.
    ///
    /// Only of those some are left out: else who writes many with low ids, or that obey what nobody said, would leave none.
    func knownEpochs(of counting: CountingEpochs) throws -> [HeldEpoch] {
        Array(try understood(counting.made.map(\.epoch), of: counting.audience).prefix(CountingEpochs.limit))
    }

    static let keysHandedOn = 16

    /// Keys that give all others, of epochs that count and that this device may hand on: none of them is carried by what another one
    /// leads to.
    ///
    /// Those that come first are written under first; of more than 16 the rest is left to those who made them.
    func keysAtHand(of counting: CountingEpochs) throws -> [HeldEpoch] {
        try keysAtHand(among: knownEpochs(of: counting), of: counting.audience)
    }

    /// The same, of some of an audience's epochs.
    func keysAtHand(among known: [HeldEpoch], of audience: Int64) throws -> [HeldEpoch] {
        guard known.count > 1 else { return known }
        let carrying = try CarriedEpochs(of: audience, in: self)
        // One after the other goes whatever another one leads to; of a ring, which only liars make, one stays.
        var kept = known.map(\.row)
        for epoch in kept.reversed() where carrying.reach(of: kept.filter { $0 != epoch }).contains(epoch) {
            kept.removeAll { $0 == epoch }
        }
        let chosen = Set(kept.prefix(Self.keysHandedOn))
        return known.filter { chosen.contains($0.row) }
    }
}

extension HeldEpoch {
    /// What an epoch is read from, and in which order: see ``Transaction/held(_:)``.
    static let columns = "epoch.id, epoch.name, epoch.rules, epoch.obeys"
}
