// SPDX-License-Identifier: Apache-2.0

/// What numbers of ratings are called: one word each, which API, command line and page share.
package enum RatingWords {
    /// The words of what is rated from 1 to 5.
    package static let quality = ["poor", "fair", "good", "very good", "excellent"]
    /// The words of a price level from 1 to 4.
    package static let price = ["inexpensive", "moderate", "expensive", "very expensive"]

    /// The word of a mean, which is rounded.
    ///
    /// Halves go up. It is nil for what is no mean of such numbers.
    package static func word(of mean: Double, in words: [String]) -> String? {
        guard mean >= 1, mean <= Double(words.count) else { return nil }
        return words[Int(mean.rounded()) - 1]
    }
}
