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
        let row = try epochRow(epoch.id)
        let rank = try level(of: delta, by: author.person)
        // Who takes no part any more cannot say that somebody has a key.
        for label in epoch.labels where rank.map({ $0 >= .attendee }) ?? false {
            try run("INSERT OR IGNORE INTO slot (epoch, label) VALUES (?, ?)", [row, Int64(bitPattern: label)])
        }
        if isMade(epoch, by: author) {
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
        // Whatever somebody seals to a relay stays sealed.
        guard !replica.own.isRelay else { return }
        if let key = memory.epochKeys[epoch.id] ?? open(epoch, by: author) { try hold(key, of: epoch.id) }
    }

    /// Whether a delta makes its epoch, as the id commits to; the event's first is the founder's.
    private func isMade(_ epoch: EpochSlots, by author: DeviceRow) -> Bool {
        guard let rules = epoch.rules else { return memory.persons[author.person]?.level == .founder }
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

    /// Holds an epoch's key and those that it carries, and reads what had been waiting for them.
    func hold(_ key: Secret, of epoch: EpochID) throws {
        // Each is looked at once, so that a ring of epochs comes to an end.
        var (pending, seen) = ([(key, epoch)], Set<EpochID>())
        while let (key, epoch) = pending.popLast() {
            guard seen.insert(epoch).inserted else { continue }
            let row = try epochRow(epoch)
            if memory.epochKeys[epoch] == nil { try hold(key, of: epoch, at: row) }
            for carried in try carried(by: row, under: key) {
                let id = EpochSlots.id(
                    key: carried.key,
                    event: replica.event,
                    audience: EpochSlots.eventAudience(replica.event),
                    rules: carried.rules
                )
                try run("INSERT OR IGNORE INTO carried (epoch, carried) VALUES (?, ?)", [row, try epochRow(id)])
                pending.append((carried.key, id))
            }
        }
    }

    private func hold(_ key: Secret, of epoch: EpochID, at row: Int64) throws {
        try run("UPDATE epoch SET key = ? WHERE id = ?", [Data(key.exposed()), row])
        memory.hold(key, of: epoch)
        // All content comes behind the fabric anyway while everything is worked out anew.
        guard !isReplaying else { return }
        for locked in try rows("SELECT id FROM journal WHERE epoch = ? AND payload IS NOT NULL", [row]) {
            try applyAgain(locked["id"])
        }
    }

    private func carried(by epoch: Int64, under key: Secret) throws -> [EpochMaking.Key] {
        guard let bytes: Data = try row("SELECT carried FROM epoch WHERE id = ?", [epoch])?["carried"] else {
            return []
        }
        let length = EpochMaking.carriedLength
        let entries = stride(from: 0, to: bytes.count, by: length).map { [UInt8](bytes.dropFirst($0).prefix(length)) }
        return EpochMaking(obeys: [], carried: entries).open(under: key)
    }

    // MARK: - Which to write under

    /// What a new epoch has to obey: each removal that counts, and each invitation that is closed.
    ///
    /// Of more than an epoch lists the lowest are meant, so that an event with thousands of them goes on.
    func concerns() -> Set<UInt64> {
        let all = memory.authority.removals.map(\.id.hash) + memory.authority.closedInvitations.map(\.raw.prefix)
        return all.count > Limits.obeyedPerEpoch ? Set(Set(all).sorted().prefix(Limits.obeyedPerEpoch)) : Set(all)
    }

    /// The clean epoch to write under; nil if none that is at hand obeys all that is known.
    ///
    /// Those come first that a host made, so that no attendee's wins that leaves people out, and then the lowest id.
    func cleanEpoch() throws -> (id: EpochID, key: Secret)? {
        let concerns = concerns()
        let counting = try rows(
            """
            SELECT name, obeys FROM epoch WHERE rank <= \(Level.attendee.rawValue) AND key IS NOT NULL
            ORDER BY rank > \(Level.host.rawValue), name
            """,
            []
        )
        for row in counting {
            let name = try EpochID(column: row["name"])
            guard concerns.isSubset(of: labels(row["obeys"])), let key = memory.epochKeys[name] else { continue }
            return (name, key)
        }
        return nil
    }

    private func labels(_ column: Data?) -> Set<UInt64> {
        let bytes = [UInt8](column ?? Data())
        return Set(stride(from: 0, to: bytes.count, by: 8).map { UInt64(bigEndianAt: $0, of: bytes.span) })
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        appendBigEndian(to: &bytes)
        return bytes
    }
}
