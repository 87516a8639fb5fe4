// SPDX-License-Identifier: Apache-2.0

/// GIF (CompuServe, 1989): blocks up to the trailer; comments and foreign extensions are not shared.
enum GIFFile {
    private static let keptApplications: [StaticString] = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        var outline = PictureOutline(format: .gif)
        outline.width = try bytes.littleEndian(at: 6, count: 2)
        outline.height = try bytes.littleEndian(at: 8, count: 2)
        var offset = try 13 + colourTableLength(bytes, flagsAt: 10)
        try bytes.require(offset, at: 0)
        outline.keep(0..<offset)
        while true {
            let end: Int
            switch try bytes.byte(at: offset) {
            case 0x2C:
                end = try imageEnd(bytes, offset)
                outline.keep(offset..<end)
            case 0x21:
                end = try subBlocksEnd(bytes, offset + 2)
                if try isShared(bytes, offset) { outline.keep(offset..<end) }
            case 0x3B:
                outline.keep(offset..<(offset + 1))
                return outline
            default: throw .damaged("a GIF block is missing")
            }
            offset = end
        }
    }

    /// Timing, drawn text, and the applications that change how the picture looks.
    private static func isShared(_ bytes: PictureBytes, _ offset: Int) throws(ImportError) -> Bool {
        switch try bytes.byte(at: offset + 1) {
        case 0xF9, 0x01: true
        case 0xFF: keptApplications.contains { bytes.has($0, at: offset + 3) }
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
