// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

extension Transaction {
    /// The device that a run is of; its certificate may be in the run itself.
    func device(of run: Run) throws -> DeviceRow? {
        if let device = memory.devices[run.first.header.device] { return device }
        guard let certificate = opener.certificate(in: run) else { return nil }
        return try enrol(certificate)
    }

    /// Remembers a certified device and its person.
    func enrol(_ certificate: Certificate) throws -> DeviceRow {
        let name = certificate.deviceName(in: replica.event)
        let person = try personRow(certificate.person)
        try run(
            "INSERT INTO device (name, person, signing_key, agreement_key) VALUES (?, ?, ?, ?)",
            [name.column, person, Data(certificate.signingKey.bytes), Data(certificate.agreementKey.bytes)]
        )
        let device = DeviceRow(
            id: db.lastInsertedRowID,
            name: name,
            person: person,
            signingKey: certificate.signingKey,
            agreementKey: certificate.agreementKey
        )
        memory.add(device)
        return device
    }

    /// Lets a fabric delta take effect.
    func apply(_ payload: FabricPayload, of delta: Delta, device: DeviceRow) throws {
        outcome.changedKinds.insert("people")
        switch payload {
        case .certificate(let certificate):
            // The salt is not part of the device's name, so of several first headers one may bring it and others not.
            guard delta.header.sequence == 1, certificate.deviceName(in: replica.event) == device.name,
                certificate.isFounding(replica.event),
                certificate.isValid(in: replica.event, known: replica.knownSignatures)
            else { return }
            try admit(device.person, as: .founder)
        case .invitation(let terms):
            guard isFounder(device.person) else { return }
            try open(terms, at: delta.header.timestamp)
        case .admission(let invitation, let signature):
            try apply(admission: invitation, signature, of: delta, device: device)
        case .epoch(let epoch):
            guard isFounder(device.person), epoch.audience == EpochSlots.eventAudience(replica.event) else { return }
            try apply(epoch, author: device)
        }
    }

    /// Holds an epoch's key and reads what had been waiting for it.
    func hold(_ key: Secret, of epoch: EpochID) throws {
        let row = try epochRow(epoch)
        guard memory.epochKeys[epoch] == nil else { return }
        try run("UPDATE epoch SET key = ? WHERE id = ?", [Data(key.exposed()), row])
        memory.hold(key, of: epoch)
        for locked in try rows("SELECT id FROM journal WHERE epoch = ? AND payload IS NOT NULL", [row]) {
            try applyAgain(locked["id"])
        }
    }

    private func isFounder(_ person: Int64) -> Bool {
        memory.persons[person]?.level == Int64(Level.founder.rawValue)
    }

    private func open(_ terms: InvitationTerms, at timestamp: Timestamp) throws {
        try run(
            // Of several terms for one invitation the earliest count, whichever came first.
            """
            INSERT INTO invitation (id, terms, level, expires, uses, made) VALUES (?, 1, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET level = excluded.level, expires = excluded.expires, uses = excluded.uses,
                made = excluded.made
            WHERE (excluded.made, excluded.level, ifnull(excluded.expires, -1), ifnull(excluded.uses, -1))
                < (made, level, ifnull(expires, -1), ifnull(uses, -1))
            """,
            [
                terms.id.column, Int64(terms.level.rawValue), terms.expires?.milliseconds, terms.uses.map { Int64($0) },
                timestamp.milliseconds,
            ]
        )
        for waiting in try rows("SELECT person, made FROM admission WHERE invitation = ?", [terms.id.column]) {
            try admit(waiting["person"], as: terms.level, at: waiting["made"])
        }
    }

    /// An admission counts if the invitation's key signed it and a host certified the invitation, in either order.
    private func apply(
        admission invitation: InvitationID,
        _ signature: Signature,
        of delta: Delta,
        device: DeviceRow
    ) throws {
        guard let person = memory.persons[device.person]?.name else { return }
        let statement = FabricPayload.admissionStatement(event: replica.event, person: person)
        guard signature.isValid(for: statement, by: invitation.raw, known: replica.knownSignatures) else { return }
        let made = delta.header.timestamp.milliseconds
        try run(
            """
            INSERT INTO admission (invitation, person, made) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET made = min(made, excluded.made)
            """,
            [invitation.column, device.person, made]
        )
        guard let terms = try row("SELECT level FROM invitation WHERE id = ?", [invitation.column]),
            let level = Level(rawValue: terms["level"])
        else { return }
        try admit(device.person, as: level, at: made)
    }

    /// Admits a person and lets everything that the person wrote take effect.
    ///
    /// Of several admissions that count the highest level does, and the earliest time.
    private func admit(_ person: Int64, as level: Level, at made: Int64? = nil) throws {
        let rank = Int64(level.rawValue)
        if let made {
            try run("UPDATE person SET joined = min(ifnull(joined, ?1), ?1) WHERE id = ?2", [made, person])
        }
        guard memory.persons[person]?.level.map({ rank < $0 }) ?? true else { return }
        try run("UPDATE person SET level = ? WHERE id = ?", [rank, person])
        memory.admit(person: person, level: rank)
        let written = try rows(
            """
            SELECT journal.id FROM device
            JOIN branch ON branch.device = device.id JOIN journal ON journal.branch = branch.id
            WHERE device.person = ? ORDER BY branch.journal, journal.branch, journal.sequence
            """,
            [person]
        )
        for row in written { try applyAgain(row["id"]) }
    }

    private func apply(_ epoch: EpochSlots, author: DeviceRow) throws {
        let row = try epochRow(epoch.id)
        try run("UPDATE epoch SET counts = 1 WHERE id = ?", [row])
        guard memory.epochKeys[epoch.id] == nil else { return }
        let own = replica.own
        let key =
            epoch.openSlot(
                label: own.name.raw.prefix,
                own: own.agreement,
                author: author.agreementKey,
                event: replica.event
            )
            ?? own.invitation.flatMap { invitation in
                epoch.openSlot(
                    label: invitation.id.raw.prefix,
                    own: invitation.agreement,
                    author: author.agreementKey,
                    event: replica.event
                )
            }
        if let key { try hold(key, of: epoch.id) }
    }

    private func personRow(_ person: PersonID) throws -> Int64 {
        if let id = memory.personIDs[person] { return id }
        try run("INSERT INTO person (name) VALUES (?)", [person.column])
        memory.add(person: db.lastInsertedRowID, name: person, level: nil)
        return db.lastInsertedRowID
    }
}
