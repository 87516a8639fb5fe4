// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

extension Pen {
    /// Hides a record, whoever made it, or shows it again where there is no reason; overwrites what others said.
    ///
    /// It is sealed for those who can open the record, so that nobody else learns why; that it is about that record stands in its
    /// header.
    mutating func hide(_ reference: Reference, because reason: String?) throws -> Reference {
        try transaction.settleLevels()
        try requirePart()
        guard let level = ownLevel else { throw ReplicaError.locked }
        guard level >= Hiding.writers else { throw ReplicaError.notAtYourLevel(level) }
        guard let row = try transaction.resolve(reference), let record = try transaction.stored(row),
            !record.isErased, record.delta.header.root == .itself,
            let kind = transaction.contribution(of: record).flatMap({ Kind.numbered($0.payload.kind) })
        else { throw ReplicaError.notFound(reference.description) }
        let audience = try transaction.audience(of: record)
        guard try transaction.audienceShown(row) == transaction.audienceRow(audience) else {
            throw ReplicaError.invalid(
                "That was posted while the moment was public, so everybody in the event would see that it is hidden, and why. "
                    + "Ask its author to delete it."
            )
        }
        let value = reason.map(Value.text) ?? .cleared
        guard Hiding.field.type.admits(value) else { throw ReplicaError.invalid("The reason is too long.") }
        let said = try transaction.statements(about: row, kind, in: transaction.audienceRow(audience))
        let change = Change(
            field: Hiding.field.number,
            value: value,
            overwrites: others(Hiding.field, among: said.map(\.contribution))
        )
        return try append(
            RecordPayload(kind: kind.number, target: .nothing, changes: [change]),
            root: .reference(reference),
            for: audience
        )
    }
}
