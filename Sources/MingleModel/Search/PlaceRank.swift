// SPDX-License-Identifier: Apache-2.0

/// In which order a search lists places; `docs/ranking.md` has the formula.
package enum PlaceOrder: String, Sendable, CaseIterable {
    /// By how well words fit.
    case fit
    /// By distance.
    case distance
    /// By rating.
    case rating
}

/// What places a place in the list of a search; the least comes first.
package struct PlaceRank: Comparable, Sendable {
    /// See ``fit(_:name:query:)``; 0 where no words are looked for.
    private let fit: Int64
    /// Whole metres; 0 where no position is known.
    private let metres: Int64
    private let rating: Int64
    private let tie: Int64

    /// Describes what counts.
    ///
    /// - Parameter tie: The first 8 bytes of the place's hash.
    package init(fit: Int64 = 0, metres: Double? = nil, rating: PlaceRating = PlaceRating(), tie: Int64) {
        (self.fit, self.rating, self.tie) = (fit, rating.rank, tie)
        self.metres = metres.map { Int64($0) } ?? 0
    }

    package static func < (left: PlaceRank, right: PlaceRank) -> Bool {
        (right.fit, left.metres, right.rating, right.tie) < (left.fit, right.metres, left.rating, left.tie)
    }

    /// How well a place fits a search.
    ///
    /// - Parameters:
    ///   - words: How well it fits each word, summed up: 3 for the word, 2 for its beginning, 1 with an error.
    ///   - name: The words of its name.
    ///   - query: The words that are looked for.
    package static func fit(_ words: Int64, name: [String], query: [String]) -> Int64 {
        guard let last = query.last, name.count >= query.count, name.starts(with: query.dropLast()),
            name[query.count - 1].unicodeScalars.starts(with: last.unicodeScalars)
        else { return words }
        return words + (name == query ? 8 : 4)
    }
}

/// What people's ratings say of a place.
package struct PlaceRating: Equatable, Sendable {
    /// How many people rated it.
    package private(set) var count: Int64 = 0
    /// The sum of what they say over all.
    package private(set) var overall: Int64 = 0
    /// How many of them said how dear it is, and the sum of that.
    package private(set) var prices: (count: Int64, sum: Int64) = (0, 0)

    /// Nobody rated it.
    package init() {}

    /// Adds people who say the same.
    ///
    /// - Parameter price: How dear it is to them; nil: they do not say.
    package mutating func add(_ people: Int64, overall: Int64, price: Int64?) {
        count += people
        self.overall += people * overall
        guard let price else { return }
        prices = (prices.count + people, prices.sum + people * price)
    }

    /// Whether the mean is at least so many thousandths; never of a place that nobody rated.
    package func isAtLeast(thousandths: Int64) -> Bool { count > 0 && overall * 1000 >= thousandths * count }

    /// The mean price level, rounded; nil where nobody said one.
    package var priceLevel: Int64? {
        prices.count > 0 ? (2 * prices.sum + prices.count) / (2 * prices.count) : nil
    }

    /// The mean in thousandths, as if three more people had said 3: one person's 5 does not outrank a hundred.
    package var rank: Int64 { 1000 * (overall + 9) / (count + 3) }

    package static func == (left: PlaceRating, right: PlaceRating) -> Bool {
        (left.count, left.overall) == (right.count, right.overall) && left.prices == right.prices
    }
}
