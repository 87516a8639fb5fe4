// SPDX-License-Identifier: Apache-2.0

/// HEIC and AVIF files put together box by box, without the code under test; the coded pixels are only words.
struct HEIFSample {
    /// One item of the file.
    struct Item {
        var id: Int
        var type: String
        var data: [UInt8] = []
        /// Whole boxes.
        var properties: [[UInt8]] = []
        var mediaType = ""
        /// Into how many extents the data is cut.
        var pieces = 1
        /// Whether the data is in the `idat` box.
        var isInside = false
        /// Whether it has no place at all.
        var isAbsent = false
    }

    /// How wide ids, offsets and counts are written.
    enum Width { case usual, large }

    var brands = ["heic", "mif1"]
    var items: [Item]
    var references: [(type: String, from: Int, to: [Int])] = []
    var primary = 1
    var width = Width.usual
    var metaIsLast = false
    /// What lies between the data of items.
    var gap: [UInt8] = PictureSample.secret
    /// Boxes inside `meta` besides those of the items.
    var more: [UInt8] = []

    /// The file.
    var bytes: [UInt8] {
        let start = Self.box("ftyp", Array(brands[0].utf8) + Self.big(0, 4) + brands.flatMap(\.utf8))
        let (data, inside, places) = laidOut
        if metaIsLast {
            return start + Self.box("mdat", data) + meta(places, inside, start.count + 8)
        }
        let dataStart = start.count + meta(places, inside, 0).count + 8
        return start + meta(places, inside, dataStart) + Self.box("mdat", data)
    }

    private typealias Place = (item: Item, extents: [(start: Int, length: Int)])

    private var laidOut: (data: [UInt8], inside: [UInt8], places: [Place]) {
        var (data, inside, places) = ([UInt8](), [UInt8](), [Place]())
        for item in items where !item.isAbsent {
            var extents: [(Int, Int)] = []
            let length = max(1, (item.data.count + item.pieces - 1) / item.pieces)
            for start in stride(from: 0, to: item.data.count, by: length) {
                let part = item.data[start..<min(start + length, item.data.count)]
                extents.append((item.isInside ? inside.count : data.count, part.count))
                if item.isInside { inside += part + gap } else { data += part + gap }
            }
            places.append((item, extents))
        }
        return (data, inside, places)
    }

