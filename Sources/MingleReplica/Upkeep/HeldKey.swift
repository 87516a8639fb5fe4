// SPDX-License-Identifier: Apache-2.0

import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// The key of an epoch as a database holds it, and what the epoch's name commits to besides.
struct HeldKey {
    let epoch: EpochID
    let key: Secret
    /// Whom it is for; nil if that cannot be read.
    let audience: Audience?
    /// The rules of the epoch's making, once that has come.
    let rules: Bytes32?
    /// Whether that has come.
    let isMade: Bool

    /// All that a database holds; what cannot be read is left out.
    static func all(in db: Database) throws -> [HeldKey] {
        var terms = TableScan(table: "audience", columns: ["terms"])
        let audiences = try terms.run(db) { columns in columns.bytes(1).flatMap { Audience(bytes: $0) } }
        var scan = TableScan(table: "epoch", columns: ["name", "key", "rules", "delta", "audience"])
        let keys = try scan.run(db) { columns -> HeldKey? in
            guard let key = columns.bytes(2), key.count == 32 else { return nil }
            // Before there were others, the only audience was the event.
            let audience = columns.isNull(5) ? 0 : columns.integer(5)
            return HeldKey(
                epoch: EpochID(try columns.bytes32(1)),
                key: Secret(key),
                audience: audience == 0 ? .event : audiences[audience] ?? nil,
                rules: columns.isNull(3) ? nil : try columns.bytes32(3),
                isMade: !columns.isNull(4)
            )
        }
        return keys.sorted { $0.key < $1.key }.compactMap(\.value)
    }

    /// Whether the epoch's name commits to this key, under rules that its making is said to have: a proof, whoever says so.
    func fits(_ rules: Bytes32?, in event: EventID) -> Bool {
        guard let audience else { return false }
        return EpochSlots.id(key: key, event: event, audience: audience.id(in: event), rules: rules) == epoch
    }

    /// Whether the key is certainly another one; before the epoch's making has come nobody can tell.
    func isWrong(in event: EventID) -> Bool { isMade && !fits(rules, in: event) }
}
