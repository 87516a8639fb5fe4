// SPDX-License-Identifier: Apache-2.0

/// RFC 4648 base32 in lower case without padding: safe in URLs, file names and DNS labels.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Writes `bytes` in base32, five bits a character.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var buffer = 0
        var bitCount = 0
        for byte in bytes {
            buffer = (buffer << 8) | Int(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                characters.append(alphabet[(buffer >> bitCount) & 31])
            }
            buffer &= (1 << bitCount) - 1
        }
        if bitCount > 0 { characters.append(alphabet[(buffer << (5 - bitCount)) & 31]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Reads base32 of either case; nil for other characters or bits that no encoder leaves set.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = 0
        var bitCount = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            buffer = (buffer << 5) | value
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bitCount))
            }
            buffer &= (1 << bitCount) - 1
        }
        return bitCount < 5 && buffer == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): Int(character - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
