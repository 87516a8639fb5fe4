// SPDX-License-Identifier: Apache-2.0

/// Collects of a file's items what the shown picture needs.
struct HEIFSelection {
    /// Pictures that are put together from pictures that are put together, and so on.
    private static let depthLimit = 4
    /// Properties of one item.
    private static let propertyLimit = 64
    /// Bytes of the description of a grid or an overlay.
    private static let layoutLimit = 1 << 18
    /// Pixels that encoders add to fill their largest block.
    private static let padding = 64

    private let items: HEIFItems
    private let bytes: PictureBytes
    /// Where items of the file are among the picture's, by their ids.
    private var places: [Int: Int] = [:]
    private var copiedCount = 0
    private var copied: Set<HEIFPicture.Content> = []

    /// What was collected.
    private(set) var picture = HEIFPicture()
    /// The size of the picture as it is shown, and what else its header claims.
    private(set) var outline = PictureOutline(format: .heic)
    /// Whether the picture itself says how it is turned.
    private(set) var turns = false
    /// Whether the pixels are coded by AV1.
    private(set) var isAV1 = false

    init(items: HEIFItems, bytes: PictureBytes) { (self.items, self.bytes) = (items, bytes) }

    /// Collects the primary item and what it needs.
    mutating func addPicture() throws(ImportError) { _ = try add(items.primary, depth: 0) }

    /// Gives the file brands, once it is known what it holds.
    mutating func setBrands(_ brands: [String]) { picture.brands = brands }

    /// Turns the picture as an EXIF orientation says.
    mutating func turn(by orientation: Int) {
        // Quarters against the clock, then a mirror: 0 swaps top and bottom, 1 left and right.
        let (quarters, mirror): (UInt8?, UInt8?) =
            switch orientation {
            case 2: (nil, 1)
            case 3: (2, nil)
            case 4: (nil, 0)
            case 5: (1, 0)
            case 6: (3, nil)
            case 7: (3, 0)
            case 8: (1, nil)
            default: (nil, nil)
            }
        let boxes = [quarters.map { HEIFBox.encoded("irot", [$0]) }, mirror.map { HEIFBox.encoded("imir", [$0]) }]
        let added = boxes.compactMap(\.self).map { HEIFPicture.Property(box: $0, isEssential: true) }
        picture.items[0].properties += added
    }

    // MARK: - Items

    private mutating func add(_ id: Int, depth: Int) throws(ImportError) -> Int {
        if let place = places[id] { return place }
        guard depth < Self.depthLimit else { throw .damaged("its parts contain each other") }
        guard let type = items.types[id] else { throw .damaged("a part of it is missing") }
        let place = picture.items.count
        places[id] = place
        let look = try readLook(of: id)
        note(look, isPicture: place == 0)
        // What the item needs comes behind it.
        picture.items.append(HEIFPicture.Item(type: type, content: .bytes([]), properties: look.properties))
        let content = try content(of: id, type, look, place, depth)
        picture.items[place] = HEIFPicture.Item(type: type, content: content, properties: look.properties)
        try addAlpha(of: id, place, depth)
        return place
    }

    private mutating func content(
        of id: Int,
        _ type: String,
        _ look: HEIFLook,
        _ place: Int,
        _ depth: Int
    ) throws(ImportError) -> HEIFPicture.Content {
        switch type {
        case "hvc1", "hev1", "av01":
            isAV1 = type == "av01"
            let content = try CodedPicture(type, lengthSize: look.lengthSize).content(items.extents(of: id), bytes)
            try note(content)
            return content
        case "jpeg":
            let whole = try PictureBytes(items.content(of: id, limit: bytes.count))
            guard whole.has([0xFF, 0xD8], at: 0) else { throw .damaged("a part of it is not a JPEG picture") }
            let inner = try JPEGFile.outline(whole)
            outline.noteArea(inner.width, inner.height)
            let content = HEIFPicture.Content.bytes(inner.assemble(whole, exif: nil))
            try note(content)
            return content
        case "grid":
            var grid = try HEIFGrid(items.content(of: id, limit: Self.layoutLimit), tiles: inputs(of: id))
            if let tile = grid.tiles.first { grid.trim(toTilesOf: try readLook(of: tile).size) }
            try refer("dimg", place, to: grid.tiles, depth)
            return .bytes(grid.encoded)
        case "iovl", "iden":
            // Of what lies below another picture, or outside, only a new encoding gets rid.
            outline.hidesPixels = true
            try refer("dimg", place, to: inputs(of: id), depth)
            return .bytes(type == "iden" ? [0] : try items.content(of: id, limit: Self.layoutLimit))
        default: throw .damaged("it is stored in an unknown way")
        }
    }

    /// Parts that share all of their bytes are stored once; those that share some would grow the file without end.
    private mutating func note(_ content: HEIFPicture.Content) throws(ImportError) {
        guard copied.insert(content).inserted else { return }
        copiedCount += content.count
        guard copiedCount <= bytes.count + JPEGFile.headLimit else { throw .damaged("two parts of it share bytes") }
        guard content.count > 0 else { throw .damaged("a part of it is empty") }
    }

    private func inputs(of id: Int) -> [Int] { items.references.first { $0.type == "dimg" && $0.from == id }?.to ?? [] }

    private mutating func refer(_ type: String, _ place: Int, to ids: [Int], _ depth: Int) throws(ImportError) {
        guard !ids.isEmpty else { throw .damaged("a part of it is missing") }
        let index = picture.references.count
        picture.references.append(HEIFPicture.Reference(type: type, from: place, to: []))
        var targets: [Int] = []
        for id in ids { targets.append(try add(id, depth: depth + 1)) }
        picture.references[index] = HEIFPicture.Reference(type: type, from: place, to: targets)
    }

    /// Adds the picture that says where an item is transparent.
    private mutating func addAlpha(of id: Int, _ place: Int, _ depth: Int) throws(ImportError) {
        for reference in items.references where reference.type == "auxl" && reference.to.contains(id) {
            guard places[reference.from] == nil, try readLook(of: reference.from).isAlpha else { continue }
            let alpha = try add(reference.from, depth: depth + 1)
            picture.references.append(HEIFPicture.Reference(type: "auxl", from: alpha, to: [place]))
            let isMultiplied = items.references.contains {
                $0.type == "prem" && $0.from == id && $0.to.contains(reference.from)
            }
            if isMultiplied { picture.references.append(HEIFPicture.Reference(type: "prem", from: place, to: [alpha])) }
            return
        }
    }

    // MARK: - Properties

    private func readLook(of id: Int) throws(ImportError) -> HEIFLook {
        // One property named many times is read once: a colour profile is long.
        var seen: Set<Int> = []
        let named = (items.associations[id] ?? []).filter { seen.insert($0).inserted }
        guard named.count <= Self.propertyLimit else { throw .damaged("it has too many parts") }
        let known = named.filter { items.properties.indices.contains($0 - 1) }
        return try HEIFLook(known.map { items.properties[$0 - 1] }, bytes)
    }

    private mutating func note(_ look: HEIFLook, isPicture: Bool) {
        outline.noteArea(look.size.width, look.size.height)
        if look.cut.width >= Self.padding || look.cut.height >= Self.padding { outline.hidesPixels = true }
        guard isPicture else { return }
        (outline.width, outline.height) = look.shownSize
        outline.hasUnusualColours = look.hasUnusualColours
        turns = look.turns
    }
}
