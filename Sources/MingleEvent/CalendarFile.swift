// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI

/// A moment as an iCalendar file (RFC 5545), which every calendar reads; its times are in UTC.
package struct CalendarFile: Hashable, Sendable {
    /// Octets of a line without its end (RFC 5545, section 3.1).
    private static let lineLimit = 75

    /// The file.
    package let text: String
    /// What to call it.
    package let name: String

    /// Writes a moment.
    ///
    /// - Parameter now: When the file is made.
    init(_ moment: API.Moment, at now: Date) {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Mingle//Mingle//EN", "CALSCALE:GREGORIAN", "BEGIN:VEVENT",
            "UID:\(moment.id)", "DTSTAMP:\(Self.time(now))", "DTSTART:\(Self.time(moment.start))",
            "DTEND:\(Self.time(moment.end))", "SUMMARY:\(Self.escaped(moment.title))",
        ]
        if !moment.description.isEmpty { lines.append("DESCRIPTION:\(Self.escaped(moment.description))") }
        if !moment.place.name.isEmpty { lines.append("LOCATION:\(Self.escaped(moment.place.name))") }
        if let latitude = moment.place.latitude, let longitude = moment.place.longitude {
            lines.append("GEO:\(Self.degrees(latitude));\(Self.degrees(longitude))")
        }
        if moment.private { lines.append("CLASS:PRIVATE") }
        lines += ["END:VEVENT", "END:VCALENDAR"]
        text = lines.map(Self.folded).joined()
        name = "\(moment.title).ics"
    }

    /// A time in UTC, form 2 of section 3.3.5.
    private static func time(_ date: Date) -> String {
        let zone = TimeZone(secondsFromGMT: 0) ?? .current
        let format: Date.FormatString = """
            \(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)T\
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)Z
            """
        return date.formatted(.verbatim(format, timeZone: zone, calendar: Calendar(identifier: .gregorian)))
    }

    /// Six decimals, as section 3.8.1.6 has them.
    private static func degrees(_ degrees: Double) -> String {
        String(format: "%.6f", locale: Locale(identifier: "en_US_POSIX"), degrees)
    }

    /// A text, by section 3.3.11; other control characters may stand in no file.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n", "\r", "\u{2028}", "\u{2029}": escaped += "\\n"
            case "\t": escaped += "\t"
            case _ where scalar.properties.generalCategory == .control: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A line with its end; what is longer than the limit goes on after a space, never within a character.
    private static func folded(_ line: String) -> String {
        var (folded, length) = ("", 0)
        for scalar in line.unicodeScalars {
            let width = String(scalar).utf8.count
            if length + width > lineLimit {
                folded += "\r\n "
                length = 1
            }
            folded.unicodeScalars.append(scalar)
            length += width
        }
        return folded + "\r\n"
    }
}
