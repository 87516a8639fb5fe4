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
        // What a new host had said about others is heard only now, and changes levels below.
        while memory.authority.isStale {
            for change in memory.authority.settle() { try take(change) }
        }
    }

    private func take(_ change: Authority.Change) throws {
        let person = try personRow(change.person)
        try run("UPDATE person SET level = ? WHERE id = ?", [change.new?.column, person])
        memory.set(change.new, of: person)
        outcome.changedKinds.insert("people")
        guard let new = change.new, change.old.map({ $0 < new }) ?? true else {
            if !isReplaying { mustRecompute = true }
            return
        }
        if new >= .host { try applyAgain(.fabric, by: person) }
        // Attendees write what anybody may above them.
        let couldWrite = change.old.map { $0 >= .attendee } ?? false
        if !couldWrite, !isReplaying { try applyAgain(.content, by: person) }
    }

    private func applyAgain(_ journal: Journal, by person: Int64) throws {
        let written = try rows(
            """
            SELECT journal.id FROM device
            JOIN branch ON branch.device = device.id JOIN journal ON journal.branch = branch.id
            WHERE device.person = ? AND branch.journal = ? ORDER BY journal.branch, journal.sequence
            """,
            [person, Int64(journal.rawValue)]
        )
        for row in written { try applyAgain(row["id"]) }
    }

    /// Who came by an invitation, of those who take part.
    func admitted(by invitation: InvitationID) throws -> [PersonID] {
        try rows(
            """
            SELECT person.name FROM admission JOIN person ON person.id = admission.person
            WHERE invitation = ? AND person.level IS NOT NULL ORDER BY person.name
            """,
            [invitation.column]
        )
        .map { try PersonID(column: $0["name"]) }
    }

    // MARK: - What is said

    /// Takes in what a host says about levels.
    func govern(_ payload: FabricPayload, of delta: Delta, by maker: Int64) throws {
        switch payload {
        case .invitation(let terms): try open(terms, at: delta.header.timestamp, by: maker)
        case .grant(let person, let level): try grant(level, to: person, by: maker)
        case .closing(let invitation, let admitted): try close(invitation, but: admitted, by: maker)
        case .certificate, .admission, .epoch: break
        }
    }

    private func open(_ terms: InvitationTerms, at timestamp: Timestamp, by maker: Int64) throws {
        try run(
            // Of several terms by one maker the earliest count, whichever came first.
            """
            INSERT INTO invitation (id, maker, level, expires, uses, made) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET expires = excluded.expires, uses = excluded.uses, made = excluded.made
            WHERE (excluded.made, ifnull(excluded.expires, -1), ifnull(excluded.uses, -1))
                < (made, ifnull(expires, -1), ifnull(uses, -1))
            """,
            [
                terms.id.column, maker, terms.level.column, terms.expires?.milliseconds, terms.uses.map { Int64($0) },
                timestamp.milliseconds,
            ]
        )
        state(.invitation(terms.id, terms.level), by: maker)
    }

    private func grant(_ level: Level, to person: PersonID, by maker: Int64) throws {
        let row = try personRow(person)
        try run("INSERT OR IGNORE INTO granted (person, level, maker) VALUES (?, ?, ?)", [row, level.column, maker])
        state(.grant(person, level), by: maker)
    }

    private func close(_ invitation: InvitationID, but admitted: [PersonID], by maker: Int64) throws {
        // Nobody's row is 0: that it is closed stands there also where nobody is admitted.
        for row in try [0] + admitted.map(personRow) {
            try run(
                "INSERT OR IGNORE INTO closing (invitation, maker, admitted) VALUES (?, ?, ?)",
                [invitation.column, maker, row]
            )
        }
        state(.closing(invitation, Set(admitted)), by: maker)
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
        memory.authority.admit(person, by: invitation)
    }

    private func state(_ statement: Authority.Statement, by maker: Int64) {
        if let speaker = memory.persons[maker]?.name { memory.authority.state(statement, by: speaker) }
    }
}
