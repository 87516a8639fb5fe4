// SPDX-License-Identifier: Apache-2.0

/// What XMP (ISO 16684-1) says of time and place, for pictures whose EXIF data does not.
///
/// Reads simple properties, as attributes or elements under their usual prefixes. Nothing of XMP is shared.
struct XMPFacts {
    /// Bytes in which properties are sought.
    private static let limit = 1 << 20

    /// When the picture was taken.
    let taken: CaptureTime?
    /// Where it was taken.
    let coordinates: Coordinates?

    init(_ bytes: some Collection<UInt8>) {
        let text = Array(bytes.prefix(Self.limit))
        let times = ["exif:DateTimeOriginal", "photoshop:DateCreated", "exif:DateTimeDigitized", "xmp:CreateDate"]
        taken = times.lazy.compactMap { Self.value(of: $0, in: text).flatMap { CaptureTime($0) } }.first
        let latitude = Self.value(of: "exif:GPSLatitude", in: text).flatMap { Self.angle($0, .latitude) }
        let longitude = Self.value(of: "exif:GPSLongitude", in: text).flatMap { Self.angle($0, .longitude) }
        coordinates = latitude.flatMap { north in
            longitude.flatMap { east in Coordinates(latitude: north, longitude: east) }
        }
    }

    /// Reads `33,51.4S`, `33,51,24S` or `-33.85`.
    private static func angle(_ text: String, _ axis: Coordinates.Axis) -> Double? {
        let letters = text.filter(\.isLetter)
        let parts = text.filter { !$0.isLetter && !$0.isWhitespace }.split(separator: ",").map { Double($0) }
        guard !parts.contains(nil) else { return nil }
        // A number alone carries its sign.
        if letters.isEmpty, parts.count == 1, let degrees = parts[0] {
            return axis.angle([abs(degrees)], reference: axis.letter(of: degrees))
        }
        return axis.angle(parts, reference: letters)
    }

    /// The value of a property: up to the quote, or up to the next element.
    private static func value(of name: String, in text: [UInt8]) -> String? {
        let name = Array(name.utf8)
        var start = text.startIndex
        while let found = text[start...].firstRange(of: name) {
            start = found.upperBound
            guard let value = value(at: start, in: text) else { continue }
            return value
        }
        return nil
    }

    private static func value(at start: Int, in text: [UInt8]) -> String? {
        let spaces = Set(" \t\r\n".utf8)
        var rest = text[start...].drop { spaces.contains($0) }
        let end: (UInt8) -> Bool
        switch rest.popFirst() {
        case UInt8(ascii: ">"): end = { $0 == UInt8(ascii: "<") }
        case UInt8(ascii: "="):
            rest = rest.drop { spaces.contains($0) }
            guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return nil
            }
            end = { $0 == quote }
        default: return nil
        }
        let value = rest.prefix(64).prefix { !end($0) }
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }
}
