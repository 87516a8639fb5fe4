// SPDX-License-Identifier: Apache-2.0

/// HEIC (ISO/IEC 23008-12): boxes whose offsets must not move, so what is not shared becomes zeros in place.
///
/// Kept are the structure, the properties that say how a picture looks, the coded pictures that it names, and nothing else of the
/// data boxes: that takes EXIF, XMP, embedded films and whatever lies between. A picture that is coded as JPEG is stripped like one.
enum HEIFFile {
    private static let keptBoxes: Set<String> = ["hdlr", "dinf", "pitm", "iinf", "iref", "iloc", "grpl"]
    private static let keptItems: Set<String> = ["hvc1", "hev1", "grid", "iovl", "iden", "tmap"]
    /// Coding, size, colours, shape, turning, which layers there are and what they are for; no words, times, places or cameras.
    private static let keptProperties: Set<String> = [
        "hvcC", "lhvC", "ispe", "pixi", "colr", "clli", "mdcv", "cclv", "amve", "pasp", "clap", "irot", "imir", "rloc",
        "iscl", "auxC", "lsel", "tols", "oinf", "rref",
    ]

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        let boxes = try HEIFBox.list(bytes, in: 0..<bytes.count)
        guard let meta = boxes.first(where: { $0.type == "meta" }), meta.content.count >= 4 else {
            throw .damaged("it contains no picture")
        }
        let metaBoxes = try HEIFBox.list(bytes, in: (meta.content.lowerBound + 4)..<meta.content.upperBound)
        let items = try HEIFItems(metaBoxes, bytes)
        var outline = PictureOutline(format: .heic)
        try describe(items, bytes, &outline)
        var regions: [Region] = []
        // What follows the last of them, such as a film that belongs to the picture, moves no offset by going.
        let end = boxes.lastIndex { ["ftyp", "meta", "mdat"].contains($0.type) } ?? boxes.startIndex
        for box in boxes[...end] {
            switch box.type {
            case "ftyp": regions.append(Region(box.range, .copy(box.range)))
            case "mdat": regions.append(header(of: box))
            case "meta" where box.range == meta.range:
                let head = box.range.lowerBound..<(box.content.lowerBound + 4)
                regions.append(Region(head, .copy(head)))
            default: regions += erased(box)
            }
        }
        for box in metaBoxes {
            switch box.type {
            case "idat": regions.append(header(of: box))
            case "iprp": regions += try propertyRegions(box, bytes)
            default: regions += kept(box, if: keptBoxes.contains(box.type))
            }
        }
        regions += try itemRegions(items, bytes, &outline)
        outline.pieces = try pieces(regions, count: boxes[end].range.upperBound)
        return outline
    }

    // MARK: - What the header claims

    private static func describe(
        _ items: HEIFItems,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) {
        for property in items.properties where property.type == "ispe" {
            let (width, height) = try extent(property, bytes)
            outline.noteArea(width, height)
        }
        // One property named many times is read once: looking through a colour profile takes time.
        var seen: Set<Int> = []
        let places = (items.associations[items.primary] ?? []).filter { seen.insert($0).inserted }
        for place in places where items.properties.indices.contains(place - 1) {
            let property = items.properties[place - 1]
            switch property.type {
            case "ispe": (outline.width, outline.height) = try extent(property, bytes)
            case "clap": try crop(property, bytes, &outline)
            case "irot": outline.turnsQuarter = try property.number(at: 0, count: 1, bytes) & 1 == 1
            case "colr":
                let isProfile = try property.text(at: 0, count: 4, bytes) == "prof"
                outline.hasUnusualColours = isProfile && !bytes.has("sRGB", within: property.content)
            default: break
            }
        }
    }

    private static func extent(
        _ property: HEIFBox,
        _ bytes: PictureBytes
    ) throws(ImportError) -> (width: Int, height: Int) {
        (try property.number(at: 4, count: 4, bytes), try property.number(at: 8, count: 4, bytes))
    }

    /// Applies a clean aperture: two fractions, width and height.
    private static func crop(
        _ property: HEIFBox,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) {
        let places = [0, 4, 8, 12]
        let numbers = try places.map { place throws(ImportError) in try property.number(at: place, count: 4, bytes) }
        let (width, height) = (numbers[0] / max(1, numbers[1]), numbers[2] / max(1, numbers[3]))
        outline.width = min(outline.width, width)
        outline.height = min(outline.height, height)
    }

    // MARK: - What is shared

    /// Bytes of the file and what becomes of them.
    private struct Region {
        let range: Range<Int>
        let piece: PictureOutline.Piece

        init(_ range: Range<Int>, _ piece: PictureOutline.Piece) { (self.range, self.piece) = (range, piece) }
    }

    private static func header(of box: HEIFBox) -> Region {
        let range = box.range.lowerBound..<box.content.lowerBound
        return Region(range, .copy(range))
    }

    /// Keeps a box's length and names it free space; its content becomes zeros with all that no region covers.
    private static func erased(_ box: HEIFBox) -> [Region] {
        let name = box.typeOffset..<(box.typeOffset + 4)
        let before = box.range.lowerBound..<box.typeOffset
        let after = name.upperBound..<box.content.lowerBound
        return [Region(before, .copy(before)), Region(name, .bytes(Array("free".utf8))), Region(after, .copy(after))]
    }

    private static func kept(_ box: HEIFBox, if isShared: Bool) -> [Region] {
        isShared ? [Region(box.range, .copy(box.range))] : erased(box)
    }

    /// Keeps the places of all properties, by which items name them, and of those that are named above the content.
    private static func propertyRegions(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) -> [Region] {
        var regions = [header(of: box)]
        for part in try HEIFBox.list(bytes, in: box.content) {
            guard part.type == "ipco" else {
                regions += kept(part, if: part.type == "ipma")
                continue
            }
            regions.append(header(of: part))
            for property in try HEIFBox.list(bytes, in: part.content) {
                regions += kept(property, if: keptProperties.contains(property.type))
            }
        }
        return regions
    }

    private static func itemRegions(
        _ items: HEIFItems,
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) -> [Region] {
        var regions: [Region] = []
        var strippedCount = 0
        for (id, extents) in items.extents.sorted(by: { $0.key < $1.key }) {
            guard let type = items.types[id] else { continue }
            if keptItems.contains(type) { regions += extents.map { Region($0, .copy($0)) } }
            if type == "jpeg" {
                strippedCount += extents.reduce(0) { $0 + $1.count }
                // Else many that name the same bytes would take far more time than the file.
                guard strippedCount <= bytes.count else { throw .damaged("two parts of it share bytes") }
                regions += try strippedRegions(extents, bytes, &outline)
            }
            if type == "Exif", outline.exif == nil, extents.count == 1, extents[0].count > 4 {
                let skipped = (try? bytes.number(at: extents[0].lowerBound, count: 4)) ?? 0
                let start = extents[0].lowerBound + 4 + skipped
                guard start < extents[0].upperBound else { continue }
                outline.exif = start..<extents[0].upperBound
                regions.append(Region(extents[0], .exifSlot(extents[0].count)))
            }
        }
        return regions
    }

    /// What is shared of a JPEG picture in some pieces, and zeros behind its end.
    private static func strippedRegions(
        _ extents: [Range<Int>],
        _ bytes: PictureBytes,
        _ outline: inout PictureOutline
    ) throws(ImportError) -> [Region] {
        let whole = PictureBytes(extents.flatMap { bytes.all[$0] })
        guard whole.has([0xFF, 0xD8], at: 0) else { throw .damaged("a part of it is not a JPEG picture") }
        let picture = try JPEGFile.outline(whole)
        outline.noteArea(picture.width, picture.height)
        let shared = picture.assemble(whole, exif: nil)
        guard shared.count <= whole.count else { throw .locationStays }
        let padded = shared + [UInt8](repeating: 0, count: whole.count - shared.count)
        var offset = 0
        return extents.map { extent in
            defer { offset += extent.count }
            return Region(extent, .bytes(Array(padded[offset..<(offset + extent.count)])))
        }
    }

    /// Puts the regions in order and fills what lies between with zeros.
    private static func pieces(_ regions: [Region], count: Int) throws(ImportError) -> [PictureOutline.Piece] {
        var outline = PictureOutline(format: .heic)
        var offset = 0
        let ordered = regions.filter { !$0.range.isEmpty }.sorted { $0.range.lowerBound < $1.range.lowerBound }
        var replacedEnd = 0
        for region in ordered {
            let isReplaced = if case .bytes = region.piece { true } else { false }
            // What lies over what was replaced would bring it back.
            guard region.range.lowerBound >= (isReplaced ? offset : replacedEnd) else {
                throw .damaged("two parts of it share bytes")
            }
            if isReplaced { replacedEnd = region.range.upperBound }
            guard region.range.upperBound > offset else { continue }
            let start = max(offset, region.range.lowerBound)
            if start > offset { outline.pieces.append(.zeros(start - offset)) }
            if start == region.range.lowerBound, case .copy = region.piece {
                outline.keep(region.range)
            } else if start == region.range.lowerBound {
                outline.pieces.append(region.piece)
            } else {
                // Two items share bytes; a part of a slot cannot be filled, so only copies are continued.
                let rest = start..<region.range.upperBound
                if case .copy = region.piece { outline.keep(rest) } else { outline.pieces.append(.zeros(rest.count)) }
            }
            offset = region.range.upperBound
        }
        if offset < count { outline.pieces.append(.zeros(count - offset)) }
        return outline.pieces
    }
}
