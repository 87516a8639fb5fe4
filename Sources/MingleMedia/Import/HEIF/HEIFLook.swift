// SPDX-License-Identifier: Apache-2.0

/// What an item's properties say of how it looks, and the properties as they are shared (ISO/IEC 23008-12, section
/// 6.5).
struct HEIFLook {
    /// Lengths of the properties that are shared as they are; what is longer is cut.
    private static let lengths = ["pasp": 8, "clli": 4, "mdcv": 24, "amve": 8, "a1op": 1, "lsel": 2]
    private static let alphaTypes: [StaticString] = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]
    private static let essential: Set<String> = ["hvcC", "av1C", "clap", "irot", "imir", "lsel", "a1op"]
    /// The sets of parameters in a decoder's configuration; the other units are words.
    private static let parameterSets: ClosedRange<UInt8> = 32...34

    /// Pixels as they are stored.
    private(set) var size = (width: 0, height: 0)
    /// Pixels after cutting and turning.
    private(set) var shownSize = (width: 0, height: 0)
    /// Pixels that are cut off.
    private(set) var cut = (width: 0, height: 0)
    /// Whether the item says how it is turned or mirrored.
    private(set) var turns = false
    private(set) var isAlpha = false
    /// Whether a colour profile other than sRGB's says what the pixels mean.
    private(set) var hasUnusualColours = false
    /// Bytes of the length before each unit of HEVC; nil without a configuration.
    private(set) var lengthSize: Int?
    /// What is shared of the properties, in their order.
    private(set) var properties: [HEIFPicture.Property] = []

    /// Reads an item's properties.
    init(_ boxes: [HEIFBox], _ bytes: PictureBytes) throws(ImportError) {
        // What cuts and turns is relative to the size, wherever that stands.
        if let box = boxes.first(where: { $0.type == "ispe" }) {
            size = (try box.number(at: 4, count: 4, bytes), try box.number(at: 8, count: 4, bytes))
            shownSize = size
        }
        for box in boxes {
            guard let content = try sharedContent(of: box, bytes) else { continue }
            let isEssential = Self.essential.contains(box.type)
            properties.append(HEIFPicture.Property(box: HEIFBox.encoded(box.type, content), isEssential: isEssential))
        }
    }

    private mutating func sharedContent(of box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) -> [UInt8]? {
        switch box.type {
        case "ispe": return try Self.prefix(12, of: box, bytes)
        case "pixi": return try Self.prefix(5 + box.number(at: 4, count: 1, bytes), of: box, bytes)
        case "clap": return try crop(box, bytes)
        case "irot":
            turns = true
            let quarters = try box.number(at: 0, count: 1, bytes) & 3
            if quarters & 1 == 1 { shownSize = (shownSize.height, shownSize.width) }
            return [UInt8(quarters)]
        case "imir":
            turns = true
            return [UInt8(try box.number(at: 0, count: 1, bytes) & 1)]
        case "colr": return try colours(box, bytes)
        case "auxC":
            guard let type = Self.alphaTypes.first(where: { bytes.has($0, at: box.content.lowerBound + 4) }) else {
                return nil
            }
            isAlpha = true
            return [0, 0, 0, 0] + Array("\(type)".utf8) + [0]
        case "hvcC": return try configuration(box, bytes)
        case "av1C": return try Self.prefix(4, of: box, bytes)
        default:
            guard let length = Self.lengths[box.type] else { return nil }
            return try Self.prefix(length, of: box, bytes)
        }
    }

    private static func prefix(_ count: Int, of box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) -> [UInt8] {
        _ = try box.number(at: count, count: 0, bytes)
        return Array(bytes.all[box.content].prefix(count))
    }

    /// Applies a clean aperture: fractions for width, height and the place of its centre.
    private mutating func crop(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) -> [UInt8] {
        let content = try Self.prefix(32, of: box, bytes)
        let numbers = try [0, 4, 8, 12].map { place throws(ImportError) in try box.number(at: place, count: 4, bytes) }
        let (width, height) = (numbers[0] / max(1, numbers[1]), numbers[2] / max(1, numbers[3]))
        cut = (max(0, shownSize.width - width), max(0, shownSize.height - height))
        shownSize = (min(shownSize.width, width), min(shownSize.height, height))
        return content
    }

    private mutating func colours(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) -> [UInt8]? {
        switch try box.text(at: 0, count: 4, bytes) {
        case "nclx":
            return try Self.prefix(11, of: box, bytes)
        case "prof", "rICC":
            let content = Array(bytes.all[box.content])
            guard let profile = ColourProfile(Array(content.dropFirst(4))) else { return nil }
            hasUnusualColours = !profile.isSRGB
            return content.prefix(4) + profile.bytes
        default: return nil
        }
    }

    /// Keeps the head of a decoder's configuration and its parameter sets (ISO/IEC 14496-15, section 8.3.3).
    private mutating func configuration(_ box: HEIFBox, _ bytes: PictureBytes) throws(ImportError) -> [UInt8] {
        var kept = try Self.prefix(22, of: box, bytes)
        lengthSize = Int(kept[21] & 3) + 1
        var arrays: [[UInt8]] = []
        var place = 23
        for _ in 0..<(try box.number(at: 22, count: 1, bytes)) {
            let kind = UInt8(try box.number(at: place, count: 1, bytes))
            let count = try box.number(at: place + 1, count: 2, bytes)
            let start = place
            place += 3
            for _ in 0..<count { place += 2 + (try box.number(at: place, count: 2, bytes)) }
            _ = try box.number(at: place, count: 0, bytes)
            guard Self.parameterSets.contains(kind & 63) else { continue }
            let base = box.content.lowerBound
            arrays.append(Array(bytes.all[(base + start)..<(base + place)]))
        }
        kept.append(UInt8(arrays.count))
        return kept + arrays.flatMap(\.self)
    }
}
