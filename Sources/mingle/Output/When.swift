// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Reads and prints times.
enum When {
    /// Largest relative time such as `+2h`, in seconds: a thousand years.
    private static let farthest = 3.2e10
    private static let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400]

    /// Whether an argument is a relative time in the past, which looks like an option.
    static func isPast(_ text: String) -> Bool { text.wholeMatch(of: /-[0-9.]+[mhd]/) != nil }

    /// Reads a time: `2026-06-20T18:00Z`, `2026-06-20 18:00` (local), `18:00` (today), `now`, `+2h` or `-30m`.
    ///
    /// - Parameters:
    ///   - now: the present time.
    ///   - day: the day of a time without a date; today if not set.
    ///   - start: the start, if the text is an end: `+2h` counts from it, and `02:00` is the first such time after it.
    static func date(_ text: String, now: Date = Date(), on day: Date? = nil, since start: Date? = nil) throws -> Date {
        if text == "now" { return now }
        if let seconds = seconds(text) {
            // An end before its start is never meant: a time in the past counts from now.
            return (seconds < 0 ? now : start ?? now).addingTimeInterval(seconds)
        }
        if let date = try? Date(text, strategy: .iso8601) { return date }
        for format in ["yyyy-MM-dd'T'HH:mmXXXXX", "yyyy-MM-dd HH:mm", "yyyy-MM-dd'T'HH:mm", "HH:mm"] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = format
            if format == "HH:mm" { formatter.defaultDate = Calendar.current.startOfDay(for: start ?? day ?? now) }
            guard let date = formatter.date(from: text) else { continue }
            guard format == "HH:mm", let start, date <= start else { return date }
            return Calendar.current.date(byAdding: .day, value: 1, to: date) ?? date
        }
        throw ValidationError(
            "Not a valid time: '\(text)'. Use 2026-06-20T18:00Z, '2026-06-20 18:00', 18:00, now, or a time from now such "
                + "as +2h or -30m (m minutes, h hours, d days)."
        )
    }

    /// The seconds of a relative time such as `+2h` or `-30m`; nil for another text.
    private static func seconds(_ text: String) -> Double? {
        guard let sign = text.first, sign == "+" || sign == "-", let unit = text.last.flatMap({ units[$0] }),
            let count = Double(text.dropFirst().dropLast()), (0...farthest).contains(count * unit)
        else { return nil }
        return sign == "-" ? -count * unit : count * unit
    }

    /// A time as text, in the local time zone.
    static func text(_ date: Date) -> String {
        let format: Date.FormatString = """
            \(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
            """
        return date.formatted(.verbatim(format, timeZone: .current, calendar: .current))
    }
}
