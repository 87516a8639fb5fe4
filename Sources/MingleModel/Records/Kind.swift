// SPDX-License-Identifier: Apache-2.0

/// What a field may hold, and how large.
package enum FieldType: Hashable, Sendable {
    /// Text of at most so many UTF-8 bytes, none of them zero: SQLite's functions end texts there.
    case text(limit: Int)
    /// A whole number in a range.
    case number(ClosedRange<Int64>)
    /// A reference to another record.
    case reference
    /// References to other records, one behind the other; at most so many.
    case references(limit: Int)
    /// A person.
    case person
    /// The last deltas of some journals that count, 45 bytes each; at most 64, and one byte where it is none.
    case ends
    /// A blob that the header lists.
    case media

    /// Whether `value` is of this type and within its limits.
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .cleared), (.media, .media): true
        case (.text(let limit), .text(let text)): text.utf8.count <= limit && !text.utf8.contains(0)
        case (.number(let range), .number(let number)): range.lowerBound <= number && number <= range.upperBound
        case (.reference, .data(let bytes)): Reference(bytes: bytes) != nil
        case (.references(let limit), .data(let bytes)):
            bytes.count <= limit * Reference.encodedLength && Reference.list(bytes) != nil
        case (.person, .data(let bytes)): bytes.count == 32
        case (.ends, .data(let bytes)):
            bytes == [0] || !bytes.isEmpty && bytes.count % 45 == 0 && bytes.count <= 64 * 45
        default: false
        }
    }
}

/// How the changes of one field become what is shown.
package enum FieldMerge: Hashable, Sendable {
    /// A register: overwriting by name, then the clock.
    case register
    /// The largest number that counts; it never goes back.
    case maximum
}

/// One field of a kind.
package struct Field: Hashable, Sendable {
    /// The field's number on the wire; never used again for another field.
    package let number: UInt32
    /// The field's name: column, JSON member and word of the dump.
    package let name: String
    /// What it may hold.
    package let type: FieldType
    /// Whether a record without it is not shown.
    package let isRequired: Bool
    /// How its changes merge.
    package let merge: FieldMerge
    /// Whether it is the seed of an invitation, in base32: whoever reads it can come in, so a dump has the invitation's id in its place.
    package let isSeed: Bool

    /// Declares a field.
    package init(
        _ number: UInt32,
        _ name: String,
        _ type: FieldType,
        required isRequired: Bool = false,
        merge: FieldMerge = .register,
        isSeed: Bool = false
    ) {
        (self.number, self.name, self.type) = (number, name, type)
        (self.isRequired, self.merge, self.isSeed) = (isRequired, merge, isSeed)
    }
}

/// What makes a record the record that it is.
package enum RecordIdentity: Hashable, Sendable {
    /// The delta that made it.
    case delta
    /// Kind, author and target: there is one at most, which is set and never created or deleted.
    case key
}

/// What a record of a kind may hang on.
package enum TargetRule: Hashable, Sendable {
    /// On nothing but the event.
    case nothing
    /// On a record of one of these kinds, named by number, or on the event itself where `orNothing`.
    case record(kinds: [UInt32], orNothing: Bool)
    /// On a person.
    case person
}

/// The declaration of a kind of record: tables, validation, merging, API shape and dump follow from it.
///
/// There is one object for each number; being a class, it is handed about for every delta without copying.
package final class Kind: Sendable {
    /// The kind's number on the wire; never used again for another kind.
    package let number: UInt32
    /// The kind's name: table, JSON word and word of the dump.
    package let name: String
    /// What makes a record of this kind the record that it is.
    package let identity: RecordIdentity
    /// What it may hang on.
    package let target: TargetRule
    /// The lowest level of those who may write it; whoever makes one, only its author changes it.
    package let writers: Level
    /// The least participation in the moment that it hangs on, of its author; nil where none is needed.
    package let participation: ParticipationState?
    /// The field that switches the record on (1) and off (0); nil where nothing does.
    package let onOff: String?
    /// For whom it is sealed.
    package let audience: AudienceRule
    /// Whether only who made what it hangs on may write it.
    package let isCreators: Bool
    /// The fields, in order of number.
    package let fields: [Field]

    /// Declares a kind.
    package init(
        _ number: UInt32,
        _ name: String,
        identity: RecordIdentity = .delta,
        target: TargetRule = .nothing,
        writers: Level = .attendee,
        participation: ParticipationState? = nil,
        onOff: String? = nil,
        audience: AudienceRule = .inherited,
        isCreators: Bool = false,
        fields: [Field]
    ) {
        (self.number, self.name, self.identity, self.target) = (number, name, identity, target)
        (self.writers, self.participation, self.fields) = (writers, participation, fields)
        (self.onOff, self.audience, self.isCreators) = (onOff, audience, isCreators)
    }

    /// The field of a number, if this version knows it.
    package func field(_ number: UInt32) -> Field? { fields.first { $0.number == number } }

    /// The field of a name.
    package func field(named name: String) -> Field? { fields.first { $0.name == name } }
}

extension Kind: Equatable {
    package static func == (left: Kind, right: Kind) -> Bool { left.number == right.number }
}

/// How far a guest takes part in a moment; the words are the product's.
package enum ParticipationState: Int64, Sendable, Comparable, CaseIterable {
    /// The guest does not want to come.
    case ignored = 1
    /// The guest will come.
    case joined = 2
    /// The guest is there, or was.
    case checkedIn = 3

    package static func < (left: ParticipationState, right: ParticipationState) -> Bool {
        left.rawValue < right.rawValue
    }
}
