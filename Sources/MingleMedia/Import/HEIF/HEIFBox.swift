// SPDX-License-Identifier: Apache-2.0

/// A box of the ISO base media file format (ISO/IEC 14496-12): length, type, content.
struct HEIFBox {
    /// Boxes that one file may have at any one level; more are no picture.
    private static let limit = 4096

    /// The four letters.
    let type: String
    /// The whole box.
    let range: Range<Int>
    /// What follows length and type.
    let content: Range<Int>

    /// Reads the boxes at the front of a file, as far as they are boxes: cameras append other things, and what is
    /// missing of the last box may not be needed.
    static func top(_ bytes: PictureBytes) throws(ImportError) -> [HEIFBox] {
        var boxes: [HEIFBox] = []
        while let box = try? HEIFBox(bytes, at: boxes.last?.range.upperBound ?? 0, end: bytes.count) {
            boxes.append(box)
            guard boxes.count <= limit else { throw .damaged("it has too many parts") }
        }
        return boxes
    }

    /// Reads the boxes that fill `range`.
    static func list(_ bytes: PictureBytes, in range: Range<Int>) throws(ImportError) -> [HEIFBox] {
        var boxes: [HEIFBox] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let box = try HEIFBox(bytes, at: offset, end: range.upperBound)
            boxes.append(box)
            guard boxes.count <= limit else { throw .damaged("it has too many parts") }
            offset = box.range.upperBound
        }
        return boxes
    }

    private init(_ bytes: PictureBytes, at offset: Int, end: Int) throws(ImportError) {
        var length = try bytes.number(at: offset, count: 4)
        var headerLength = 8
        if length == 1 {
            length = try bytes.number(at: offset + 8, count: 8)
            headerLength = 16
        } else if length == 0 {
            length = end - offset
        }
        guard length >= headerLength else { throw .damaged("a part of it has no length") }
        guard length <= end - offset else { throw .cutShort }
        type = try bytes.text(at: offset + 4, count: 4)
        range = offset..<(offset + length)
        content = (offset + headerLength)..<(offset + length)
    }

    /// The unsigned number in `count` bytes of the content, at most 8, behind the first `place`.
    ///
    /// What stands behind the box says nothing about it, and may not be shared.
    func number(at place: Int, count: Int, _ bytes: PictureBytes) throws(ImportError) -> Int {
        try require(count, at: place)
        return try bytes.number(at: content.lowerBound + place, count: count)
    }

    /// The letters in `count` bytes of the content, behind the first `place`.
    func text(at place: Int, count: Int, _ bytes: PictureBytes) throws(ImportError) -> String {
        try require(count, at: place)
        return try bytes.text(at: content.lowerBound + place, count: count)
    }

    private func require(_ count: Int, at place: Int) throws(ImportError) {
        guard place >= 0, count <= content.count, place <= content.count - count else {
            throw .damaged("a part of it ends too early")
        }
    }

    // MARK: - Writing

    /// A box of a type and its content.
    static func encoded(_ type: String, _ content: [UInt8]) -> [UInt8] {
        PictureBytes.big(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// A box whose content begins with a version and flags.
    static func encoded(_ type: String, version: Int, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
        encoded(type, [UInt8(version)] + PictureBytes.big(flags, 3) + content)
    }
}
