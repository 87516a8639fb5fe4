// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import MingleModel
import SwiftProtobuf

/// The plaintext of a content delta: changes of one record.
package struct RecordPayload: Hashable, Sendable {
    /// The number of the record's kind.
    package var kind: UInt32
    /// What the record hangs on.
    package var target: Target
    /// Whom or what a keyed record is about besides.
    package var subject: Target
    /// The changes, at most 64.
    package var changes: [Change]

    /// Says what a delta changes.
    package init(kind: UInt32, target: Target, subject: Target = .nothing, changes: [Change]) {
        (self.kind, self.target, self.subject, self.changes) = (kind, target, subject, changes)
    }

    /// The protocol buffer.
    package func encoded() throws -> [UInt8] {
        var message = ProtoPayload()
        message.kind = kind
        message.target = .init(target.bytes)
        message.subject = .init(subject.bytes)
        message.changes = changes.map(ProtoChange.init)
        return try message.serializedBytes()
    }

    /// Reads the protocol buffer; throws for anything that is not a payload within the limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        if let payload = RecordPayload(plain: bytes) {
            self = payload
        } else {
            self = try RecordPayload(decodingByLibrary: bytes)
        }
    }

    /// Reads the protocol buffer in whatever form.
    package init(decodingByLibrary bytes: [UInt8]) throws(WireError) {
        guard let message = try? ProtoPayload(serializedBytes: bytes) else { throw .invalid("payload") }
        guard message.changes.count <= Limits.changesPerPayload else { throw .tooLarge("changes") }
        var changes: [Change] = []
        changes.reserveCapacity(message.changes.count)
        for change in message.changes { changes.append(try Change(change)) }
        self.init(
            kind: message.kind,
            target: try Target(bytes: [UInt8](message.target)),
            subject: try Target(bytes: [UInt8](message.subject)),
            changes: changes
        )
    }
}

extension Target {
    /// The target as a payload holds it: nothing, 21 bytes or 32.
    package var bytes: [UInt8] {
        switch self {
        case .nothing: []
        case .record(let reference): reference.bytes
        case .person(let person): person.bytes
        }
    }

    /// Reads a target by its length.
    package init(bytes: [UInt8]) throws(WireError) {
        if bytes.isEmpty {
            self = .nothing
        } else if let reference = Reference(bytes: bytes) {
            self = .record(reference)
        } else if let person = PersonID(bytes: bytes) {
            self = .person(person)
        } else {
            throw .invalid("target")
        }
    }
}

extension ProtoChange {
    fileprivate init(_ change: Change) {
        self.init()
        field = change.field
        pinned = change.isPinned
        overwrites = change.overwrites.map { .init($0.bytes) }
        switch change.value {
        case .cleared: cleared = true
        case .text(let text): self.text = text
        case .number(let number): self.number = number
        case .data(let bytes): data = .init(bytes)
        case .media(let media):
            self.media.root = .init(media.root.bytes)
            self.media.size = media.size
            self.media.key = .init(media.key)
            self.media.type = media.type
        }
    }
}

extension Change {
    fileprivate init(_ message: ProtoChange) throws(WireError) {
        var overwrites: [Reference] = []
        // What is no reference names nothing, which has no effect.
        for bytes in message.overwrites.prefix(Limits.overwritesPerChange) {
            if let reference = Reference(bytes: [UInt8](bytes)) { overwrites.append(reference) }
        }
        self.init(
            field: message.field,
            value: try Value(message.value),
            overwrites: overwrites,
            isPinned: message.pinned
        )
    }
}

extension Value {
    fileprivate init(_ value: ProtoChange.OneOf_Value?) throws(WireError) {
        switch value {
        case .text(let text): self = .text(text)
        case .number(let number): self = .number(number)
        case .data(let bytes): self = .data([UInt8](bytes))
        case .media(let media):
            let key = [UInt8](media.key)
            guard let root = Bytes32(media.root), Media.isAllowed(size: media.size, key: key, type: media.type) else {
                throw .invalid("media")
            }
            self = .media(Media(root: root, size: media.size, key: key, type: media.type))
        case .cleared, nil: self = .cleared
        }
    }
}
