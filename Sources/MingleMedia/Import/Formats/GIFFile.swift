// SPDX-License-Identifier: Apache-2.0

/// GIF (CompuServe, 1989): blocks up to the trailer; comments and foreign extensions are not shared.
///
/// A file that ends without the trailer, behind a whole image, gets one.
enum GIFFile {
    private static let trailer: [UInt8] = [0x3B]
    /// The applications whose block says how often the pictures are repeated.
    private static let loops: [StaticString] = ["NETSCAPE2.0", "ANIMEXTS1.0"]
    private static let loopLength = 19
    private static let controlLength = 8

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        var outline = PictureOutline(format: .gif)
        outline.width = try bytes.littleEndian(at: 6, count: 2)
        outline.height = try bytes.littleEndian(at: 8, count: 2)
        var offset = try 13 + colourTableLength(bytes, flagsAt: 10)
        try bytes.require(offset, at: 0)
        outline.keep(0..<offset)
        var hasImage = false
        while true {
            let end: Int
            switch bytes.all.dropFirst(offset).first {
            case 0x2C:
                end = try imageEnd(bytes, offset)
                outline.keep(offset..<end)
                hasImage = true
            case 0x21:
                end = try subBlocksEnd(bytes, offset + 2)
                if isShared(bytes, offset..<end) { outline.keep(offset..<end) }
            case let other:
                // What follows the trailer, or stands in its place, is no picture.
                guard hasImage else { throw other == nil ? .cutShort : .damaged("a GIF block is missing") }
                outline.pieces.append(.bytes(trailer))
                return outline
            }
            offset = end
        }
    }

    /// Timing, and how often the pictures are repeated.
    private static func isShared(_ bytes: PictureBytes, _ range: Range<Int>) -> Bool {
        switch bytes.all[range.lowerBound + 1] {
        case 0xF9: range.count == controlLength
        case 0xFF: range.count == loopLength && loops.contains { bytes.has($0, at: range.lowerBound + 3) }
        default: false
        }
    }

    private static func imageEnd(_ bytes: PictureBytes, _ offset: Int) throws(ImportError) -> Int {
        let data = try offset + 10 + colourTableLength(bytes, flagsAt: offset + 9)
        return try subBlocksEnd(bytes, data + 1)
    }

    private static func colourTableLength(_ bytes: PictureBytes, flagsAt offset: Int) throws(ImportError) -> Int {
        let flags = try bytes.byte(at: offset)
        return flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private static func subBlocksEnd(_ bytes: PictureBytes, _ start: Int) throws(ImportError) -> Int {
        var offset = start
        while true {
            let length = try Int(bytes.byte(at: offset))
            offset += 1 + length
            if length == 0 { return offset }
        }
    }
}
