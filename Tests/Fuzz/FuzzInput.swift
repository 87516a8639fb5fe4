// SPDX-License-Identifier: Apache-2.0

/// An input, taken apart from its front: numbers that steer a target, then the bytes to decode.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// Whether everything is taken.
    var isEmpty: Bool { bytes.isEmpty }

    /// The next byte; zero at the end.
    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// The next number of two bytes.
    mutating func number() -> Int { Int(byte()) << 8 | Int(byte()) }

    /// The next `count` bytes; fewer at the end.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// Bytes behind a length of two bytes, as ``piece(_:)`` writes them.
    mutating func piece() -> [UInt8] { take(number()) }

    /// Everything that is left.
    mutating func rest() -> [UInt8] { take(bytes.count) }

    /// `bytes` behind their length.
    static func piece(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }
}

/// What seeds are made of, one behind the other; sums of so many arrays take the compiler long.
func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
