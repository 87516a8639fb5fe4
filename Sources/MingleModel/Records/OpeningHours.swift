// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// When a place is open in a week, in the event's time zone.
///
/// Its bytes are five for each span: the day from Monday (0) to Sunday (6), then the minutes since that day's
/// midnight at which the span begins and ends, two bytes each. A span that ends after midnight counts on, up to 2880.
package struct OpeningHours: Hashable, Sendable {
    /// Spans of one week: four a day.
    package static let limit = 28

    /// From when to when a place is open.
    package struct Span: Hashable, Sendable {
        /// The day on which it begins, from Monday (0) to Sunday (6).
        package let day: Int
        /// Minutes since that day's midnight.
        package let minutes: Range<Int>

        /// Describes a span; nil for a day or minutes that no week has.
        package init?(day: Int, from start: Int, to end: Int) {
            guard (0...6).contains(day), (0..<1440).contains(start), end > start, end <= 2880 else { return nil }
            (self.day, minutes) = (day, start..<end)
        }
    }

    /// The spans, in the order in which they begin.
    package let spans: [Span]

    /// Describes a week; nil where there are more spans than ``limit``, or none.
    package init?(_ spans: [Span]) {
        guard !spans.isEmpty, spans.count <= Self.limit else { return nil }
        self.spans = spans.sorted { ($0.day, $0.minutes.lowerBound) < ($1.day, $1.minutes.lowerBound) }
    }

    /// Reads what ``bytes`` wrote; nil for anything else.
    package init?(bytes: [UInt8]) {
        guard bytes.count % 5 == 0, bytes.count <= Self.limit * 5 else { return nil }
        var spans: [Span] = []
        for start in stride(from: 0, to: bytes.count, by: 5) {
            let minutes = (
                Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]), Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
            )
            guard let span = Span(day: Int(bytes[start]), from: minutes.0, to: minutes.1) else { return nil }
            spans.append(span)
        }
        self.init(spans)
        // One week has one form.
        guard self.bytes == bytes else { return nil }
    }

    /// The spans as bytes.
    package var bytes: [UInt8] {
        spans.flatMap { span in
            let (start, end) = (span.minutes.lowerBound, span.minutes.upperBound)
            return [UInt8(span.day), UInt8(start >> 8), UInt8(start & 255), UInt8(end >> 8), UInt8(end & 255)]
        }
    }

    /// Returns whether the place is open at a minute of the week, counted from Monday's midnight.
    package func isOpen(atMinuteOfWeek minute: Int) -> Bool {
        let week = 7 * 1440
        return spans.contains { span in
            let start = span.day * 1440 + span.minutes.lowerBound
            let passed = ((minute - start) % week + week) % week
            return passed < span.minutes.count
        }
    }

    /// Returns whether the place is open at a time.
    ///
    /// Days and minutes are those that clocks show: where clocks change in a night, a span ends when they show its end.
    ///
    /// - Parameter zone: the event's time zone.
    package func isOpen(at time: Timestamp, in zone: TimeZone) -> Bool {
        let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
        let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
        // The first day of 1970 was a Thursday; an offset may reach into the day before.
        return isOpen(atMinuteOfWeek: (seconds + 10 * 86_400) / 60)
    }
}
