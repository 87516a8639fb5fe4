// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// What clocks in a time zone show, to the second (Gregorian calendar).
package struct LocalTime: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// What clocks show `milliseconds` after the beginning of 1970, UTC.
    package init(milliseconds: Int64, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let date = Date(timeIntervalSince1970: (Double(milliseconds) / 1000).rounded(.down))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        (year, month, day) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
        (hour, minute, second) = (parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }

    /// `2026-06-20 18.42.07`: file names of this form sort by time, and no file system refuses them.
    package var fileNameText: String {
        let date = [Self.padded(year, 4), Self.padded(month, 2), Self.padded(day, 2)].joined(separator: "-")
        return date + " " + [hour, minute, second].map { Self.padded($0, 2) }.joined(separator: ".")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension LocalTime {
    private static let dosYears = 1980...2107

    /// Date and time as MS-DOS has them, to two seconds; what is outside of 1980 to 2107 is moved to its edge.
    var dos: (time: UInt16, date: UInt16) {
        guard Self.dosYears.contains(year) else {
            return year < Self.dosYears.lowerBound ? (0, 1 << 5 | 1) : (0xBF7D, 127 << 9 | 12 << 5 | 31)
        }
        return (
            UInt16(hour << 11 | minute << 5 | second / 2),
            UInt16((year - Self.dosYears.lowerBound) << 9 | month << 5 | day)
        )
    }
}
