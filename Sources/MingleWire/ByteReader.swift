// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Reads big-endian values from bytes that nobody vouches for.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Begins at the first byte of `bytes`.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many bytes have not been read yet.
    package var remaining: Int { bytes.endIndex - position }

    /// Reads one integer.
    package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(WireError) -> Value
    {
        var value: Value = 0
        for byte in try slice(Value.bitWidth / 8) { value = (value << 8) | Value(truncatingIfNeeded: byte) }
        return value
    }

    /// Reads `count` bytes.
    package mutating func slice(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// Reads 32 bytes.
    package mutating func bytes32() throws(WireError) -> Bytes32 {
        guard let value = Bytes32(try slice(32)) else { throw .truncated }
        return value
    }

    /// Reads a 21-byte reference.
    package mutating func reference() throws(WireError) -> Reference {
        guard let value = Reference(bytes: Array(try slice(Reference.encodedLength))) else {
            throw .invalid("reference")
        }
        return value
    }

    /// Refuses bytes that are left over.
    package func finish() throws(WireError) {
        guard remaining == 0 else { throw .trailingBytes }
    }
}
