// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// The keys of the event: who made them, what their makers knew, and which are at hand.
extension Transaction {
    /// Takes in slots of an epoch, opens one's own, and learns of an epoch that the delta makes.
    func apply(_ epoch: EpochSlots, at delta: Int64, author: DeviceRow) throws {
        // An id commits to its audience, so one of another audience is none of the event's.
        guard memory.epochAudiences[epoch.id] ?? 0 == 0 else { return }
        let row = try epochRow(epoch.id)
        try run("INSERT OR IGNORE INTO epoch_mention (epoch, delta) VALUES (?, ?)", [row, delta])
        let rank = try level(of: delta, by: author.person)
        // Who takes no part any more cannot say that somebody has a key.
        for label in epoch.labels where rank.map({ $0 >= .attendee }) ?? false {
            try noteSlot(of: row, for: label, by: author)
        }
        if let key = memory.epochKeys[epoch.id] {
            try note(epoch, of: row, at: delta, by: author, under: key)
            return try hold(key, of: epoch.id, in: 0)
        }
        // Whatever somebody seals to a relay stays sealed.
        guard !replica.own.isRelay, let key = open(epoch, by: author) else { return }
        try hold(key, of: epoch.id, in: 0)
    }

    /// Reads what was said about an epoch whose key has just come: only now it can be told what its id commits to.
    func readMakings(of epoch: Int64, under key: Secret) throws {
        for row in try rows("SELECT delta FROM epoch_mention WHERE epoch = ? ORDER BY delta", [epoch]) {
            guard let stored = try stored(row["delta"]), stored.delta.header.journal == .fabric,
                let payload = stored.delta.payload, case .epoch(let said)? = try? FabricPayload(decoding: payload)
            else { continue }
            try note(said, of: epoch, at: row["delta"], by: stored.device, under: key)
        }
    }

    /// Notes who made an epoch, and what it obeys and carries, if the delta says so and the id commits to it.
    private func note(
        _ epoch: EpochSlots,
        of row: Int64,
        at delta: Int64,
        by author: DeviceRow,
        under key: Secret
    ) throws {
        let rank = try level(of: delta, by: author.person)
        let id = EpochSlots.id(key: key, event: replica.event, audience: epoch.audience, rules: epoch.rules)
        guard isMade(epoch, by: author), id == epoch.id else { return }
        // Said again it is the same; what counts is where it was said first.
        try run(
            """
            UPDATE epoch SET rules = ?, delta = ?, maker = ?, rank = ?, obeys = ?, carried = ? WHERE id = ?
                AND (delta IS NULL OR (SELECT sequence FROM journal WHERE journal.id = ?2)
                    < (SELECT sequence FROM journal WHERE journal.id = delta))
            """,
            [
                epoch.rules.map { Data($0.bytes) }, delta, author.person, rank?.column,
                Data((epoch.making?.obeys ?? []).flatMap { $0.bigEndianBytes }),
                epoch.making.map { Data($0.carried.joined()) }, row,
            ]
        )
    }

    /// Whether a delta makes its epoch, as the id commits to; the event's first is the founder's, and carries nothing.
    private func isMade(_ epoch: EpochSlots, by author: DeviceRow) -> Bool {
        guard let rules = epoch.rules else {
            return epoch.making == nil && memory.persons[author.person]?.standing?.base == .founder
        }
        return epoch.making?.rules(maker: author.name) == rules
    }

    private func open(_ epoch: EpochSlots, by author: DeviceRow) -> Secret? {
        func open(_ label: UInt64, _ key: AgreementKey) -> Secret? {
            epoch.openSlot(label: label, own: key, author: author.agreementKey, event: replica.event)
        }
        let own = replica.own
        return open(own.name.raw.prefix, own.agreement)
            ?? own.invitation.flatMap { open($0.id.raw.prefix, $0.agreement) }
    }

    /// Holds the key of an audience's epoch and those that it carries, and reads what had been waiting for them.
    func hold(_ key: Secret, of epoch: EpochID, in audience: Int64) throws {
        // Each is looked at once, so that a ring of epochs comes to an end.
        var (pending, seen) = ([(key, epoch)], Set<EpochID>())
        while let (key, epoch) = pending.popLast() {
            guard seen.insert(epoch).inserted else { continue }
            let row = try epochRow(epoch)
            if memory.epochKeys[epoch] == nil { try hold(key, of: epoch, in: audience, at: row) }
            guard let value = memory.audiences[audience] else { continue }
            for carried in try carried(by: row, under: key) {
                let id = EpochSlots.id(
                    key: carried.key,
                    event: replica.event,
                    audience: value.id(in: replica.event),
                    rules: carried.rules
                )
                try run("INSERT OR IGNORE INTO carried (epoch, carried) VALUES (?, ?)", [row, try epochRow(id)])
                pending.append((carried.key, id))
            }
        }
    }

    private func hold(_ key: Secret, of epoch: EpochID, in audience: Int64, at row: Int64) throws {
        try run("UPDATE epoch SET key = ?, audience = ? WHERE id = ?", [Data(key.exposed()), audience, row])
        memory.hold(key, of: epoch, in: audience)
        try settleLineage(under: row, of: audience)
        if audience == 0 {
            try readMakings(of: row, under: key)
        } else {
            try readTerms(of: epoch, at: row, under: key)
        }
        // All that is for everybody comes behind the fabric anyway while everything is worked out anew.
        guard !isReplaying || audience != 0 else { return }
        for locked in try rows("SELECT id FROM journal WHERE epoch = ? AND payload IS NOT NULL", [row]) {
            try applyAgain(locked["id"])
        }
    }

    /// The keys that an epoch carries, as its id commits to; none where all of them were noted before.
    private func carried(by epoch: Int64, under key: Secret) throws -> [EpochMaking.Key] {
        let sql = """
            SELECT carried, (SELECT count(*) FROM carried WHERE epoch = ?1) AS noted FROM epoch
            WHERE id = ?1 AND carried IS NOT NULL
            """
        guard let row = try row(sql, [epoch]) else { return [] }
        let (bytes, noted): (Data, Int) = (row["carried"], row["noted"])
        let length = EpochMaking.carriedLength
        // Whoever comes later is handed the key by another delta of the same epoch.
        guard noted < bytes.count / length else { return [] }
        let entries = stride(from: 0, to: bytes.count, by: length).map { [UInt8](bytes.dropFirst($0).prefix(length)) }
        return EpochMaking(obeys: [], carried: entries).open(under: key)
    }
}
