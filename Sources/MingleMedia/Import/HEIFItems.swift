// SPDX-License-Identifier: Apache-2.0

/// The items of an HEIF file (ISO/IEC 23008-12): what the `meta` box says of types, places and properties.
struct HEIFItems {
    /// Items, extents or properties that a file may have; more are no picture.
    private static let limit = 16_384

    /// Every item's four-letter type.
    private(set) var types: [Int: String] = [:]
    /// Where in the file every item's bytes are.
    private(set) var extents: [Int: [Range<Int>]] = [:]
    /// The item that is the picture.
    private(set) var primary = 0
    /// The places of every item's properties in ``properties``, from 1.
    private(set) var associations: [Int: [Int]] = [:]
    /// The properties, in order.
    private(set) var properties: [HEIFBox] = []

    /// Reads the boxes in a `meta` box.
    init(_ boxes: [HEIFBox], _ bytes: PictureBytes) throws(ImportError) {
        let itemData = boxes.first { $0.type == "idat" }?.content
        for box in boxes {
            switch box.type {
            case "pitm":
                let version = try box.number(at: 0, count: 1, bytes)
                primary = try box.number(at: 4, count: version == 0 ? 2 : 4, bytes)
            case "iinf": try readTypes(box, bytes)
            case "iloc": try readExtents(box, bytes, itemData: itemData)
            case "iprp": try readProperties(box, bytes)
            default: break
            }
        }
    }

    private mutating func readTypes(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) {
        let countLength = try box.number(at: 0, count: 1, bytes) == 0 ? 2 : 4
        let start = box.content.lowerBound + 4 + countLength
        guard start <= box.content.upperBound else { throw .cutShort }
        for entry in try HEIFBox.list(bytes, in: start..<box.content.upperBound) where entry.type == "infe" {
            let version = try entry.number(at: 0, count: 1, bytes)
            // Earlier versions have no type; such items are not shared.
            guard version >= 2 else { continue }
            let idLength = version == 2 ? 2 : 4
            let id = try entry.number(at: 4, count: idLength, bytes)
            types[id] = try entry.text(at: 6 + idLength, count: 4, bytes)
        }
    }

    private mutating func readExtents(
        _ box: HEIFBox,
        _ bytes: PictureBytes,
        itemData: Range<Int>?
    ) throws(ImportError) {
        var cursor = Cursor(box: box, bytes: bytes)
        let version = try cursor.next(4) >> 24
        let sizes = try cursor.next(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        let count = try cursor.next(version < 2 ? 2 : 4)
        guard count <= Self.limit else { throw .damaged("it has too many parts") }
        var extentCount = 0
        for _ in 0..<count {
            let id = try cursor.next(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try cursor.next(2) & 15
            _ = try cursor.next(2)
            let base = try cursor.next(baseSize)
            for _ in 0..<(try cursor.next(2)) {
                extentCount += 1
                guard extentCount <= Self.limit else { throw .damaged("it has too many parts") }
                _ = try cursor.next(indexSize)
                let start = try Self.sum(base, cursor.next(offsetSize))
                let length = try cursor.next(lengthSize)
                let source = try Self.source(method, bytes, itemData)
                // A length of zero means all there is, which could not be told from what must go.
                guard length > 0 else { throw .damaged("a part of it has no length") }
                guard try Self.sum(start, length) <= source.count else { throw .cutShort }
                extents[id, default: []].append((source.lowerBound + start)..<(source.lowerBound + start + length))
            }
        }
    }

    private static func source(
        _ method: Int,
        _ bytes: PictureBytes,
        _ itemData: Range<Int>?
    ) throws(ImportError) -> Range<Int> {
        if method == 0 { return 0..<bytes.count }
        if method == 1, let itemData { return itemData }
        throw .damaged("a part of it is stored in an unknown way")
    }

    private static func sum(_ left: Int, _ right: Int) throws(ImportError) -> Int {
        let (sum, overflows) = left.addingReportingOverflow(right)
        if overflows { throw .damaged("a number in it is out of range") }
        return sum
    }

    private mutating func readProperties(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) {
        for part in try HEIFBox.list(bytes, in: box.content) {
            if part.type == "ipco" { properties = try HEIFBox.list(bytes, in: part.content) }
            if part.type == "ipma" { try readAssociations(part, bytes) }
        }
    }

    private mutating func readAssociations(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) {
        var associationCount = 0
        var cursor = Cursor(box: box, bytes: bytes)
        let head = try cursor.next(4)
        let (version, isWide) = (head >> 24, head & 1 == 1)
        let count = try cursor.next(4)
        guard count <= Self.limit else { throw .damaged("it has too many parts") }
        for _ in 0..<count {
            let id = try cursor.next(version < 1 ? 2 : 4)
            for _ in 0..<(try cursor.next(1)) {
                associationCount += 1
                guard associationCount <= Self.limit else { throw .damaged("it has too many parts") }
                associations[id, default: []].append(try cursor.next(isWide ? 2 : 1) & (isWide ? 0x7FFF : 0x7F))
            }
        }
    }
}

/// Numbers of a box read one after the other.
private struct Cursor {
    let box: HEIFBox
    let bytes: PictureBytes
    private var place = 0

    init(box: HEIFBox, bytes: PictureBytes) { (self.box, self.bytes) = (box, bytes) }

    mutating func next(_ count: Int) throws(ImportError) -> Int {
        guard count <= 8 else { throw .damaged("a number in it is out of range") }
        defer { place += count }
        return try box.number(at: place, count: count, bytes)
    }
}
