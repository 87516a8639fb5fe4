// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// PNG (W3C, third edition): chunks up to IEND; text, time and unknown chunks are not shared.
enum PNGFile {
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD",
        "hIST", "pHYs", "acTL", "fcTL", "fdAT",
    ]

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        var outline = PictureOutline(format: .png)
        outline.keep(0..<8)
        var offset = 8
        while true {
            let length = try bytes.number(at: offset, count: 4)
            let type = try bytes.text(at: offset + 4, count: 4)
            let range = offset..<(offset + 12 + length)
            try bytes.require(range.count, at: offset)
            if kept.contains(type) { outline.keep(range) }
            switch type {
            case "IHDR":
                outline.width = try bytes.number(at: offset + 8, count: 4)
                outline.height = try bytes.number(at: offset + 12, count: 4)
                if !outline.pieces.contains(.exif) { outline.pieces.append(.exif) }
            case "iCCP":
                let name = (offset + 8)..<(offset + 8 + min(length, 80))
                outline.hasUnusualColours = !bytes.has("sRGB", within: name)
            case "eXIf": outline.exif = (offset + 8)..<(offset + 8 + length)
            case "IEND": return outline
            default: break
            }
            offset = range.upperBound
        }
    }

    /// A chunk with its length and checksum.
    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = []
        UInt32(content.count).appendBigEndian(to: &chunk)
        let body = Array(type.utf8) + content
        chunk += body
        checksum(body).appendBigEndian(to: &chunk)
        return chunk
    }

    /// CRC-32 as PNG's annex D has it, bit by bit: what is written here is short.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? 0xEDB8_8320 ^ (remainder >> 1) : remainder >> 1 }
        }
        return ~remainder
    }
}
