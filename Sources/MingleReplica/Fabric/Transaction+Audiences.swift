// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

/// Who belongs to an audience, and what counts in it.
extension Transaction {
    /// The local key of an audience, made at its first mention.
    func audienceRow(_ audience: Audience) throws -> Int64 {
        if let row = memory.audienceIDs[audience] { return row }
        try run("INSERT INTO audience (terms) VALUES (?)", [Data(audience.bytes)])
        memory.add(audience, at: db.lastInsertedRowID)
        return db.lastInsertedRowID
    }

    /// Whether a delta's author might write a record of a kind where the delta is sealed.
    func counts(_ kind: Kind, on target: Target?, in audience: Int64, at row: Int64, by person: Int64) throws -> Bool {
        guard let level = try level(of: row, by: person), level >= kind.writers else { return false }
        // Nearly everything is for everybody.
        if audience == 0 { return kind.audience.admits(.event, on: target, by: PersonID(.zero)) }
        guard let value = memory.audiences[audience], let name = memory.persons[person]?.name,
            kind.audience.admits(value, on: target, by: name)
        else { return false }
        if kind == .invite, value.owner != name { return false }
        return try isIn(audience, name, at: row, level: level)
    }

    /// Whether somebody belonged to a private audience where a delta stands that was written at some level.
    func isIn(_ audience: Int64, _ person: PersonID, at row: Int64, level: Level) throws -> Bool {
        guard let value = memory.audiences[audience] else { return false }
        if value.founders.contains(person) { return true }
        switch value {
        case .event: return true
        case .guests:
            guard let guests = memory.guests[audience], guests.everInvited.contains(person) else { return false }
            guard guests.isCut(person) else { return true }
            return try place(of: row).map { guests.admits(person, at: $0) } ?? false
        case .moderators: return level >= .moderator
        case .pair, .own: return false
        }
    }

    /// Those who belong to an audience now, whether they still take part in the event or not.
    func members(of audience: Int64) -> Set<PersonID> {
        guard let value = memory.audiences[audience] else { return [] }
        let founders = Set(value.founders)
        switch value {
        case .event: return Set(memory.authority.levels.keys)
        case .guests: return founders.union(memory.guests[audience]?.people ?? [])
        case .moderators: return founders.union(moderators { $0.level ?? .relay >= Hiding.writers })
        case .pair, .own: return founders
        }
    }

    /// Whether an audience is one of two people.
    func isPair(_ audience: Int64) -> Bool {
        if case .pair? = memory.audiences[audience] { true } else { false }
    }

    /// Those who belong to a private audience or did: whose removal from the event asks for another key.
    func everMembers(of audience: Int64) -> Set<PersonID> {
        switch memory.audiences[audience] {
        case .moderators: members(of: audience).union(moderators { _ in true })
        default: members(of: audience).union(memory.guests[audience]?.everInvited ?? [])
        }
    }

    /// Those of all who ever moderated of whom something is so.
    private func moderators(where isSo: (Memory.PersonRow) -> Bool) -> [PersonID] {
        memory.moderators.compactMap { memory.persons[$0] }.filter(isSo).map(\.name)
    }

    /// Whether some of what a person wrote may count for less than the rest, in the event or in a private audience.
    func isCut(_ person: Int64, in audience: Int64) -> Bool {
        guard let known = memory.persons[person] else { return false }
        return known.isCut || memory.guests[audience]?.isCut(known.name) ?? false
    }

    /// The audience that a delta is sealed for, if its key is held.
    func audience(of epoch: EpochID) -> Int64? { memory.epochAudiences[epoch] }

    /// The same for a delta in the journal.
    func audience(of row: Int64) throws -> Int64? {
        let found: Int64?? = try db.first(
            "SELECT audience FROM journal JOIN epoch ON epoch.id = journal.epoch WHERE journal.id = ?"
        ) {
            $0.add(row)
        } read: { columns in
            columns.isNull(0) ? nil : columns.integer(0)
        }
        return found ?? nil
    }

    // MARK: - What follows from records

    /// Lets changed invitations to private audiences take effect: what a guest wrote counts as soon as the owner says so.
    func settleGuests() throws {
        guard areGuestsStale || outcome.changedKinds.contains(Kind.invite.name) else { return }
        areGuestsStale = false
        let old = memory.guests
        memory.guests = try memory.readGuests(db)
        for audience in Set(old.keys).union(memory.guests.keys).sorted() {
            let touched = (memory.guests[audience] ?? Guests()).changes(since: old[audience] ?? Guests())
            // Somebody may lack a key now, or have one too many.
            if !touched.isEmpty { outcome.changedKinds.insert("people") }
            for person in touched.sorted() {
                // Who never wrote has no row, and nothing to be looked at again.
                guard let row = memory.persons.id(of: person) else { continue }
                try foldAgain(whatIsSaidBy: row, isModerator: memory.moderators.contains(row), in: audience)
                try readTermsAgain(by: row, of: audience)
                try deriveRecords(of: row, in: audience)
            }
        }
        try foldRecords()
    }

    /// Notes in whose place the moments stand that changed: earlier ones of the same author.
    func settleLineage() throws {
        for moment in staleLineage.sorted() {
            try run("DELETE FROM lineage WHERE moment = ?", [moment])
            let found = try row("SELECT author, audience, continues FROM moment WHERE id = ?", [moment])
            guard let found, let earlier = found["continues"] as Data? else { continue }
            for reference in Reference.list([UInt8](earlier)) ?? [] {
                guard let ancestor = try resolve(reference) else {
                    try wait(moment, for: reference)
                    continue
                }
                guard ancestor != moment, try isOwn(ancestor, person: found["author"]) else { continue }
                try addLineage(moment, ancestor, try audience(of: ancestor) ?? Self.unknownAudience)
            }
            try addLineage(moment, moment, found["audience"])
        }
        staleLineage = []
    }

    /// Notes for whom those earlier moments were that are sealed under an epoch of which the key has come.
    func settleLineage(under epoch: Int64, of audience: Int64) throws {
        try run(
            """
            UPDATE lineage SET audience = ? WHERE audience = \(Self.unknownAudience)
                AND ancestor IN (SELECT id FROM journal WHERE epoch = ?)
            """,
            [audience, epoch]
        )
    }

    /// What stands for the audience of an earlier moment of which the key is not held: nothing shows by that.
    private static let unknownAudience: Int64 = -1

    private func addLineage(_ moment: Int64, _ ancestor: Int64, _ audience: Int64) throws {
        try run(
            "INSERT OR IGNORE INTO lineage (moment, ancestor, audience) VALUES (?, ?, ?)",
            [moment, ancestor, audience]
        )
    }
}
