// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// A picture file's bytes, read by offset; reading past the end throws `cutShort`.
struct PictureBytes: Sendable {
    /// The bytes.
    let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    /// How many bytes there are.
    var count: Int { all.count }

    /// Throws unless `count` bytes follow `offset`.
    func require(_ count: Int, at offset: Int) throws(ImportError) {
        guard offset >= 0, count >= 0, offset <= all.count, count <= all.count - offset else { throw .cutShort }
    }

    /// The byte at `offset`.
    func byte(at offset: Int) throws(ImportError) -> UInt8 {
        try require(1, at: offset)
        return all[offset]
    }

    /// The unsigned number in the `count` bytes at `offset`, most significant first; at most 8 bytes.
    func number(at offset: Int, count: Int) throws(ImportError) -> Int {
        try require(count, at: offset)
        var value: UInt64 = 0
        for index in offset..<(offset + count) { value = value << 8 | UInt64(all[index]) }
        guard let number = Int(exactly: value) else { throw .damaged("a number in it is out of range") }
        return number
    }

    /// The unsigned number in the `count` bytes at `offset`, least significant first; at most 4 bytes.
    func littleEndian(at offset: Int, count: Int) throws(ImportError) -> Int {
        try require(count, at: offset)
        var value = 0
        for index in (offset..<(offset + count)).reversed() { value = value << 8 | Int(all[index]) }
        return value
    }

    /// The `count` bytes at `offset` as text.
    func text(at offset: Int, count: Int) throws(ImportError) -> String {
        try require(count, at: offset)
        return String(decoding: all[offset..<(offset + count)], as: UTF8.self)
    }

    /// Whether `expected` stands at `offset`.
    func has(_ expected: [UInt8], at offset: Int) -> Bool {
        offset >= 0 && offset + expected.count <= all.count
            && all[offset..<(offset + expected.count)].elementsEqual(expected)
    }

    /// Whether the ASCII `expected` stands at `offset`.
    func has(_ expected: StaticString, at offset: Int) -> Bool { has(Array("\(expected)".utf8), at: offset) }

    /// Whether `expected` stands anywhere in `range`.
    func has(_ expected: StaticString, within range: Range<Int>) -> Bool {
        let needle = Array("\(expected)".utf8)
        return range.contains { all[$0] == needle[0] && has(needle, at: $0) }
    }

    // MARK: - Writing

    /// The lowest `count` bytes of a number, most significant first.
    static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    /// The lowest `count` bytes of a number, least significant first.
    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