    private func meta(_ places: [Place], _ inside: [UInt8], _ dataStart: Int) -> [UInt8] {
        let isLarge = width == .large
        let id = { (id: Int) in Self.big(id, isLarge ? 4 : 2) }
        let locations = places.flatMap { item, extents in
            let parts = extents.flatMap { start, length in
                Self.big(start + (item.isInside ? 0 : dataStart), isLarge ? 8 : 4) + Self.big(length, isLarge ? 8 : 4)
            }
            return id(item.id) + Self.big(item.isInside ? 1 : 0, 2) + [0, 0] + Self.big(extents.count, 2) + parts
        }
        let location: [UInt8] =
            [isLarge ? 2 : 1, 0, 0, 0, isLarge ? 0x88 : 0x44, 0] + id(places.count) + locations
        let entries = items.flatMap { item -> [UInt8] in
            let name = Array("NAME \(ExifSample.secret)".utf8) + [0] + Array(item.mediaType.utf8) + [0]
            return Self.box("infe", [isLarge ? 3 : 2, 0, 0, 0] + id(item.id) + [0, 0] + Array(item.type.utf8) + name)
        }
        let links = references.flatMap { Self.box($0.type, id($0.from) + Self.big($0.to.count, 2) + $0.to.flatMap(id)) }
        let content =
            Self.box("hdlr", Self.big(0, 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
            + Self.box("pitm", [isLarge ? 1 : 0, 0, 0, 0] + id(primary))
            + Self.box("iinf", [isLarge ? 1 : 0, 0, 0, 0] + id(items.count) + entries)
            + (references.isEmpty ? [] : Self.box("iref", [isLarge ? 1 : 0, 0, 0, 0] + links))
            + properties(isLarge, id) + (inside.isEmpty ? [] : Self.box("idat", inside))
            + Self.box("iloc", location) + more
        return Self.box("meta", [0, 0, 0, 0] + content)
    }

    private func properties(_ isLarge: Bool, _ id: (Int) -> [UInt8]) -> [UInt8] {
        var (boxes, associations) = ([[UInt8]](), [UInt8]())
        for item in items {
            associations += id(item.id) + [UInt8(item.properties.count)]
            for property in item.properties {
                boxes.append(property)
                associations += isLarge ? Self.big(boxes.count, 2) : [UInt8(boxes.count)]
            }
        }
        let places = Self.box(
            "ipma",
            [isLarge ? 1 : 0, 0, 0, isLarge ? 1 : 0] + Self.big(items.count, 4) + associations
        )
        return Self.box("iprp", Self.box("ipco", boxes.flatMap(\.self)) + places)
    }
}

extension HEIFSample {
    /// A picture of one item, and what is to be beside it.
    static func picture(_ more: [Item] = [], properties: [[UInt8]] = []) -> HEIFSample {
        let item = Item(id: 1, type: "hvc1", data: slice(PictureSample.pixels), properties: look() + properties)
        return HEIFSample(items: [item] + more)
    }

    /// A grid, whose tiles are 2, 3 and so on.
    static func grid(_ columns: Int, _ rows: Int, width: Int, height: Int, tile: Int = 64) -> HEIFSample {
        let layout = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + big(width, 2) + big(height, 2)
        let whole = Item(id: 1, type: "grid", data: layout, properties: [size(width, height)], isInside: true)
        let tiles = (0..<(columns * rows)).map { index in
            Item(id: 2 + index, type: "hvc1", data: slice(tileWord(index)), properties: look(tile, tile))
        }
        return HEIFSample(items: [whole] + tiles, references: [("dimg", 1, tiles.map(\.id))])
    }

    /// What stands in a tile of ``grid(_:_:width:height:tile:)``.
    static func tileWord(_ index: Int) -> [UInt8] { Array("TILE\(index).".utf8) }

    /// What a decoder needs of an item of HEVC.
    static func look(_ width: Int = 40, _ height: Int = 30) -> [[UInt8]] { [configuration, size(width, height)] }

    /// A decoder's configuration with a parameter set, and with a message that is none.
    static var configuration: [UInt8] {
        let head: [UInt8] = [1] + [UInt8](repeating: 0, count: 20) + [3, 2]
        let set: [UInt8] = [33, 0, 1, 0, 4, 0x42, 1, 7, 7]
        let message = [39, 0, 1, 0, UInt8(2 + PictureSample.secret.count), 0x4E, 1] + PictureSample.secret
        return box("hvcC", head + set + message)
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", [0, 0, 0, 0] + big(width, 4) + big(height, 4))
    }

    /// A clean aperture of whole pixels.
    static func crop(_ width: Int, _ height: Int) -> [UInt8] {
        box("clap", [width, 1, height, 1, 0, 1, 0, 1].flatMap { big($0, 4) })
    }

    /// A coded slice of HEVC, and a message beside it.
    static func slice(_ word: [UInt8]) -> [UInt8] {
        let slice = [0x26, 1] + word
        let message = [0x4E, 1] + PictureSample.secret
        return big(slice.count, 4) + slice + big(message.count, 4) + message
    }

    /// A frame of AV1, and metadata beside it.
    static func frame(_ word: [UInt8]) -> [UInt8] {
        let secret = PictureSample.secret
        return [0x2A, UInt8(secret.count)] + secret + [0x32, UInt8(word.count)] + word
    }

    /// An EXIF item.
    static func exif(_ id: Int, _ sample: ExifSample = ExifSample()) -> Item {
        Item(id: id, type: "Exif", data: [0, 0, 0, 0] + sample.bytes)
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(type.utf8) + content
    }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
