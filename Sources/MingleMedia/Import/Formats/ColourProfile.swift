// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// A colour profile (ICC.1:2022) that holds what colours need and nothing else.
///
/// Kept are the curves, matrices and tables that turn the picture's numbers into colours. Names, owners, devices,
/// serial numbers, dates and private tags are left out; the description that the standard requires is one of a few
/// fixed words.
struct ColourProfile {
    private static let headerLength = 128
    /// Tags that a profile may have; more are no profile.
    private static let tagLimit = 200
    /// The wanted tags, in the order in which they are written.
    private static let transforms = [
        "wtpt", "bkpt", "chad", "cicp", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "A2B0", "A2B1", "A2B2",
        "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3",
    ]
    /// Input, display, output and colour space profiles: the classes that a picture may have.
    private static let classes: Set<String> = ["scnr", "mntr", "prtr", "spac"]
    /// Profiles that people know by name, and what is written of them.
    private static let names = ["sRGB", "Display P3", "Adobe RGB", "ProPhoto", "Rec2020", "Dot Gain"]

    /// What is written of the others.
    private static let anonymous = "Colours"

    /// The profile as it is shared.
    let bytes: [UInt8]
    /// Whether it says that it is sRGB's, so that no colour needs conversion.
    let isSRGB: Bool

    /// Reduces a profile.
    ///
    /// - Returns: nil if it cannot turn numbers into colours, so that decoders ignore it too.
    init?(_ original: [UInt8]) {
        let file = PictureBytes(original)
        guard let tags = Self.tags(file), let head = Self.header(file) else { return nil }
        let name = Self.name(file, tags["desc"])
        isSRGB = name == Self.names[0]
        let isNew = original[8] >= 4
        var content = [("desc", Self.description(name, isNew)), ("cprt", Self.words("-", isNew))]
        for tag in Self.transforms {
            guard let range = tags[tag], let end = Self.end(of: range, file) else { continue }
            content.append((tag, Array(original[range.lowerBound..<end])))
        }
        let kept = Set(content.map(\.0))
        guard kept.contains("A2B0") || kept.contains("kTRC") || kept.isSuperset(of: Self.transforms[4..<10]) else {
            return nil
        }
        bytes = Self.assemble(head, content)
    }

    // MARK: - Reading

    private static func tags(_ file: PictureBytes) -> [String: Range<Int>]? {
        guard file.has("acsp", at: 36), let count = try? file.number(at: headerLength, count: 4), count <= tagLimit
        else { return nil }
        var tags: [String: Range<Int>] = [:]
        for entry in 0..<count {
            let place = headerLength + 4 + 12 * entry
            guard let name = try? file.text(at: place, count: 4), let start = try? file.number(at: place + 4, count: 4),
                let length = try? file.number(at: place + 8, count: 4), length >= 8,
                (try? file.require(length, at: start)) != nil
            else { continue }
            tags[name] = tags[name] ?? start..<(start + length)
        }
        return tags
    }

    /// Version, class, colour spaces, intent and illuminant; the rest is zeros, and the date a fixed one.
    private static func header(_ file: PictureBytes) -> [UInt8]? {
        guard let kind = try? file.text(at: 12, count: 4), classes.contains(kind) else { return nil }
        var head = [UInt8](repeating: 0, count: headerLength)
        for range in [8..<10, 12..<24, 36..<40, 67..<68, 68..<80] { head.replaceSubrange(range, with: file.all[range]) }
        let date: [UInt8] = [0x07, 0xD0, 0, 1, 0, 1]
        head.replaceSubrange(24..<30, with: date)
        return head
    }

    private static func name(_ file: PictureBytes, _ range: Range<Int>?) -> String {
        guard let range else { return anonymous }
        // A description may be UTF-16, whose letters have zeros between them.
        let letters: [UInt8] = file.all[range].prefix(512).filter { $0 != 0 }
        return names.first { letters.firstRange(of: Array($0.utf8)) != nil } ?? anonymous
    }

    /// Where a tag's value ends, which may be before the tag does; nil for a type that transforms do not use.
    private static func end(of range: Range<Int>, _ file: PictureBytes) -> Int? {
        let start = range.lowerBound
        guard let type = try? file.text(at: start, count: 4), let length = length(type, start, file),
            length <= range.count
        else { return nil }
        return start + (length == 0 ? range.count : length)
    }

    /// Bytes of a value; 0 for a type that says so only in its parts.
    private static func length(_ type: String, _ start: Int, _ file: PictureBytes) -> Int? {
        func number(_ place: Int, _ count: Int) -> Int? { try? file.number(at: start + place, count: count) }
        switch type {
        case "XYZ ": return 20
        case "sf32": return 44
        case "cicp": return 12
        case "curv": return number(8, 4).map { 12 + 2 * $0 }
        case "para":
            let counts = [1, 3, 4, 5, 7]
            return number(8, 2).flatMap { counts.indices.contains($0) ? 12 + 4 * counts[$0] : nil }
        case "mft1", "mft2":
            guard let inputs = number(8, 1), let outputs = number(9, 1), let grid = number(10, 1),
                inputs <= 8, outputs <= 8
            else { return nil }
            var points = outputs
            for _ in 0..<inputs {
                points *= grid
                // More than any file holds.
                guard points < 1 << 32 else { return nil }
            }
            if type == "mft1" { return 48 + 256 * inputs + points + 256 * outputs }
            guard let entries = number(48, 2), let exits = number(50, 2) else { return nil }
            return 52 + 2 * (entries * inputs + points + exits * outputs)
        case "mAB ", "mBA ", "mpet": return 0
        default: return nil
        }
    }

    // MARK: - Writing

    private static func assemble(_ head: [UInt8], _ content: [(tag: String, value: [UInt8])]) -> [UInt8] {
        var table: [UInt8] = []
        var values: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        let start = headerLength + 4 + 12 * content.count
        for (tag, value) in content {
            // The three curves are mostly one.
            let place = places[value] ?? start + values.count
            if places.updateValue(place, forKey: value) == nil {
                values += value + repeatElement(0, count: (4 - value.count % 4) % 4)
            }
            table += Array(tag.utf8) + big(place, 4) + big(value.count, 4)
        }
        var whole = head + big(content.count, 4) + table + values
        whole.replaceSubrange(0..<4, with: big(whole.count, 4))
        return whole
    }

    private static func description(_ name: String, _ isNew: Bool) -> [UInt8] {
        if isNew { return words(name, isNew) }
        // A description of version 2 has the name in ASCII, and empty ones in UTF-16 and for Macintoshes.
        let rest = [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
        return Array("desc".utf8) + big(0, 4) + big(name.utf8.count + 1, 4) + Array(name.utf8) + [0] + rest
    }

    private static func words(_ text: String, _ isNew: Bool) -> [UInt8] {
        guard isNew else { return Array("text".utf8) + big(0, 4) + Array(text.utf8) + [0] }
        let letters = text.utf16.flatMap { big(Int($0), 2) }
        return Array("mluc".utf8) + big(0, 4) + big(1, 4) + big(12, 4) + Array("enUS".utf8) + big(letters.count, 4)
            + big(28, 4) + letters
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] { PictureBytes.big(value, count) }
}
