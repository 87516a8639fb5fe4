// SPDX-License-Identifier: Apache-2.0

/// How the changes of one field become what is shown.
package enum FieldMerge: Hashable, Sendable {
    /// A register: overwriting by name, then the clock.
    case register
    /// The largest number that counts; it never goes back.
    case maximum
}

/// Who writes a field of a record.
package enum FieldWriters: Hashable, Sendable {
    /// The record's author.
    case author
    /// Everybody at a level or above, in deltas of their own about the record.
    case level(Level)
    /// The author, and everybody at a level or above.
    case authorAnd(Level)
    /// The author in the delta that makes the record, and later everybody at a level or above.
    case makerThen(Level)

    /// Everybody who takes part.
    package static let attendees = FieldWriters.level(.attendee)
    /// Those who moderate.
    package static let moderators = FieldWriters.level(.moderator)

    /// The lowest level of those who write the field in records of others; nil: nobody does.
    package var level: Level? {
        switch self {
        case .author: nil
        case .level(let level), .authorAnd(let level), .makerThen(let level): level
        }
    }

    /// Returns whether somebody writes the field in a delta.
    ///
    /// - Parameters:
    ///   - level: The writer's level where the delta stands.
    ///   - isAuthor: Whether the writer is the record's author.
    ///   - isMaking: Whether the delta makes the record.
    package func admit(_ level: Level, isAuthor: Bool, isMaking: Bool) -> Bool {
        switch self {
        case .author: isAuthor
        case .level(let least): level >= least
        case .authorAnd(let least): isAuthor || level >= least
        case .makerThen(let least): isMaking || level >= least
        }
    }
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
    /// Who writes it.
    package let writers: FieldWriters
    /// Whether a text without a visible character is no value of it.
    package let needsVisibleText: Bool
    /// Whether a search finds the record by its words.
    package let isSearched: Bool
    /// Whether lists can be narrowed to records with a value of it.
    package let isFilter: Bool
    /// Whether it is the seed of an invitation, in base32: whoever reads it can come in, so a dump has the
    /// invitation's id in its place.
    package let isSeed: Bool

    /// Declares a field.
    package init(
        _ number: UInt32,
        _ name: String,
        _ type: FieldType,
        required isRequired: Bool = false,
        merge: FieldMerge = .register,
        writers: FieldWriters = .author,
        needsVisibleText: Bool = false,
        isSearched: Bool = false,
        isFilter: Bool = false,
        isSeed: Bool = false
    ) {
        (self.number, self.name, self.type) = (number, name, type)
        (self.isRequired, self.merge, self.writers) = (isRequired, merge, writers)
        (self.isSearched, self.isFilter, self.isSeed) = (isSearched, isFilter, isSeed)
        self.needsVisibleText = needsVisibleText || isRequired
    }

    /// Whether others than the record's author may write it.
    package var isShared: Bool { writers != .author }

    /// The most bytes that a blob in this field has: those of a small form of a picture, or of the picture itself.
    package var mediaLimit: UInt64 { name == "original" ? 256 << 20 : 8 << 20 }

    /// Whether a value is of the field's type, and within its limits.
    package func fits(_ value: Value) -> Bool {
        guard case .media(let media) = value else { return type.admits(value) }
        return type.admits(value) && media.size <= mediaLimit
    }

    /// Whether a value is of the field's type, within its limits, and visible where it has to be.
    package func admits(_ value: Value) -> Bool {
        guard fits(value) else { return false }
        guard needsVisibleText, case .text(let text) = value else { return true }
        return text.hasVisibleCharacter
    }

    /// What some changes say about the field; nil if nothing: of several changes in one delta, the last is meant.
    package func value(in changes: [Change]) -> Value? { change(in: changes)?.value }

    /// The change that says it.
    package func change(in changes: [Change]) -> Change? {
        changes.last { $0.field == number && admits($0.value) }
    }
}
