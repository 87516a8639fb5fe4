// SPDX-License-Identifier: Apache-2.0

/// EXIF data (CIPA DC-008), as far as it can be read: broken parts are missing, never an error.
struct ExifData: Equatable, Sendable {
    /// One tag and its value, in the byte order of the whole.
    struct Entry: Equatable, Sendable {
        let tag: UInt16
        let type: UInt16
        let count: Int
        let value: [UInt8]
    }

    /// Whether numbers stand most significant byte first.
    let isBigEndian: Bool
    /// The picture as a whole: camera model, orientation.
    var picture: [Entry] = []
    /// How the picture was taken: times, exposure.
    var exposure: [Entry] = []
    /// Where the picture was taken.
    var position: [Entry] = []

    static let exposurePointer: UInt16 = 0x8769
    static let positionPointer: UInt16 = 0x8825
    /// Entries that a directory may have; more are not read.
    private static let entryLimit = 512
    /// Bytes of a value, as short as any camera writes what is read here; a longer one hides something else, and many
    /// that name the same bytes would take far more memory than the file.
    private static let valueLimit = 256
    /// Bytes of each type's elements, by the type's number.
    private static let elementSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
    /// BYTE, ASCII, UNDEFINED.
    private static let textTypes: Set<UInt16> = [1, 2, 7]

    /// Bytes in which the TIFF structure must begin: some writers put a signature in front of it.
    private static let headLimit = 16

    /// No EXIF data.
    init() { isBigEndian = true }

    /// Reads a TIFF structure; nil if none begins near the front.
    init?(_ content: some Collection<UInt8>) {
        let content = PictureBytes(Array(content))
        let start = (0..<Self.headLimit).first { content.has("MM\0*", at: $0) || content.has("II*\0", at: $0) }
        guard let start else { return nil }
        let bytes = start == 0 ? content : PictureBytes(Array(content.all[start...]))
        isBigEndian = bytes.has("MM", at: 0)
        let first = offset(bytes, at: 4)
        picture = directory(bytes, at: first)
        exposure = directory(bytes, at: pointer(Self.exposurePointer))
        position = directory(bytes, at: pointer(Self.positionPointer))
        picture.removeAll { $0.tag == Self.exposurePointer || $0.tag == Self.positionPointer }
    }

    private func offset(_ bytes: PictureBytes, at offset: Int) -> Int? {
        try? isBigEndian ? bytes.number(at: offset, count: 4) : bytes.littleEndian(at: offset, count: 4)
    }

    private func short(_ bytes: PictureBytes, at offset: Int) -> Int? {
        try? isBigEndian ? bytes.number(at: offset, count: 2) : bytes.littleEndian(at: offset, count: 2)
    }

    private func pointer(_ tag: UInt16) -> Int? {
        picture.first { $0.tag == tag }.flatMap { offset(PictureBytes($0.value), at: 0) }
    }

    private func directory(_ bytes: PictureBytes, at start: Int?) -> [Entry] {
        guard let start, let count = short(bytes, at: start) else { return [] }
        return (0..<min(count, Self.entryLimit)).compactMap { entry(bytes, at: start + 2 + 12 * $0) }
    }

    private func entry(_ bytes: PictureBytes, at place: Int) -> Entry? {
        guard let tag = short(bytes, at: place), let type = short(bytes, at: place + 2),
            let count = offset(bytes, at: place + 4), Self.elementSizes.indices.contains(type), type > 0
        else { return nil }
        let length = count * Self.elementSizes[type]
        guard length <= Self.valueLimit, let start = length <= 4 ? place + 8 : offset(bytes, at: place + 8),
            (try? bytes.require(length, at: start)) != nil
        else { return nil }
        let value = Array(bytes.all[start..<(start + length)])
        return Entry(tag: UInt16(tag), type: UInt16(type), count: count, value: value)
    }

    // MARK: - Values

    /// The number in an entry of a whole-number type.
    func number(_ tag: UInt16, in entries: [Entry]) -> Int? {
        guard let entry = entries.first(where: { $0.tag == tag }), entry.count > 0 else { return nil }
        let value = PictureBytes(entry.value)
        return switch entry.type {
        case 1: entry.value.first.map(Int.init)
        case 3: short(value, at: 0)
        case 4: offset(value, at: 0)
        default: nil
        }
    }

    /// The text in an entry, up to its first zero and without spaces around it.
    ///
    /// Types that cameras use in place of ASCII count as text.
    func text(_ tag: UInt16, in entries: [Entry]) -> String? {
        guard let entry = entries.first(where: { $0.tag == tag }), Self.textTypes.contains(entry.type) else {
            return nil
        }
        let text = String(decoding: entry.value.prefix { $0 != 0 }, as: UTF8.self)
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The numbers in an entry of any type; nil in place of a fraction that divides by zero.
    func numbers(_ tag: UInt16, in entries: [Entry]) -> [Double?]? {
        guard let entry = entries.first(where: { $0.tag == tag }) else { return nil }
        let value = PictureBytes(entry.value)
        switch entry.type {
        case 3: return stride(from: 0, to: value.count, by: 2).map { short(value, at: $0).map(Double.init) }
        case 4: return stride(from: 0, to: value.count, by: 4).map { offset(value, at: $0).map(Double.init) }
        case 5: return stride(from: 0, to: value.count, by: 8).map { fraction(value, at: $0) { Double($0) } }
        case 10:
            return stride(from: 0, to: value.count, by: 8).map {
                fraction(value, at: $0) { Double(Int32(truncatingIfNeeded: $0)) }
            }
        default: return nil
        }
    }

    private func fraction(_ value: PictureBytes, at start: Int, _ read: (Int) -> Double) -> Double? {
        guard let top = offset(value, at: start), let bottom = offset(value, at: start + 4), bottom != 0 else {
            return nil
        }
        return read(top) / read(bottom)
    }
}
