// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleCrypto
import MingleModel
import MingleWire

/// Who is at which level: the tables keep what was said, ``Authority`` says what follows from it.
extension Transaction {
    /// Lets changed levels take effect: what a person wrote counts from the first to the last as soon as the person may.
    ///
    /// Not while a run is half applied, whose deltas would be found before their turn.
    func settleLevels() throws {
        try restateCuts()
        // What a new host had said about others is heard only now, and changes levels below.
        while memory.authority.isStale {
            for change in memory.authority.settle() { try take(change) }
        }
    }

    private func take(_ change: Authority.Change) throws {
        let person = try personRow(change.person)
        let (old, new) = (change.old, change.new)
        try run("UPDATE person SET level = ?, base = ? WHERE id = ?", [new?.level?.column, new?.base.column, person])
        memory.set(new, of: person)
        outcome.changedKinds.insert("people")
        outcome.changedStandings.insert(change.person)
        // What those said who may not is not kept, and looked at again once they may.
        let mayMore = [Level.attendee, .host].contains { level in
            !(old.map { $0.base >= level } ?? false) && (new.map { $0.base >= level } ?? false)
        }
        // More is kept of a host, whose level may come behind what the host wrote.
        if (new?.base).map({ $0 >= .host }) ?? false { noteRoom(of: person) }
        // Most who come said nothing but who they are and by what they come.
        let hasSaidNoMore = newcomers.contains(person) && !unheard.contains(person)
        if mayMore, !hasSaidNoMore { try applyAgain(.fabric, by: person) }
        let isFall = isFall(from: old, to: new, of: person)
        let isOther = isFall || old?.base != new?.base
        if isOther { try rankStatements(of: person) }
        if memory.authority.hasSpoken(change.person) { memory.sealedKeys.noteInvitations() }
        if replica.own.isRelay { relisted.insert(person) }
        try noteCounting(from: old?.countingCuts ?? [], to: new?.countingCuts ?? [], of: person)
        guard !isReplaying else { return }
        let highest = max(old?.base ?? .guest, new?.base ?? .guest)
        if isOther, highest >= .attendee {
            try foldAgain(whatIsSaidBy: person, isModerator: highest >= Hiding.writers)
        }
        if isFall {
            try deriveRecords(of: person)
        } else if mayMore || !(old.map { $0.base >= .attendee } ?? false), !memory.contentBranches(of: person).isEmpty {
            // Some kinds attendees write, some hosts.
            try applyAgain(.content, by: person)
        }
    }

    /// Whether something that counted may count no more, or the other way round in the middle of a journal.
    private func isFall(from old: Standing?, to new: Standing?, of person: Int64) -> Bool {
        guard let old else { return new?.isCut ?? false }
        guard let new else { return true }
        return new.base < old.base || new.cuts != old.cuts || new.leavings != old.leavings
            || retirements(in: new, of: person) != retirements(in: old, of: person)
    }

    /// The retirements of devices that the person has: of others nothing is held.
    private func retirements(in standing: Standing, of person: Int64) -> [Cut] {
        standing.retirements.filter { cut in cut.device.flatMap { memory.devices[$0] }?.person == person }
    }

    func applyAgain(_ journal: Journal, by person: Int64) throws {
        for row in try written(journal, by: person) { try applyAgain(row) }
    }

    /// All that a person wrote, or what of it is for one audience, each branch in its order.
    func written(_ journal: Journal, by person: Int64, in audience: Int64? = nil) throws -> [Int64] {
        let sql = """
            SELECT journal.id FROM device
            JOIN branch ON branch.device = device.id JOIN journal ON journal.branch = branch.id
            WHERE device.person = ?1 AND branch.journal = ?2
                AND (?3 IS NULL OR journal.epoch IN (SELECT id FROM epoch WHERE audience = ?3))
            ORDER BY journal.branch, journal.sequence
            """
        return try db.all(sql) {
            $0.add(person)
            $0.add(Int64(journal.rawValue))
            $0.add(audience)
        } read: {
            $0.integer(0)
        }
    }

    /// Whom an invitation by itself let in; also those who were removed since, whose earlier words count.
    func admitted(by invitation: InvitationID) throws -> [PersonID] {
        try rows("SELECT person FROM admission WHERE invitation = ?", [invitation.column])
            .compactMap { row in memory.persons[row["person"]].flatMap { $0.standing == nil ? nil : $0.name } }
            .filter { memory.authority.letsIn($0, by: invitation) }
            .sorted()
    }

    // MARK: - What is said

