// SPDX-License-Identifier: Apache-2.0

/// Why bytes from outside are not what the protocol allows.
package enum WireError: Error, Equatable {
    /// The bytes end before the value does.
    case truncated
    /// Bytes are left over behind the value.
    case trailingBytes
    /// A field holds a value that the protocol does not know or allow; the text names the field.
    case invalid(String)
    /// A count or length is above its limit; the text names it.
    case tooLarge(String)
    /// The version is not one that this node speaks.
    case unknownVersion(UInt8)
}
