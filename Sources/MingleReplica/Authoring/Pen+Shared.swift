// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// Edits of records, one's own and those of others (``SharedField``).
extension Pen {
    /// Says something of fields of a record; of shared ones it names what others said.
    ///
    /// - Throws: `ReplicaError.notFound`, `.notYours` for fields that only the author writes, and `.notAtYourLevel`.
    mutating func edit(
        _ reference: Reference,
        _ kind: Kind,
        values: [String: Value],
        blobs: [BlobListing]
    ) throws -> Reference {
        try transaction.settleLevels()
        let record = try record(reference)
        let isAuthor = record.device.owner == own.person
        try requireWriters(of: values, kind, isAuthor: isAuthor, isMaking: false, of: reference)
        let shared = kind.sharedFields.filter { values[$0.name] != nil }
        var overwrites = isAuthor ? try others(kind, about: record.row) : [:]
        if !shared.isEmpty { overwrites.merge(try others(shared, of: kind, about: record)) { $1 } }
        return try append(
            kind,
            root: .reference(reference),
            target: .nothing,
            values: values,
            blobs: blobs,
            overwrites: overwrites,
            isPinned: moderates,
            for: try transaction.audience(of: record)
        )
    }

    /// Hides a record, whoever made it, or shows it again where there is no reason; overwrites what others said.
    ///
    /// It is sealed for those who can open the record, so that nobody else learns why; that it is about that record
    /// stands in its header.
    mutating func hide(_ reference: Reference, because reason: String?) throws -> Reference {
        try transaction.settleLevels()
        try requirePart()
        guard let level = ownLevel else { throw ReplicaError.locked }
        guard level >= Hiding.writers else { throw ReplicaError.notAtYourLevel(level) }
        let record = try record(reference)
        guard record.delta.header.root == .itself,
            let kind = transaction.contribution(of: record).flatMap({ Kind.numbered($0.payload.kind) })
        else { throw ReplicaError.notFound(reference.description) }
        guard kind.audience != .moderators else {
            throw ReplicaError.invalid("Nobody but its author and those who moderate sees that.")
        }
        let audience = try transaction.audience(of: record)
        guard try transaction.audienceShown(record.row) == transaction.audienceRow(audience) else {
            throw ReplicaError.invalid(
                "That was posted while the moment was public, so everybody in the event would see that it is hidden, and why. "
                    + "Ask its author to delete it."
            )
        }
        let value = reason.map(Value.text) ?? .cleared
        guard Hiding.field.admits(value) else { throw ReplicaError.invalid("The reason is too long.") }
        let change = Change(
            field: Hiding.field.number,
            value: value,
            overwrites: try others([Hiding.field], of: kind, about: record)[Hiding.field.number] ?? [],
            // What moderators say of others' records prevails over what reports did.
            isPinned: reason != ReportRule.hidingReason && record.device.owner != own.person
        )
        return try append(
            RecordPayload(kind: kind.number, target: .nothing, changes: [change]),
            root: .reference(reference),
            for: audience
        )
    }

    /// - Throws: `ReplicaError.notYours` and `.notAtYourLevel` for fields that this person does not write.
    func requireWriters(
        of values: [String: Value],
        _ kind: Kind,
        isAuthor: Bool,
        isMaking: Bool,
        of record: Reference? = nil
    ) throws {
        for field in kind.fields where values[field.name] != nil {
            // Who was not let in yet writes, and it counts once the person is.
            let level = ownLevel ?? .attendee
            guard !field.writers.admit(level, isAuthor: isAuthor, isMaking: isMaking) else { continue }
            if field.isShared { throw ReplicaError.notAtYourLevel(level) }
            throw ReplicaError.notYours(record.map { "The record \($0)" } ?? "The record")
        }
    }

    private var moderates: Bool { ownLevel.map { $0 >= Hiding.writers } ?? false }

    /// What others said of shared fields of a record, to be named by an edit.
    private func others(_ fields: [Field], of kind: Kind, about record: StoredDelta) throws -> [UInt32: [Reference]] {
        guard let opened = transaction.contribution(of: record),
            let audience = transaction.audience(of: record.delta.header.epoch)
        else { return [:] }
        let statements = try transaction.statements(about: record, opened.contribution, kind, in: audience)
        return Dictionary(
            fields.map { field in
                let said = statements.compactMap { $0.assertion(about: field) }
                return (field.number, SharedField.named(byEditAfter: said, limit: Limits.overwritesPerChange))
            }
        ) { first, _ in first }
    }
}
