// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// JPEG (ITU-T T.81): segments up to the end marker; whatever follows that marker is not the picture, and what no decoder needs
/// is not shared.
enum JPEGFile {
    private static let exifSignature = Array("Exif\0\0".utf8)
    private static let startOfScan: UInt8 = 0xDA
    private static let endOfImage: UInt8 = 0xD9

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        var outline = PictureOutline(format: .jpeg)
        outline.keep(0..<2)
        outline.pieces.append(.exif)
        var offset = 2
        while true {
            guard try bytes.byte(at: offset) == 0xFF else { throw .damaged("a JPEG segment is missing") }
            let marker = try bytes.byte(at: offset + 1)
            switch marker {
            case 0xFF: offset += 1
            case endOfImage:
                outline.keep(offset..<(offset + 2))
                return outline
            case 0x01, 0xD0...0xD8: offset += 2
            default:
                let end = try offset + 2 + bytes.number(at: offset + 2, count: 2)
                try bytes.require(end - offset, at: offset)
                try take(marker, offset..<end, bytes, &outline)
                offset = marker == startOfScan ? try scanEnd(bytes, from: end) : end
                if marker == startOfScan { outline.keep(end..<offset) }
            }
        }
    }

    /// Decides over one segment, of which `range` covers the marker, the length and the content.
    private static func take(
        _ marker: UInt8,
        _ range: Range<Int>,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) {
        let content = (range.lowerBound + 4)..<max(range.lowerBound + 4, range.upperBound)
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            outline.height = try bytes.number(at: content.lowerBound + 1, count: 2)
            outline.width = try bytes.number(at: content.lowerBound + 3, count: 2)
            outline.keep(range)
        case 0xE0: if bytes.has("JFIF\0", at: content.lowerBound) { try takeJFIF(content, bytes, &outline) }
        case 0xE1:
            if bytes.has(exifSignature, at: content.lowerBound), content.count > 6 {
                outline.exif = outline.exif ?? (content.lowerBound + 6)..<content.upperBound
            }
        case 0xE2:
            if bytes.has("ICC_PROFILE\0", at: content.lowerBound) {
                // The profile's name stands in its first part; later parts decide nothing.
                let isFirst = bytes.has([1], at: content.lowerBound + 12)
                if isFirst { outline.hasUnusualColours = !bytes.has("sRGB", within: content) }
                outline.keep(range)
            }
        case 0xEE: if bytes.has("Adobe", at: content.lowerBound) { outline.keep(range) }
        // Tables of both codings, the scan, line counts, restarts, hierarchies.
        case 0xC4, 0xCC, 0xDA...0xDF: outline.keep(range)
        // Applications, comments, and what the standard leaves to later versions of itself.
        default: break
        }
    }

    /// Keeps the version and density, but no thumbnail.
    private static func takeJFIF(
        _ content: Range<Int>,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) {
        try bytes.require(12, at: content.lowerBound)
        let head = bytes.all[content.lowerBound..<(content.lowerBound + 12)]
        outline.pieces.append(.bytes([0xFF, 0xE0, 0, 16] + head + [0, 0]))
    }

    /// Where entropy-coded data ends: at the first marker that is neither a stuffed byte nor a restart.
    private static func scanEnd(_ bytes: PictureBytes, from start: Int) throws(ImportError) -> Int {
        var offset = start
        let last = bytes.count - 1
        while offset < last {
            if bytes.all[offset] == 0xFF {
                let next = bytes.all[offset + 1]
                if next != 0 && next != 0xFF && !(0xD0...0xD7).contains(next) { return offset }
            }
            offset += 1
        }
        throw .cutShort
    }

    /// EXIF data as an APP1 segment.
    static func framed(_ exif: [UInt8]) -> [UInt8] {
        var segment: [UInt8] = [0xFF, 0xE1]
        UInt16(exif.count + 8).appendBigEndian(to: &segment)
        return segment + exifSignature + exif
    }
}
