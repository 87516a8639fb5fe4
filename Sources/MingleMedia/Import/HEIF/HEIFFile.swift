// SPDX-License-Identifier: Apache-2.0

/// HEIC and AVIF (ISO/IEC 23008-12, AVIF 1.1): a new file of the picture, what it is put together from, and its alpha.
///
/// Left out are thumbnails, depth and gain maps, other pictures of a burst or pair, hidden items, names, XMP, films,
/// and whatever lies between.
enum HEIFFile {
    /// Brands of still pictures, which say what a reader must know.
    private static let brands: Set<String> = [
        "mif1", "miaf", "heic", "heix", "heim", "heis", "avif", "MA1A", "MA1B", "MiHB",
    ]
    private static let brandLimit = 16
    /// Bytes of EXIF data and of XMP that are read.
    private static let metadataLimit = 1 << 20

    static func outline(_ bytes: PictureBytes) throws(ImportError) -> PictureOutline {
        let boxes = try HEIFBox.top(bytes)
        guard let meta = boxes.first(where: { $0.type == "meta" }), meta.content.count >= 4 else {
            // What follows the first boxes may be missing.
            let end = boxes.last?.range.upperBound ?? 0
            throw end < bytes.count || boxes.count < 2 ? .cutShort : .damaged("it contains no still picture")
        }
        let inner = try HEIFBox.list(bytes, in: (meta.content.lowerBound + 4)..<meta.content.upperBound)
        let items = try HEIFItems(inner, bytes)
        var selection = HEIFSelection(items: items, bytes: bytes)
        try selection.addPicture()
        var outline = selection.outline
        outline.exif = describing("Exif", items)
        outline.xmp = describing("mime", items)
        if !selection.turns, let exif = outline.exif.flatMap({ ExifData($0) }) {
            selection.turn(by: exif.orientation)
            if exif.orientation > 4 { (outline.width, outline.height) = (outline.height, outline.width) }
        }
        outline.format = selection.isAV1 ? .avif : .heic
        selection.setBrands(sharedBrands(boxes[0], bytes, format: outline.format))
        outline.turnsItself = true
        outline.pieces = [.items(selection.picture)]
        return outline
    }

    /// The content of the item of a type that describes the picture; else of one that says not what it describes.
    private static func describing(_ type: String, _ items: HEIFItems) -> [UInt8]? {
        let wanted = items.types.filter { id, found in
            found == type && (type != "mime" || items.mediaTypes[id]?.hasPrefix("application/rdf+xml") ?? false)
        }
        let descriptions = items.references.filter { $0.type == "cdsc" }
        let described = descriptions.first { wanted[$0.from] != nil && $0.to.contains(items.primary) }?.from
        let loose = wanted.keys.sorted().first { id in !descriptions.contains { $0.from == id } }
        guard let id = described ?? loose, let content = try? items.content(of: id, limit: metadataLimit) else {
            return nil
        }
        if type != "Exif" { return content }
        // Four bytes say where behind them the data begins; those that do not are in front of it all the same.
        let skipped = (try? PictureBytes(content).number(at: 0, count: 4)) ?? 0
        let start = skipped < content.count - 4 ? 4 + skipped : 4
        return content.count > start ? Array(content[start...]) : nil
    }

    private static func sharedBrands(
        _ box: HEIFBox,
        _ bytes: PictureBytes,
        format: PictureFormat
    ) -> [String] {
        let own = format == .avif ? "avif" : "heic"
        guard box.type == "ftyp" else { return [own, "mif1"] }
        var found: [String] = []
        for place in [0] + Array(stride(from: 8, to: min(box.content.count, 4 * brandLimit), by: 4)) {
            guard let brand = try? box.text(at: place, count: 4, bytes), brands.contains(brand), !found.contains(brand)
            else { continue }
            found.append(brand)
        }
        // A reader tells the coding by the first.
        let isOwn = { (brand: String) in brand.hasPrefix(format == .avif ? "avif" : "hei") }
        let major = found.first(where: isOwn) ?? own
        return [major]
            + (found + ["mif1"]).filter { $0 != major }.reduce(into: []) { list, brand in
                if !list.contains(brand) { list.append(brand) }
            }
    }
}
