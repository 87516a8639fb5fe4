// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

/// Who is invited to moments of one's own.
extension Pen {
    /// Invites a person to a moment; to a private one with the keys, for all devices that are known by now, and for all who are
    /// invited in one transaction together.
    mutating func invite(_ person: PersonID, to moment: Reference) throws -> Reference {
        let audience = try transaction.audience(for: .invite, on: .record(moment))
        guard transaction.memory.authority.standings[person]?.level?.isPeople ?? false else {
            throw ReplicaError.notFound(person.description)
        }
        let values: [String: Value] = ["person": .data(person.bytes)]
        if audience != .event { invited.insert(try transaction.audienceRow(audience)) }
        return try write(.create(.invite, on: .record(moment), values: values))
    }

    /// Hands the keys on to those who were invited.
    mutating func handOnToInvited() throws {
        guard !invited.isEmpty else { return }
        try transaction.foldRecords()
        try transaction.settleGuests()
        for audience in invited.sorted() { try handOnKeys(of: audience) }
        invited = []
    }

    /// Ends a person's part in a moment, and makes a key that the person lacks.
    ///
    /// Where others would not keep that key a guest makes one: until then this device writes nothing there.
    mutating func uninvite(_ person: PersonID, from moment: Reference) throws -> Reference {
        let audience = try transaction.audience(for: .invite, on: .record(moment))
        let row = try transaction.audienceRow(audience)
        try transaction.foldRecords()
        var last: Reference?
        let ends = transaction.memory.tips(of: person).filter { $0.journal == .content }.sorted().prefix(64)
        let value = Value.data(ends.isEmpty ? [0] : ends.flatMap(\.bytes))
        for invite in try transaction.openInvites(of: person, to: moment, in: row) {
            last = try write(.edit(invite, .invite, values: ["ends": value]))
        }
        guard let last else { throw ReplicaError.notFound(person.description) }
        try transaction.foldRecords()
        try transaction.settleGuests()
        if audience != .event, transaction.hasRoomForKeys(of: row, for: purpose) { _ = try renewKey(of: row) }
        return last
    }
}

extension Transaction {
    /// One's own open invitations of a person: to a private audience all of them, else those to one moment.
    fileprivate func openInvites(of person: PersonID, to moment: Reference, in audience: Int64) throws -> [Reference] {
        if audience != 0 { return memory.guests[audience]?.open(for: person) ?? [] }
        guard let target = try resolve(moment), let own = memory.persons.id(of: replica.own.person) else { return [] }
        return try rows(
            "SELECT id FROM invite WHERE target = ? AND author = ? AND person = ? AND audience = 0 AND ends IS NULL",
            [target, own, person.column]
        )
        .map { try Names(db).reference($0["id"]) }
    }

    /// Invitations are not deleted but ended: else nobody would know who has keys and is out.
    func requireNoInvite(_ row: Int64) throws {
        guard try self.row("SELECT 1 FROM invite WHERE id = ?", [row]) == nil else {
            throw ReplicaError.invalid("An invitation cannot be deleted. Withdraw it: mingle moment uninvite.")
        }
    }

    // MARK: - For whom to write

    /// Whom a record of a kind is for that hangs on a target.
    func audience(for kind: Kind, on target: Target) throws -> Audience {
        switch kind.audience {
        case .chosen, .everybody: return .event
        case .own: return .own(replica.own.person)
        case .pair:
            guard case .person(let other) = target else { return .event }
            return .between(replica.own.person, and: other)
        case .moderators: return .reports(by: replica.own.person)
        case .inherited:
            guard case .record(let reference) = target else { return .event }
            guard let row = try resolve(reference) else { throw ReplicaError.notFound(reference.description) }
            return try memory.audiences[audienceShown(row)] ?? .event
        }
    }

    /// Whom an edit of a record is for.
    func audience(of record: StoredDelta) throws -> Audience {
        guard let audience = audience(of: record.delta.header.epoch).flatMap({ memory.audiences[$0] }) else {
            throw ReplicaError.locked
        }
        return audience
    }

    /// Who sees a record: those whom it is sealed for, or fewer if it hangs on a moment that a private one continues.
    func audienceShown(_ row: Int64) throws -> Int64 {
        guard let own = try audience(of: row) else { throw ReplicaError.locked }
        guard own == 0 else { return own }
        if let kind = try Kind.numbered(UInt32(truncatingIfNeeded: madeKind(of: row))), kind.trait != nil {
            let target = try db.number("SELECT target FROM \(kind.name) WHERE id = ?") { $0.add(row) } ?? 0
            return target > 0 ? try audienceShown(target) : 0
        }
        // Of several that continue a moment, one for everybody shows it to everybody.
        let shown = try self.row(
            """
            SELECT min(standing_moment.audience) AS audience FROM lineage
            JOIN standing_moment ON standing_moment.id = lineage.moment WHERE ancestor = ?
            """,
            [row]
        )
        return shown?["audience"] ?? 0
    }
}