    /// Takes in what a host says about levels.
    func govern(_ payload: FabricPayload, of delta: Delta, at row: Int64, by maker: Int64) throws {
        let said = Said(row: row, maker: maker, rank: try level(of: row, by: maker))
        switch payload {
        case .invitation(let terms): try open(terms, at: delta.header.timestamp, said)
        case .grant(let person, let level): try grant(level, to: person, said)
        case .closing(let invitation, let admitted): try close(invitation, but: admitted, said)
        case .cut(let terms): try cut(terms, of: delta, said)
        case .certificate, .admission, .epoch, .wrongSlots: break
        }
    }

    /// Which delta says something, whose it is, and the level at which it was written as far as that is known.
    private struct Said {
        let row: Int64
        let maker: Int64
        let rank: Level?
    }

    private func open(_ terms: InvitationTerms, at timestamp: Timestamp, _ said: Said) throws {
        try run(
            """
            INSERT OR IGNORE INTO invitation (id, level, delta, maker, rank, agreement_key, expires, uses, made, asks, door)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                terms.id.column, terms.level.column, said.row, said.maker, said.rank?.column,
                Data(terms.agreementKey.bytes), terms.expires?.milliseconds, terms.uses.map { Int64($0) },
                timestamp.milliseconds, terms.asks, terms.isForDoor,
            ]
        )
        outcome.hasNewInvitation = true
        memory.sealedKeys.noteInvitations()
        // One that asks puts nobody anywhere.
        if !terms.asks { try state(.invitation(terms.id, terms.level), said) }
    }

    private func grant(_ level: Level, to person: PersonID, _ said: Said) throws {
        try run(
            "INSERT OR IGNORE INTO granted (person, level, delta, maker) VALUES (?, ?, ?, ?)",
            [try personRow(person), level.column, said.row, said.maker]
        )
        try state(.grant(person, level), said)
    }

    private func close(_ invitation: InvitationID, but admitted: [PersonID], _ said: Said) throws {
        memory.sealedKeys.noteInvitations()
        // Nobody's row is 0: that it is closed stands there also where nobody is admitted.
        for row in try [0] + admitted.map(personRow) {
            try run(
                "INSERT OR IGNORE INTO closing (invitation, delta, admitted, maker, rank) VALUES (?, ?, ?, ?, ?)",
                [invitation.column, said.row, row, said.maker, said.rank?.column]
            )
        }
        try state(.closing(invitation, Set(admitted)), said)
    }

    private func cut(_ terms: CutTerms, of delta: Delta, _ said: Said) throws {
        try run(
            "INSERT OR IGNORE INTO cut (delta, person, maker, level, device) VALUES (?, ?, ?, ?, ?)",
            [said.row, try personRow(terms.person), said.maker, terms.level?.column, terms.device?.column]
        )
        // Also of somebody who waits, and has no standing yet.
        outcome.changedStandings.insert(terms.person)
        try state(terms, of: delta, said)
    }

    private func state(_ terms: CutTerms, of delta: Delta, _ said: Said) throws {
        let isOwn = memory.persons.id(of: terms.person) == said.maker
        let cut = try memory.cut(terms, id: delta.reference, by: isOwn ? .thePerson(said.row) : .others, db)
        try state(.cut(cut), said)
    }

    /// Says again what people said of themselves, where that may mean other places now.
    private func restateCuts() throws {
        for row in staleCuts.sorted() {
            guard let stored = try stored(row), let payload = stored.delta.payload,
                case .cut(let terms)? = try? FabricPayload(decoding: payload)
            else { continue }
            let maker = stored.device.person
            try state(terms, of: stored.delta, Said(row: row, maker: maker, rank: try level(of: row, by: maker)))
        }
        staleCuts = []
    }

    /// An admission counts if the invitation's key signed it and somebody who may says where it leads, in either order.
    func admit(
        by invitation: InvitationID,
        _ signature: Signature,
        of delta: Delta,
        device: DeviceRow
    ) throws {
        guard let person = memory.persons[device.person]?.name else { return }
        let statement = FabricPayload.admissionStatement(event: replica.event, person: person)
        guard signature.isValid(for: statement, by: invitation.raw, known: replica.knownSignatures) else { return }
        try run(
            """
            INSERT INTO admission (invitation, person, made) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET made = min(made, excluded.made)
            """,
            [invitation.column, device.person, delta.header.timestamp.milliseconds]
        )
        try run("UPDATE device SET came_by = ? WHERE id = ?", [invitation.column, device.id])
        memory.sealedKeys.note(device.person)
        outcome.changedStandings.insert(person)
        memory.authority.admit(person, by: invitation)
    }

    private func state(_ statement: Authority.Statement, _ said: Said) throws {
        guard let speaker = memory.persons[said.maker]?.name, let place = try place(of: said.row) else { return }
        memory.authority.state(statement, by: Authority.Speaker(speaker, at: place))
    }
}
