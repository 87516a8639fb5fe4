// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// PNG (W3C, third edition): chunks up to IEND; text, time and unknown chunks are not shared.
enum PNGFile {
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "cICP", "mDCV", "cLLI", "sBIT", "bKGD",
        "hIST", "pHYs", "acTL", "fcTL", "fdAT",
    ]
    /// Bytes of a colour profile.
    private static let profileLimit = 4 << 20

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
                guard let profile = profile(bytes.all[(offset + 8)..<(offset + 8 + length)]),
                    let compressed = Zlib.compress(profile.bytes)
                else { break }
                outline.hasUnusualColours = !profile.isSRGB
                outline.pieces.append(.bytes(chunk("iCCP", Array("Colours\0\0".utf8) + compressed)))
            case "eXIf": outline.exif = Array(bytes.all[(offset + 8)..<(offset + 8 + length)])
            case "iTXt" where bytes.has("XML:com.adobe.xmp\0\0\0", at: offset + 8):
                outline.xmp = Array(bytes.all[(offset + 8)..<(offset + 8 + length)])
            case "IEND": return outline
            default: break
            }
            offset = range.upperBound
        }
    }

    /// The profile behind a name, a zero and the number of the compression.
    private static func profile(_ content: ArraySlice<UInt8>) -> ColourProfile? {
        guard let nameEnd = content.firstIndex(of: 0), content.endIndex - nameEnd > 2 else { return nil }
        return Zlib.expand(Array(content[(nameEnd + 2)...]), limit: profileLimit).flatMap { ColourProfile($0) }
    }

    /// A chunk with its length and checksum.
    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = []
        UInt32(content.count).appendBigEndian(to: &chunk)
        let body = Array(type.utf8) + content
        chunk += body
        Zlib.checksum(body).appendBigEndian(to: &chunk)
        return chunk
    }
}
