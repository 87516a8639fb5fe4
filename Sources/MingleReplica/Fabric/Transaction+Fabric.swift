// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

extension Transaction {
    /// The device that a run is of; its certificate may be in the run itself.
    func device(of opened: OpenedRun) throws -> DeviceRow? {
        try memory.devices[opened.run.first.header.device] ?? opened.certificate.map(enrol)
    }

    /// Remembers a certified device and its person.
    func enrol(_ certificate: Certificate) throws -> DeviceRow {
        let name = certificate.deviceName(in: replica.event)
        let person = try personRow(certificate.person)
        // That it is retired may have come before it.
        let isRetired = memory.persons[person]?.standing?.isRetired(name) ?? false
        try run(
            "INSERT INTO device (name, person, signing_key, agreement_key, retired) VALUES (?, ?, ?, ?, ?)",
            [
                name.column, person, Data(certificate.signingKey.bytes), Data(certificate.agreementKey.bytes),
                isRetired,
            ]
        )
        let device = DeviceRow(
            id: db.lastInsertedRowID,
            name: name,
            person: person,
            owner: certificate.person,
            signingKey: certificate.signingKey,
            agreementKey: certificate.agreementKey
        )
        memory.add(device)
        outcome.changedStandings.insert(certificate.person)
        return device
    }

    /// Lets a fabric delta take effect; what it changes about levels does at the next ``settleLevels()``.
    func apply(_ payload: FabricPayload, of delta: Delta, at row: Int64, device: DeviceRow) throws {
        outcome.changedKinds.insert("people")
        switch payload {
        case .certificate(let certificate):
            // The salt is not part of the device's name, so of several first headers one may bring it and others not.
            guard delta.header.sequence == 1, certificate.deviceName(in: replica.event) == device.name,
                certificate.isFounding(replica.event),
                certificate.isValid(in: replica.event, known: replica.knownSignatures)
            else { return }
            memory.authority.found(certificate.person)
            // What the event is called stands in the founder's first words.
            outcome.awaited.insert(device.name.raw.prefix)
        // What is said about others' levels by who is no host counts for nothing, and is looked at again if that changes.
        case .cut(let terms) where memory.persons.id(of: terms.person) == device.person:
            unheard.insert(device.person)
            // Of oneself one says that one has left, or has lost a device; what else it says would only make work.
            if terms.level == nil { try govern(payload, of: delta, at: row, by: device.person) }
        case .invitation, .grant, .closing, .cut:
            guard isHeard(from: .host, device.person) else { return }
            try govern(payload, of: delta, at: row, by: device.person)
        case .admission(let invitation, let signature):
            try admit(by: invitation, signature, of: delta, device: device)
        case .epoch(let epoch):
            guard epoch.audience == EpochSlots.eventAudience(replica.event), isHeard(from: .attendee, device.person)
            else { return }
            try apply(epoch, at: row, author: device)
        case .wrongSlots(let author): try noteWrongSlots(by: author, for: device)
        }
    }

    /// Whether a person is at a level or above it, or would be if nobody had cut that; else what was said is noted as unheard.
    private func isHeard(from level: Level, _ person: Int64) -> Bool {
        if let standing = memory.persons[person]?.standing, standing.base >= level { return true }
        unheard.insert(person)
        return false
    }

    func personRow(_ person: PersonID) throws -> Int64 {
        if let id = memory.persons.id(of: person) { return id }
        try run("INSERT INTO person (name) VALUES (?)", [person.column])
        memory.add(person: db.lastInsertedRowID, name: person)
        newcomers.insert(db.lastInsertedRowID)
        return db.lastInsertedRowID
    }
}
