// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Opening hours as OpenStreetMap writes them: `Mo-Fr 09:00-12:00,14:00-18:00; Sa 10:00-02:00; PH off`.
///
/// Read is what a week can say. Months, dates, the sun and comments are not understood, and holidays passed over.
/// See https://wiki.openstreetmap.org/wiki/Key:opening_hours.
extension OpeningHours {
    /// Bytes of a text that is looked at.
    private static let writtenLimit = 1000

    /// Reads a text; nil where a week does not say the same, or it is never open.
    init?(written text: String) {
        guard text.utf8.count <= Self.writtenLimit else { return nil }
        var week: [Int: [Range<Int>]] = [:]
        for rule in text.replacing("–", with: "-").replacing(" - ", with: "-").split(separator: ";") {
            guard let days = WrittenRule(rule)?.days else { return nil }
            // A later rule takes the place of an earlier one.
            week.merge(days) { $1 }
        }
        var spans: [Span] = []
        for (day, ranges) in week {
            for range in ranges {
                guard let span = Span(day: day, from: range.lowerBound, to: range.upperBound) else { return nil }
                spans.append(span)
            }
        }
        self.init(spans)
    }
}

/// One rule, as `Mo,We 09:00-12:00,14:00-18:00`.
private struct WrittenRule {
    private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    private static let holidays: Set<Substring> = ["PH", "SH"]

    /// When it is open, by the days of which the rule says something.
    private(set) var days: [Int: [Range<Int>]] = [:]

    init?(_ text: Substring) {
        var (named, isEnded) = (Set<Int>?.none, false)
        for piece in text.split(separator: ",") {
            var words = piece.split(separator: " ")
            if let day = words.first.flatMap(Self.read) {
                // Days behind a time belong to the next one.
                named = (isEnded ? [] : named ?? []).union(day)
                (isEnded, words) = (false, Array(words.dropFirst()))
            }
            guard let time = words.first else { continue }
            guard words.count == 1, let ranges = Self.ranges(time) else { return nil }
            isEnded = true
            for day in named ?? Set(0...6) { days[day, default: []] += ranges }
        }
        guard isEnded else { return nil }
    }

    /// The days of a word such as `Mo` or `Fr-Su`; none for holidays, and nil for any other word.
    private static func read(_ word: Substring) -> Set<Int>? {
        if holidays.contains(word) { return [] }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { names.firstIndex(of: String($0)) }
        switch (ends.count, ends.first ?? nil, ends.last ?? nil) {
        case (1, let day?, _): return [day]
        case (2, let first?, let last?):
            let count = (last - first + 7) % 7
            return Set((0...count).map { (first + $0) % 7 })
        default: return nil
        }
    }

    /// The minutes of a time such as `09:00-17:00`, none where it is closed, nil for anything else.
    private static func ranges(_ time: Substring) -> [Range<Int>]? {
        switch time {
        case "off", "closed": return []
        case "24/7": return [0..<1440]
        default: break
        }
        let ends = time.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = minutes(ends[0]), let end = minutes(ends[1]) else { return nil }
        return [start..<(end <= start ? end + 1440 : end)]
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.joined().utf8.allSatisfy({ (48...57).contains($0) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour <= 48, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}
