// SPDX-License-Identifier: Apache-2.0

/// EXIF data as a talkative camera writes it, built without the code under test.
struct ExifSample {
    var isBigEndian = true
    var orientation = 1
    var time: String? = "2024:05:31 18:30:05"
    var offset: String? = "+02:00"
    var fraction: String? = "25"
    /// When the file was changed last.
    var changed: String?
    var hasLocation = true
    /// Latitude and longitude as degrees, minutes and seconds, each with what it is divided by.
    var latitude = [(33, 1), (51, 1), (2400, 100)]
    var longitude = [(151, 1), (12, 1), (36, 1)]
    /// The halves of the globe, and the type of these values: ASCII, unless a camera errs.
    var references = ("S", "E")
    var referenceType = 2
    /// Whether the fractions have signs.
    var isSigned = false
    /// Whether the location is words and half a position, which nothing understands.
    var isLocationOdd = false

    /// What must never be shared; every text value below that is personal holds it.
    static let secret = "SECRET"

    private struct Field {
        let tag: Int
        let type: Int
        let count: Int
        let value: [UInt8]
    }

    /// The TIFF structure.
    var bytes: [UInt8] {
        var picture = [
            short(0x0112, orientation), text(0x010F, "Acme"), text(0x0110, "Snap 1"), text(0x013B, Self.secret),
            text(0xA430, Self.secret), text(0x010E, Self.secret),
        ]
        var exposure = [
            text(0xA431, Self.secret), text(0xA435, Self.secret), text(0xA434, "Lens 2"), text(0x9286, Self.secret),
            Field(tag: 0x927C, type: 7, count: 16, value: Array("\(Self.secret) NOTES".utf8) + [0, 0, 0, 0]),
        ]
        if let changed { picture.append(text(0x0132, changed)) }
        if let time { exposure.append(text(0x9003, time)) }
        if let offset { exposure.append(text(0x9011, offset)) }
        if let fraction { exposure.append(text(0x9291, fraction)) }
        let type = isSigned ? 10 : 5
        let north = [reference(1, references.0), fractions(2, latitude, type)]
        let rest =
            isLocationOdd ? [text(28, Self.secret)] : [reference(3, references.1), fractions(4, longitude, type)]
        let position = (north + rest).filter { $0.count > 0 } + [text(27, Self.secret)]
        // The first directory's length does not change when its pointers get their values.
        let start = 8 + directory(picture, at: 8).count + (hasLocation ? 24 : 12)
        let second = directory(exposure, at: start)
        picture.append(long(0x8769, start))
        if hasLocation { picture.append(long(0x8825, start + second.count)) }
        let first = directory(picture, at: 8)
        let third = hasLocation ? directory(position, at: start + second.count) : []
        return Array((isBigEndian ? "MM\0*" : "II*\0").utf8) + number(8, 4) + first + second + third
    }

    private func directory(_ fields: [Field], at start: Int) -> [UInt8] {
        var table = number(fields.count, 2)
        var values: [UInt8] = []
        for field in fields.sorted(by: { $0.tag < $1.tag }) {
            table += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
            if field.value.count <= 4 {
                table += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                table += number(start + 2 + 12 * fields.count + 4 + values.count, 4)
                values += field.value
            }
        }
        return table + number(0, 4) + values
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    private func short(_ tag: Int, _ value: Int) -> Field {
        Field(tag: tag, type: 3, count: 1, value: number(value, 2))
    }

    private func long(_ tag: Int, _ value: Int) -> Field {
        Field(tag: tag, type: 4, count: 1, value: number(value, 4))
    }

    private func text(_ tag: Int, _ value: String) -> Field {
        Field(tag: tag, type: 2, count: value.utf8.count + 1, value: Array(value.utf8) + [0])
    }

    /// A half of the globe; without a value it is left out.
    private func reference(_ tag: Int, _ value: String) -> Field {
        let bytes = Array(value.utf8) + (referenceType == 2 ? [0] : [])
        return Field(tag: tag, type: referenceType, count: value.isEmpty ? 0 : bytes.count, value: bytes)
    }

    private func fractions(_ tag: Int, _ values: [(Int, Int)], _ type: Int) -> Field {
        let bytes = values.flatMap { number($0.0, 4) + number($0.1, 4) }
        return Field(tag: tag, type: type, count: values.count, value: bytes)
    }
}
