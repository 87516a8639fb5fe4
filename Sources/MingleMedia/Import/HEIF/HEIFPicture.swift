// SPDX-License-Identifier: Apache-2.0

/// The items of one picture, and how a file of nothing but them is written (ISO/IEC 23008-12).
///
/// Items are numbered anew and all offsets are computed, so a file that is read and written again is the same.
struct HEIFPicture: Equatable {
    /// Where an item's bytes come from.
    enum Content: Hashable {
        /// These bytes of the original.
        case copy([Range<Int>])
        /// Other bytes.
        case bytes([UInt8])

        var count: Int {
            switch self {
            case .copy(let ranges): ranges.reduce(0) { $0 + $1.count }
            case .bytes(let bytes): bytes.count
            }
        }
    }

    /// A coded picture, or a picture that is put together from others.
    struct Item: Equatable {
        let type: String
        let content: Content
        var properties: [Property]
    }

    /// An item refers to others, all of them by their places in ``HEIFPicture/items``.
    struct Reference: Equatable {
        let type: String
        let from: Int
        let to: [Int]
    }

    /// A box that says how an item looks.
    struct Property: Hashable {
        let box: [UInt8]
        /// Whether a reader that does not know the property must not show the item.
        let isEssential: Bool
    }

    /// The brands of the file; the first is its own.
    var brands: [String] = []
    /// The items; the first is the picture.
    var items: [Item] = []
    var references: [Reference] = []

    /// The file, with `original`'s bytes where items copy them.
    func file(_ original: PictureBytes, exif: [UInt8]?) -> [UInt8] {
        var contents = items.map(\.content)
        // Four bytes say where behind them the data begins.
        if let exif { contents.append(.bytes([0, 0, 0, 0] + exif)) }
        var data: [UInt8] = []
        var starts: [Content: Int] = [:]
        let places = contents.map { content in
            // Tiles may share their bytes.
            if let start = starts[content] { return (start, content.count) }
            let start = data.count
            starts[content] = start
            switch content {
            case .copy(let ranges): for range in ranges { data += original.all[range] }
            case .bytes(let bytes): data += bytes
            }
            return (start, content.count)
        }
        let head = HEIFBox.encoded("ftyp", Array(brands[0].utf8) + Self.big(0, 4) + brands.flatMap(\.utf8))
        let dataStart = head.count + meta(places, dataStart: 0, hasExif: exif != nil).count + 8
        return head + meta(places, dataStart: dataStart, hasExif: exif != nil) + HEIFBox.encoded("mdat", data)
    }

    private func meta(_ places: [(start: Int, length: Int)], dataStart: Int, hasExif: Bool) -> [UInt8] {
        let handler = Self.big(0, 4) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
        // Items share properties that are equal.
        var properties: [Property] = []
        var numbers: [Property: Int] = [:]
        for property in items.flatMap(\.properties) where numbers[property] == nil {
            properties.append(property)
            numbers[property] = properties.count
        }
        let locations = places.enumerated().flatMap { index, place in
            Self.big(index + 1, 2) + Self.big(0, 2) + Self.big(1, 2) + Self.big(dataStart + place.start, 4)
                + Self.big(place.length, 4)
        }
        let content =
            HEIFBox.encoded("hdlr", version: 0, handler)
            + HEIFBox.encoded("pitm", version: 0, Self.big(1, 2))
            + HEIFBox.encoded("iloc", version: 0, [0x44, 0] + Self.big(places.count, 2) + locations)
            + information(hasExif: hasExif) + links(hasExif: hasExif)
            + HEIFBox.encoded("iprp", HEIFBox.encoded("ipco", properties.flatMap(\.box)) + associations(numbers))
        return HEIFBox.encoded("meta", version: 0, content)
    }

    /// Types of the items; all but the picture itself are hidden, since they are shown through it.
    private func information(hasExif: Bool) -> [UInt8] {
        let types = items.map(\.type) + (hasExif ? ["Exif"] : [])
        let entries = types.enumerated().flatMap { index, type in
            let content = Self.big(index + 1, 2) + Self.big(0, 2) + Array(type.utf8) + [0]
            return HEIFBox.encoded("infe", version: 2, flags: index == 0 || type == "Exif" ? 0 : 1, content)
        }
        return HEIFBox.encoded("iinf", version: 0, Self.big(types.count, 2) + entries)
    }

    private func links(hasExif: Bool) -> [UInt8] {
        let all = references + (hasExif ? [Reference(type: "cdsc", from: items.count, to: [0])] : [])
        if all.isEmpty { return [] }
        let boxes = all.flatMap { reference in
            let targets = reference.to.flatMap { Self.big($0 + 1, 2) }
            return HEIFBox.encoded(
                reference.type,
                Self.big(reference.from + 1, 2) + Self.big(reference.to.count, 2) + targets
            )
        }
        return HEIFBox.encoded("iref", version: 0, boxes)
    }

    private func associations(_ numbers: [Property: Int]) -> [UInt8] {
        let isWide = numbers.count > 0x7F
        let entries = items.enumerated().flatMap { index, item in
            let places = item.properties.flatMap { property in
                let mark = property.isEssential ? (isWide ? 0x8000 : 0x80) : 0
                return Self.big(numbers[property, default: 0] | mark, isWide ? 2 : 1)
            }
            return Self.big(index + 1, 2) + [UInt8(item.properties.count)] + places
        }
        return HEIFBox.encoded("ipma", version: 0, flags: isWide ? 1 : 0, Self.big(items.count, 4) + entries)
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] { PictureBytes.big(value, count) }
}
