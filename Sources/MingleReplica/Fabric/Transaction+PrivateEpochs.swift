// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// The keys of private audiences, which travel in content journals.
extension Transaction {
    /// Takes in a private epoch: opens the slot that is for this device, if there is one.
    func apply(_ epoch: PrivateEpoch, at delta: Int64, author: DeviceRow) throws {
        guard !replica.own.isRelay else { return }
        // A key is good whoever brings it: its id says what it is for, and what is sealed under it is judged by itself.
        let row = try epochRow(epoch.id)
        // Its key may come another way, and then its terms are looked at.
        try run("INSERT OR IGNORE INTO epoch_mention (epoch, delta) VALUES (?, ?)", [row, delta])
        // A door opens what is for everybody alone, also where somebody invites it to more.
        guard !replica.own.isDoor else { return }
        if let key = memory.epochKeys[epoch.id] {
            guard let terms = epoch.terms(under: key, in: replica.event) else { return }
            try note(terms, of: row, at: delta, author: author)
            return try hold(key, of: epoch.id, in: try audienceRow(terms.audience))
        }
        guard let secret = memory.secret(replica.own.agreement, with: author), let key = epoch.openSlot(secret: secret),
            let terms = epoch.terms(under: key, in: replica.event)
        else { return }
        try hold(key, of: epoch.id, in: try audienceRow(terms.audience))
    }

    /// Reads the terms in all deltas about an epoch whose key has just come.
    func readTerms(of epoch: EpochID, at row: Int64, under key: Secret) throws {
        // This device may have to renew or to hand on what it has now.
        outcome.changedKinds.insert("people")
        // Nor does it count what others said of it in the event's name.
        try run("DELETE FROM slot WHERE epoch = ?", [row])
        for delta in try rows("SELECT delta FROM epoch_mention WHERE epoch = ?", [row]).map({ $0["delta"] as Int64 }) {
            guard let stored = try stored(delta), let payload = stored.delta.payload,
                let terms = try? PrivateEpoch(decoding: payload).terms(under: key, in: replica.event)
            else { continue }
            try note(terms, of: row, at: delta, author: stored.device)
        }
    }

    /// Reads the terms again of an audience's epochs of which a person spoke who has come to belong to it, or does no more:
    /// for whom that person sealed keys counts only of who belongs to it.
    func readTermsAgain(by person: Int64, of audience: Int64) throws {
        let epochs = try rows(
            """
            SELECT DISTINCT epoch.id, epoch.name FROM epoch
            JOIN epoch_mention ON epoch_mention.epoch = epoch.id JOIN journal ON journal.id = epoch_mention.delta
            JOIN branch ON branch.id = journal.branch JOIN device ON device.id = branch.device
            WHERE epoch.audience = ? AND device.person = ? ORDER BY epoch.id
            """,
            [audience, person]
        )
        for row in epochs {
            let name = try EpochID(column: row["name"])
            if let key = memory.epochKeys[name] { try readTerms(of: name, at: row["id"], under: key) }
        }
    }

    private func note(_ terms: PrivateTerms, of epoch: Int64, at delta: Int64, author: DeviceRow) throws {
        let audience = try audienceRow(terms.audience)
        try run(
            "UPDATE epoch SET rules = ?, obeys = ?, carried = ? WHERE id = ?",
            [
                Data(terms.making.rules(maker: terms.maker).bytes),
                Data(terms.making.obeys.flatMap(\.bigEndianBytes)), Data(terms.making.carried.joined()), epoch,
            ]
        )
        if terms.maker == author.name {
            // Said again it is the same; what counts is where it was said first.
            try run(
                """
                UPDATE epoch SET delta = ? WHERE id = ?
                    AND (delta IS NULL OR (SELECT sequence FROM journal WHERE journal.id = ?1)
                        < (SELECT sequence FROM journal WHERE journal.id = delta))
                """,
                [delta, epoch]
            )
        }
        guard let person = memory.persons[author.person]?.name, let level = try level(of: delta, by: author.person),
            try isIn(audience, person, at: delta, level: level)
        else { return }
        for label in terms.recipients { try noteSlot(of: epoch, for: label, by: author) }
    }
}
