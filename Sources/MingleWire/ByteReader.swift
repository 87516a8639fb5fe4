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
        let offset = try advance(Value.bitWidth / 8)
        return Value(bigEndianAt: offset, of: bytes.span)
    }

    /// Reads `count` bytes.
    package mutating func slice(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        let start = bytes.startIndex + (try advance(count))
        return bytes[start..<(start + count)]
    }

    /// Reads 32 bytes.
    package mutating func bytes32() throws(WireError) -> Bytes32 {
        let offset = try advance(32)
        return Bytes32(at: offset, of: bytes.span)
    }

    /// Reads a 21-byte reference.
    package mutating func reference() throws(WireError) -> Reference {
        let offset = try advance(Reference.encodedLength)
        guard let value = Reference(at: offset, of: bytes.span) else { throw .invalid("reference") }
        return value
    }

    /// Moves behind the next `count` bytes and returns the offset at which they begin.
    private mutating func advance(_ count: Int) throws(WireError) -> Int {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return position - bytes.startIndex
    }

    /// Refuses bytes that are left over.
    package func finish() throws(WireError) {
        guard remaining == 0 else { throw .trailingBytes }
    }
}
