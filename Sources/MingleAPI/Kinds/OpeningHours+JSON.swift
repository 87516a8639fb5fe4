// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Opening hours in JSON: `{"monday": [["09:00", "12:00"], ["18:00", "02:00"]]}`.
///
/// What ends at or before its beginning ends on the next day; `24:00` is midnight at the end of the day.
extension OpeningHours {
    /// The days' members, from Monday.
    package static let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// The spans by day.
    package var json: API.JSON {
        .object(
            Dictionary(grouping: spans, by: \.day).reduce(into: [:]) { members, day in
                members[Self.days[day.key]] = .list(day.value.map { Self.json(of: $0.minutes) })
            }
        )
    }

    /// Reads what ``json`` wrote; nil for anything else, and for no hours at all.
    package init?(json: API.JSON) {
        var spans: [Span] = []
        for (name, list) in json.members ?? [:] {
            guard let day = Self.days.firstIndex(of: name), case .list(let list) = list else { return nil }
            for span in list {
                guard let span = Self.span(on: day, from: span) else { return nil }
                spans.append(span)
            }
        }
        self.init(spans)
    }

    private static func json(of minutes: Range<Int>) -> API.JSON {
        let (start, end) = (minutes.lowerBound, minutes.upperBound)
        let isShort = end > 1440 && end - 1440 <= start
        return [.text(time(start)), .text(time(isShort ? end - 1440 : end))]
    }

    private static func span(on day: Int, from json: API.JSON) -> Span? {
        guard case .list(let times) = json, times.count == 2,
            let start = times[0].text.flatMap(minutes), let end = times[1].text.flatMap(minutes)
        else { return nil }
        return Span(day: day, from: start, to: end <= start ? end + 1440 : end)
    }

    private static func time(_ minutes: Int) -> String {
        let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
    }

    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ part in part.count == 2 && part.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour <= 48, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}
