// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Service instance names by which members recognise their event, and from which strangers learn nothing.
///
/// A name is base32 of eight random bytes and of an eight-byte tag over them. The tag is the caller's: a
/// MAC under a secret of the event.
package enum InstanceName {
    /// Computes the tag of eight random bytes; of what it returns the first eight bytes are used.
    package typealias Tag = (_ random: [UInt8]) -> [UInt8]

    private static let halfCount = 8
    private static let characterCount = 26

    /// Makes a new name from 64 random bits.
    package static func make(random: UInt64, tag: Tag) -> String {
        let bytes = bigEndianBytes(of: random)
        let tagBytes = tag(bytes).prefix(halfCount)
        precondition(tagBytes.count == halfCount, "a tag has at least eight bytes")
        return Base32.encode(bytes + tagBytes)
    }

    /// Whether `name` carries the tag; takes the same time wherever a well-formed name differs.
    package static func matches(_ name: String, tag: Tag) -> Bool {
        guard let bytes = bytes(of: name) else { return false }
        let expected = tag(Array(bytes.prefix(halfCount)))
        guard expected.count >= halfCount else { return false }
        let difference = zip(bytes.suffix(halfCount), expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0
    }

    /// Whether `name` could be any event's: what is not can be dropped unread.
    package static func isWellFormed(_ name: String) -> Bool {
        bytes(of: name) != nil
    }

    // Encoding again refuses upper case and every other second spelling of the same bytes.
    private static func bytes(of name: String) -> [UInt8]? {
        guard name.utf8.count == characterCount, let bytes = Base32.decode(name) else { return nil }
        return bytes.count == 2 * halfCount && Base32.encode(bytes) == name ? bytes : nil
    }

    private static func bigEndianBytes(of random: UInt64) -> [UInt8] {
        (0..<halfCount).map { UInt8(truncatingIfNeeded: random >> (56 - 8 * $0)) }
    }
}
