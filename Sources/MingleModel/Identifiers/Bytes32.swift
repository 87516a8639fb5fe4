// SPDX-License-Identifier: Apache-2.0

/// Thirty-two bytes held in place, ordered as an unsigned big-endian number.
///
/// Every hash, name and public key of the protocol is one of these; the types of ``Identifier32`` say which.
package struct Bytes32: Hashable, Sendable {
    private let word0, word1, word2, word3: UInt64

    /// All zeros: "none" wherever the protocol has an optional hash.
    package static let zero = Bytes32(0, 0, 0, 0)

    private init(_ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
        (self.word0, self.word1, self.word2, self.word3) = (word0, word1, word2, word3)
    }

    /// Reads exactly 32 bytes; nil for any other count.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(at: 0, of: bytes.span)
    }

    /// Reads exactly 32 bytes; nil for any other count.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        let words =
            bytes.withContiguousStorageIfAvailable { buffer in
                let span = unsafe Span(_unsafeElements: buffer)
                return Bytes32(at: 0, of: span)
            } ?? Bytes32(at: 0, of: Array(bytes).span)
        self = words
    }

    /// Reads the 32 bytes that begin at `offset`, which the caller has checked to be there.
    package init(at offset: Int, of bytes: borrowing Span<UInt8>) {
        word0 = UInt64(bigEndianAt: offset, of: bytes)
        word1 = UInt64(bigEndianAt: offset + 8, of: bytes)
        word2 = UInt64(bigEndianAt: offset + 16, of: bytes)
        word3 = UInt64(bigEndianAt: offset + 24, of: bytes)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(32)
        append(to: &result)
        return result
    }

    /// The 32 bytes, without an allocation.
    package var inlineBytes: InlineArray<32, UInt8> {
        var words = (word0.bigEndian, word1.bigEndian, word2.bigEndian, word3.bigEndian)
        return unsafe withUnsafeBytes(of: &words) { bytes in InlineArray { unsafe bytes[$0] } }
    }

    /// The first eight bytes as a number: the short form used in references and slot labels.
    package var prefix: UInt64 { word0 }

    /// Appends the 32 bytes to `output`.
    package func append(to output: inout [UInt8]) {
        output.append(addingCapacity: 32) { bytes in
            bytes.append(bigEndian: word0)
            bytes.append(bigEndian: word1)
            bytes.append(bigEndian: word2)
            bytes.append(bigEndian: word3)
        }
    }
}

extension Bytes32: Comparable {
    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.word0 != right.word0 { return left.word0 < right.word0 }
        if left.word1 != right.word1 { return left.word1 < right.word1 }
        if left.word2 != right.word2 { return left.word2 < right.word2 }
        return left.word3 < right.word3
    }
}

// Inlined because all that travels is made of these, and generic code is not specialised across modules.
extension FixedWidthInteger {
    /// Reads the integer whose big-endian bytes begin at `offset`.
    @inlinable
    package init(bigEndianAt offset: Int, of bytes: borrowing Span<UInt8>) {
        var value: Self = 0
        for index in 0..<(Self.bitWidth / 8) {
            value = (value << 8) | Self(truncatingIfNeeded: bytes[offset + index])
        }
        self = value
    }

    /// Appends the integer's big-endian bytes to `output`.
    @inlinable
    package func appendBigEndian(to output: inout [UInt8]) {
        output.append(addingCapacity: Self.bitWidth / 8) { $0.append(bigEndian: self) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends an integer's big-endian bytes, for which there is room.
    @inlinable
    package mutating func append<Integer: FixedWidthInteger>(bigEndian integer: Integer) {
        var shift = Integer.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }
}
