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

    /// Lets a fabric delta take effect; what it changes about levels does at the next ``settleLevels()``.
    func apply(_ payload: FabricPayload, of delta: Delta, device: DeviceRow) throws {
        outcome.changedKinds.insert("people")
        switch payload {
        case .certificate(let certificate):
            // The salt is not part of the device's name, so of several first headers one may bring it and others not.
            guard delta.header.sequence == 1, certificate.deviceName(in: replica.event) == device.name,
                certificate.isFounding(replica.event),
                certificate.isValid(in: replica.event, known: replica.knownSignatures)
            else { return }
            memory.authority.found(certificate.person)
        // What is said about levels by who is no host counts for nothing, and is looked at again if that changes.
        case .invitation, .grant, .closing:
            if isHost(device.person) { try govern(payload, of: delta, by: device.person) }
        case .admission(let invitation, let signature):
            try admit(by: invitation, signature, of: delta, device: device)
        case .epoch(let epoch):
            guard epoch.audience == EpochSlots.eventAudience(replica.event) else { return }
            try apply(epoch, author: device)
        }
    }

    /// Holds an epoch's key and reads what had been waiting for it.
    func hold(_ key: Secret, of epoch: EpochID) throws {
        let row = try epochRow(epoch)
        guard memory.epochKeys[epoch] == nil else { return }
        try run("UPDATE epoch SET key = ? WHERE id = ?", [Data(key.exposed()), row])
        memory.hold(key, of: epoch)
        // All content comes behind the fabric anyway while everything is worked out anew.
        guard !isReplaying else { return }
        for locked in try rows("SELECT id FROM journal WHERE epoch = ? AND payload IS NOT NULL", [row]) {
            try applyAgain(locked["id"])
        }
    }

    private func isHost(_ person: Int64) -> Bool { memory.persons[person]?.level.map { $0 >= .host } ?? false }

    private func apply(_ epoch: EpochSlots, author: DeviceRow) throws {
        // Hosts hand on keys to those whom they invite; a new epoch is the founder's to make.
        guard isHost(author.person) else { return }
        let row = try epochRow(epoch.id)
        if memory.persons[author.person]?.level == .founder {
            try run("UPDATE epoch SET counts = 1 WHERE id = ?", [row])
        }
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

    func personRow(_ person: PersonID) throws -> Int64 {
        if let id = memory.personIDs[person] { return id }
        try run("INSERT INTO person (name) VALUES (?)", [person.column])
        memory.add(person: db.lastInsertedRowID, name: person, level: nil)
        return db.lastInsertedRowID
    }
}
