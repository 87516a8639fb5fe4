// SPDX-License-Identifier: Apache-2.0

/// A place on the globe.
package struct Coordinates: Hashable, Sendable {
    /// Degrees north of the equator, -90 to 90.
    package let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    package let longitude: Double
}

extension ExifData {
    /// How the stored pixels are to be turned, 1 to 8; 1 is upright.
    var orientation: Int {
        guard let value = number(0x0112, in: picture), (1...8).contains(value) else { return 1 }
        return value
    }

    /// Where the picture was taken.
    var coordinates: Coordinates? {
        guard let latitude = angle(2, reference: 1, negative: "S", limit: 90),
            let longitude = angle(4, reference: 3, negative: "W", limit: 180)
        else { return nil }
        return Coordinates(latitude: latitude, longitude: longitude)
    }

    private func angle(_ tag: UInt16, reference: UInt16, negative: String, limit: Double) -> Double? {
        guard let parts = fractions(tag, in: position), parts.count == 3 else { return nil }
        let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
        guard degrees <= limit else { return nil }
        return text(reference, in: position)?.uppercased() == negative ? -degrees : degrees
    }

    /// When the picture was taken, or if that is missing, when it was digitized.
    var taken: CaptureTime? {
        let original = (text(0x9003, in: exposure), text(0x9011, in: exposure), text(0x9291, in: exposure))
        let digitized = (text(0x9004, in: exposure), text(0x9012, in: exposure), text(0x9292, in: exposure))
        for (time, offset, fraction) in [original, digitized] {
            guard let seconds = time.flatMap(Self.seconds) else { continue }
            let milliseconds = Int64(((fraction ?? "").filter(\.isNumber) + "000").prefix(3)) ?? 0
            let minutes = (offset ?? text(0x9010, in: exposure)).flatMap(Self.minutes)
            return CaptureTime(clockMilliseconds: seconds * 1000 + milliseconds, offsetMinutes: minutes)
        }
        return nil
    }

    /// Reads `2024:05:31 18:30:00`.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
        guard parts.count == 6, (1826...9999).contains(parts[0]), (1...12).contains(parts[1]),
            (1...31).contains(parts[2]), parts[3] < 24, parts[4] < 60, parts[5] <= 60
        else { return nil }
        return days(year: parts[0], month: parts[1], day: parts[2]) * 86_400 + parts[3] * 3600 + parts[4] * 60
            + parts[5]
    }

    /// Reads `+02:00`.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, (0...14).contains(parts[0]), (0..<60).contains(parts[1]),
            text.hasPrefix("+") || text.hasPrefix("-")
        else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (parts[0] * 60 + parts[1])
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counting years from March so that a leap day comes last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
