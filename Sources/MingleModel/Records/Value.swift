// SPDX-License-Identifier: Apache-2.0

/// A piece of media as its owner's payload describes it: enough to find, verify and decrypt the blob.
package struct Media: Hashable, Sendable {
    /// Merkle root over the ciphertext.
    package let root: Bytes32
    /// Bytes of the blob.
    package let size: UInt64
    /// The blob's own key, 32 bytes.
    package let key: [UInt8]
    /// The media type, such as `image/jpeg`.
    package let type: String

    /// Describes a blob.
    package init(root: Bytes32, size: UInt64, key: [UInt8], type: String) {
        (self.root, self.size, self.key, self.type) = (root, size, key, type)
    }
}

/// What a field of a record holds.
package enum Value: Hashable, Sendable {
    /// Nothing: the field was cleared.
    case cleared
    /// Words.
    case text(String)
    /// A whole number: also times (milliseconds), positions (1e-7 degrees) and yes or no (1, 0).
    case number(Int64)
    /// Bytes: also references and persons.
    case data([UInt8])
    /// A blob.
    case media(Media)
}

/// What a record hangs on, or what a keyed record is about.
package enum Target: Hashable, Sendable {
    /// Nothing but the event.
    case nothing
    /// The record that a delta made.
    case record(Reference)
    /// A person.
    case person(PersonID)
}

/// An assertion about one field of a record.
package struct Change: Hashable, Sendable {
    /// The field's number in its kind.
    package let field: UInt32
    /// What the field is said to hold.
    package let value: Value
    /// The deltas whose change of this field this one overwrites, besides all earlier ones of its own branch.
    package let overwrites: [Reference]
    /// Whether it ranks before what others say of a shared field; it has an effect only where a moderator says it.
    package let isPinned: Bool

    /// Asserts a value.
    package init(field: UInt32, value: Value, overwrites: [Reference] = [], isPinned: Bool = false) {
        (self.field, self.value, self.overwrites, self.isPinned) = (field, value, overwrites, isPinned)
    }
}
