// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// When a picture was taken, as its camera tells it.
package struct CaptureTime: Hashable, Sendable {
    /// What the camera's clock showed, in milliseconds since 1970-01-01 00:00 of that same clock.
    package let clockMilliseconds: Int64
    /// Minutes by which that clock was ahead of UTC; nil where the camera does not say.
    package let offsetMinutes: Int?

    /// Milliseconds since 1970, UTC; a camera that does not say its offset is taken to be set to `timeZone`.
    package func milliseconds(assuming timeZone: TimeZone) -> Int64 {
        if let offsetMinutes { return clockMilliseconds - Int64(offsetMinutes) * 60_000 }
        let clock = Date(timeIntervalSince1970: Double(clockMilliseconds) / 1000)
        // The zone's offset depends on the moment, which depends on the offset: the second look is the right one.
        let guess = clock.addingTimeInterval(-Double(timeZone.secondsFromGMT(for: clock)))
        return clockMilliseconds - Int64(timeZone.secondsFromGMT(for: guess)) * 1000
    }
}

extension CaptureTime {
    /// Reads a time as cameras and programs write it: `2024:05:31 18:30:05`, ISO 8601, and forms seen in the wild.
    ///
    /// Hour 24 is hour 0 of the next day. Seconds may be missing. `fraction` and `offset` are the texts of the tags
    /// beside the time; what the time itself says of them counts first.
    ///
    /// - Returns: nil unless the text holds a date and a time.
    init?(_ text: String, fraction: String? = nil, offset: String? = nil) {
        let spread = Self.spread(text)
        let form =
            /[^0-9]*([0-9]{4})[^0-9]{1,3}([0-9]{1,2})[^0-9]{1,3}([0-9]{1,2})([^0-9]{1,16})([0-9]{1,2})[^0-9]{1,3}([0-9]{1,2})(.*)/
        let tail = /[^0-9+\-]{1,3}([0-9]{1,2})(?:[.,]([0-9]+))?(.*)/
        guard let head = spread.wholeMatch(of: form)?.output, let year = Int64(head.1), let month = Int64(head.2),
            let day = Int64(head.3), let hour = Int64(head.5), let minute = Int64(head.6)
        else { return nil }
        let more = head.7.wholeMatch(of: tail)?.output
        let second = more.flatMap { Int64($0.1) } ?? 0
        let rest = more?.3 ?? head.7
        guard (1826...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60,
            second <= 60
        else { return nil }
        let hours = Self.hours(hour, saying: (head.4 + rest).lowercased())
        let digits = (more?.2).map(String.init) ?? (fraction ?? "").filter { $0.isASCII && $0.isNumber }
        let seconds = Self.days(year: year, month: month, day: day) * 86_400 + hours * 3600 + minute * 60 + second
        clockMilliseconds = seconds * 1000 + (Int64((digits + "000").prefix(3)) ?? 0)
        offsetMinutes = Self.minutes(rest) ?? offset.flatMap { Self.minutes($0[...]) }
        guard Self.text(clockMilliseconds)?.count == Self.textLength else { return nil }
    }

    /// Puts separators between the digits of `20240531T183005`.
    private static func spread(_ text: String) -> String {
        let compact = /\s*([0-9]{4})([0-9]{2})([0-9]{2})[ T]?([0-9]{2})([0-9]{2})([0-9]{2})([^0-9].*)?/
        guard let parts = text.wholeMatch(of: compact)?.output else { return text }
        return "\(parts.1):\(parts.2):\(parts.3) \(parts.4):\(parts.5):\(parts.6)\(parts.7 ?? "")"
    }

    /// Hours of the day, with what stands around them of morning and afternoon.
    private static func hours(_ hour: Int64, saying words: String) -> Int64 {
        if ["pm", "p.m", "下午", "午後", "오후"].contains(where: words.contains) { return hour < 12 ? hour + 12 : hour }
        if ["am", "a.m", "上午", "午前", "오전"].contains(where: words.contains) { return hour == 12 ? 0 : hour }
        return hour
    }

    /// Reads `+02:00`, `-0330` or `Z`.
    private static func minutes(_ text: Substring) -> Int? {
        if text.wholeMatch(of: /\s*[Zz]\s*\x00*/) != nil { return 0 }
        guard let parts = text.wholeMatch(of: /\s*([+\-])([0-9]{2}):?([0-9]{2})\s*\x00*/)?.output,
            let hours = Int(parts.2), let minutes = Int(parts.3), hours <= 14, minutes < 60
        else { return nil }
        return (parts.1 == "-" ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counting years from March so that a leap day comes last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

// MARK: - As EXIF has it

extension CaptureTime {
    private static let textLength = 19

    /// What the clock showed, as `2024:05:31 18:30:05`.
    var text: String { Self.text(clockMilliseconds) ?? "" }

    /// The digits behind the second; nil for a whole second.
    var fraction: String? {
        let milliseconds = (clockMilliseconds % 1000 + 1000) % 1000
        return milliseconds == 0 ? nil : Self.padded(milliseconds, 3)
    }

    /// The clock's offset from UTC, as `+02:00`.
    var offset: String? {
        offsetMinutes.map { minutes in
            let size = Int64(abs(minutes))
            return "\(minutes < 0 ? "-" : "+")\(Self.padded(size / 60, 2)):\(Self.padded(size % 60, 2))"
        }
    }

    private static func text(_ milliseconds: Int64) -> String? {
        let seconds = floor(milliseconds, by: 1000)
        let (days, time) = (floor(seconds, by: 86_400), seconds - floor(seconds, by: 86_400) * 86_400)
        // The inverse of `days`: eras of 400 years that begin in March.
        let shifted = days + 719_468
        let era = floor(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: ":")
        return date + " " + [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
    }

    private static func floor(_ value: Int64, by unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-value + unit - 1) / unit)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
