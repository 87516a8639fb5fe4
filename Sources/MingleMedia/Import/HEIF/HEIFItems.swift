// SPDX-License-Identifier: Apache-2.0

/// The items of an HEIF file (ISO/IEC 23008-12): what the `meta` box says of types, places, references and properties.
struct HEIFItems {
    /// Items, extents, references or properties that a file may have; more are no picture.
    static let limit = 16_384

    /// One item refers to others.
    struct Reference {
        let type: String
        let from: Int
        let to: [Int]
    }

    /// Where an item's bytes are.
    private struct Place {
        let method: Int
        let isElsewhere: Bool
        var extents: [(start: Int, length: Int)]
    }

    /// Every item's four-letter type.
    private(set) var types: [Int: String] = [:]
    /// The media type of items that have one.
    private(set) var mediaTypes: [Int: String] = [:]
    /// The item that is the picture.
    private(set) var primary = 0
    private(set) var references: [Reference] = []
    /// The places of every item's properties in ``properties``, from 1.
    private(set) var associations: [Int: [Int]] = [:]
    /// The properties, in order.
    private(set) var properties: [HEIFBox] = []
    private var places: [Int: Place] = [:]
    private let itemData: Range<Int>?
    private let bytes: PictureBytes

    /// Reads the boxes in a `meta` box.
    init(_ boxes: [HEIFBox], _ bytes: PictureBytes) throws(ImportError) {
        self.bytes = bytes
        itemData = boxes.first { $0.type == "idat" }?.content
        for box in boxes {
            switch box.type {
            case "pitm":
                let version = try box.number(at: 0, count: 1, bytes)
                primary = try box.number(at: 4, count: version == 0 ? 2 : 4, bytes)
            case "iinf": try readTypes(box)
            case "iloc": try readPlaces(box)
            case "iref": try readReferences(box)
            case "iprp": try readProperties(box)
            default: break
            }
        }
    }

    /// Where in the file an item's bytes are.
    func extents(of id: Int) throws(ImportError) -> [Range<Int>] {
        guard let place = places[id], !place.extents.isEmpty else { throw .damaged("a part of it is missing") }
        let source: Range<Int>
        switch (place.method, itemData) {
        case (0, _) where !place.isElsewhere: source = 0..<bytes.count
        case (1, let itemData?): source = itemData
        default: throw .damaged("a part of it is stored in an unknown way")
        }
        var extents: [Range<Int>] = []
        for (start, length) in place.extents {
            guard start <= source.count, length <= source.count - start else { throw .cutShort }
            // A length of zero means all there is.
            let begin = source.lowerBound + start
            extents.append(begin..<(length == 0 ? source.upperBound : begin + length))
        }
        return extents
    }

    /// An item's bytes, if they are few.
    func content(of id: Int, limit: Int) throws(ImportError) -> [UInt8] {
        let extents = try extents(of: id)
        guard extents.reduce(0, { $0 + $1.count }) <= limit else { throw .damaged("a part of it is too long") }
        return extents.flatMap { bytes.all[$0] }
    }

    // MARK: - Reading

    private mutating func readTypes(_ box: HEIFBox) throws(ImportError) {
        let countLength = try box.number(at: 0, count: 1, bytes) == 0 ? 2 : 4
        let start = box.content.lowerBound + 4 + countLength
        guard start <= box.content.upperBound else { throw .cutShort }
        for entry in try HEIFBox.list(bytes, in: start..<box.content.upperBound) where entry.type == "infe" {
            let version = try entry.number(at: 0, count: 1, bytes)
            // Earlier versions have no type; such items are not shared.
            guard version >= 2 else { continue }
            let idLength = version == 2 ? 2 : 4
            let id = try entry.number(at: 4, count: idLength, bytes)
            let type = try entry.text(at: 6 + idLength, count: 4, bytes)
            types[id] = type
            if type == "mime" {
                let names = bytes.all[(entry.content.lowerBound + 10 + idLength)..<entry.content.upperBound]
                let words = names.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
                mediaTypes[id] = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil
            }
        }
    }

    private mutating func readPlaces(_ box: HEIFBox) throws(ImportError) {
        var cursor = Cursor(box: box, bytes: bytes)
        let version = try cursor.next(4) >> 24
        let sizes = try cursor.next(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        let count = try cursor.count(version < 2 ? 2 : 4)
        var extentCount = 0
        for _ in 0..<count {
            let id = try cursor.next(version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try cursor.next(2) & 15
            var place = try Place(method: method, isElsewhere: cursor.next(2) != 0, extents: [])
            let base = try cursor.next(baseSize)
            for _ in 0..<(try cursor.next(2)) {
                extentCount += 1
                guard extentCount <= Self.limit else { throw .damaged("it has too many parts") }
                _ = try cursor.next(indexSize)
                let start = try Self.sum(base, cursor.next(offsetSize))
                place.extents.append((start, try cursor.next(lengthSize)))
            }
            places[id] = place
        }
    }

    private static func sum(_ left: Int, _ right: Int) throws(ImportError) -> Int {
        let (sum, overflows) = left.addingReportingOverflow(right)
        if overflows { throw .damaged("a number in it is out of range") }
        return sum
    }

    private mutating func readReferences(_ box: HEIFBox) throws(ImportError) {
        let idLength = try box.number(at: 0, count: 4, bytes) >> 24 == 0 ? 2 : 4
        var total = 0
        for part in try HEIFBox.list(bytes, in: (box.content.lowerBound + 4)..<box.content.upperBound) {
            var cursor = Cursor(box: part, bytes: bytes)
            let from = try cursor.next(idLength)
            let count = try cursor.count(2)
            total += count
            guard total <= Self.limit else { throw .damaged("it has too many parts") }
            var to: [Int] = []
            for _ in 0..<count { to.append(try cursor.next(idLength)) }
            references.append(Reference(type: part.type, from: from, to: to))
        }
    }

    private mutating func readProperties(_ box: HEIFBox) throws(ImportError) {
        for part in try HEIFBox.list(bytes, in: box.content) {
            if part.type == "ipco" { properties = try HEIFBox.list(bytes, in: part.content) }
            if part.type == "ipma" { try readAssociations(part) }
        }
    }

    private mutating func readAssociations(_ box: HEIFBox) throws(ImportError) {
        var associationCount = 0
        var cursor = Cursor(box: box, bytes: bytes)
        let head = try cursor.next(4)
        let (version, isWide) = (head >> 24, head & 1 == 1)
        for _ in 0..<(try cursor.count(4)) {
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

    /// A number of things that a file may have.
    mutating func count(_ length: Int) throws(ImportError) -> Int {
        let count = try next(length)
        guard count <= HEIFItems.limit else { throw .damaged("it has too many parts") }
        return count
    }
}
