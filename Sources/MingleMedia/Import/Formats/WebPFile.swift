// SPDX-License-Identifier: Apache-2.0

/// WebP (RFC 9649): a RIFF container; EXIF, XMP and unknown chunks are not shared, be they in a frame.
enum WebPFile {
    private static let kept: Set<String> = ["VP8 ", "VP8L", "ALPH", "ANIM"]
    /// A file has one of these outside frames; a second one is never shown.
    private static let images: Set<String> = ["VP8 ", "VP8L"]
    private static let keptInFrames: Set<String> = ["VP8 ", "VP8L", "ALPH"]
    /// Bytes of a frame before its chunks: place, size, duration.
    private static let frameHeader = 16
    private static let flagsOffset = 20
    private static let profileFlag: UInt8 = 0x20
    private static let exifFlag: UInt8 = 0x08
    private static let xmpFlag: UInt8 = 0x04

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        var outline = PictureOutline(format: .webp)
        let end = try 8 + bytes.littleEndian(at: 4, count: 4)
        try bytes.require(end, at: 0)
        outline.keep(0..<12)
        var offset = 12
        var hasImage = false
        while offset + 8 <= end {
            let type = try bytes.text(at: offset, count: 4)
            let length = try bytes.littleEndian(at: offset + 4, count: 4)
            let content = (offset + 8)..<(offset + 8 + length)
            try bytes.require(length, at: content.lowerBound)
            try take(type, content, bytes, &outline)
            offset = min(content.upperBound + length % 2, bytes.count)
            let isImage = images.contains(type)
            if kept.contains(type), !(isImage && hasImage) { outline.keep((content.lowerBound - 8)..<offset) }
            hasImage = hasImage || isImage
            if type == "ANMF" { try takeFrame(content, bytes, &outline) }
        }
        outline.pieces.append(.exif)
        return outline
    }

    private static func take(
        _ type: String,
        _ content: Range<Int>,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) {
        let start = content.lowerBound
        switch type {
        case "VP8X":
            guard content.count >= 10 else { throw .damaged("its WebP header is too short") }
            outline.width = try bytes.littleEndian(at: start + 4, count: 3) + 1
            outline.height = try bytes.littleEndian(at: start + 7, count: 3) + 1
            outline.pieces.append(.bytes(chunk("VP8X", Array(bytes.all[content].prefix(10)))))
        case "VP8 " where outline.width == 0:
            guard bytes.has([0x9D, 0x01, 0x2A], at: start + 3) else {
                throw .damaged("its WebP frame has no start code")
            }
            outline.width = try bytes.littleEndian(at: start + 6, count: 2) & 0x3FFF
            outline.height = try bytes.littleEndian(at: start + 8, count: 2) & 0x3FFF
        case "VP8L" where outline.width == 0:
            let packed = try bytes.littleEndian(at: start + 1, count: 4)
            outline.width = packed & 0x3FFF + 1
            outline.height = (packed >> 14) & 0x3FFF + 1
        case "ICCP":
            guard let profile = ColourProfile(Array(bytes.all[content])) else { return }
            outline.hasUnusualColours = !profile.isSRGB
            outline.pieces.append(.bytes(chunk("ICCP", profile.bytes)))
        case "EXIF": outline.exif = Array(bytes.all[content])
        case "XMP ": outline.xmp = Array(bytes.all[content])
        default: break
        }
    }

    /// Keeps of a frame what is drawn, and says so in its length.
    private static func takeFrame(
        _ content: Range<Int>,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) {
        guard content.count >= frameHeader else { throw .damaged("a frame of it is too short") }
        var kept = [content.prefix(frameHeader)]
        var offset = content.lowerBound + frameHeader
        while offset + 8 <= content.upperBound {
            let type = try bytes.text(at: offset, count: 4)
            let end = try offset + 8 + bytes.littleEndian(at: offset + 4, count: 4)
            guard end <= content.upperBound else { throw .damaged("a frame of it is too short") }
            let padded = min(end + (end - offset) % 2, content.upperBound)
            if keptInFrames.contains(type) { kept.append(offset..<padded) }
            offset = padded
        }
        let length = kept.reduce(0) { $0 + $1.count }
        outline.pieces.append(.bytes(head("ANMF", length)))
        for range in kept { outline.keep(range) }
        if length % 2 == 1 { outline.pieces.append(.bytes([0])) }
    }

    /// A chunk with its length, padded to an even one.
    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        head(type, content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func head(_ type: String, _ length: Int) -> [UInt8] {
        Array(type.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: UInt32(length) >> (8 * $0)) }
    }

    /// Corrects the container's length and the flags that announce a profile and metadata.
    static func sealed(_ file: [UInt8], hasExif: Bool) -> [UInt8] {
        var file = file
        file.replaceSubrange(4..<8, with: PictureBytes.little(file.count - 8, 4))
        let start = PictureBytes(Array(file.prefix(40)))
        if start.has("VP8X", at: 12) {
            file[flagsOffset] &= ~(profileFlag | exifFlag | xmpFlag)
            if hasExif { file[flagsOffset] |= exifFlag }
            // A profile follows the header at once (RFC 9649, section 2.7).
            if start.has("ICCP", at: 30) { file[flagsOffset] |= profileFlag }
        }
        return file
    }
}
