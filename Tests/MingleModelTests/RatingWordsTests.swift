// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

/// What ratings are called.
struct RatingWordsTests {
    @Test func `each number has a word of its own, and a mean the word of the nearest`() {
        let words = (1...5).map { RatingWords.word(of: Double($0), in: RatingWords.quality) }
        #expect(words == ["poor", "fair", "good", "very good", "excellent"])
        #expect(RatingWords.word(of: 3.5, in: RatingWords.quality) == "very good")
        #expect(RatingWords.word(of: 3.49, in: RatingWords.quality) == "good")
        #expect(RatingWords.word(of: 4, in: RatingWords.price) == "very expensive")
        for odd in [0, 0.9, 5.1, .nan, .infinity] { #expect(RatingWords.word(of: odd, in: RatingWords.quality) == nil) }
    }
}
