// SPDX-License-Identifier: Apache-2.0

import MingleEvent
import MingleModel
import MingleReplica
import TestSupport
import Testing

/// The formula by which places trend.
struct TrendRankTests {
    private static let now: Int64 = 1_000_000_000
    private static let minute: Int64 = 60_000

    private static func deed(_ place: Int64, _ person: Int64, _ kind: Kind, minutesAgo: Int64 = 0) -> PlaceDeed {
        PlaceDeed(place: place, tie: place, person: person, kind: kind, at: now - minutesAgo * minute)
    }

    @Test func `each person counts once, by what counts most, and half after three hours`() {
        let one = TrendRank.scores([Self.deed(1, 1, .checkIn)], at: Self.now)
        #expect(one == [1: 5_000_000])
        let much = [Self.deed(1, 1, .checkIn), Self.deed(1, 1, .rating), Self.deed(1, 1, .fave)]
        #expect(TrendRank.scores(much, at: Self.now) == one)
        #expect(TrendRank.scores([Self.deed(1, 1, .checkIn, minutesAgo: 180)], at: Self.now) == [1: 2_500_000])
        // What is dated ahead counts as what is said now.
        #expect(TrendRank.scores([Self.deed(1, 1, .checkIn, minutesAgo: -60)], at: Self.now) == one)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `another person never lowers a place, and the order of what is found plays no part`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let kinds = TrendRank.weights.map(\.kind)
        var deeds = (0..<40).map { _ in
            Self.deed(
                Int64.random(in: 1...5, using: &random),
                Int64.random(in: 1...9, using: &random),
                random.pick(kinds),
                minutesAgo: Int64.random(in: -10...2000, using: &random)
            )
        }
        let scores = TrendRank.scores(deeds, at: Self.now)
        deeds.shuffle(using: &random)
        #expect(TrendRank.scores(deeds, at: Self.now) == scores)
        let ranked = TrendRank.ranked(deeds, at: Self.now)
        #expect(Set(ranked) == Set(scores.keys))
        for (one, next) in zip(ranked, ranked.dropFirst()) {
            #expect((scores[one] ?? 0, one) > (scores[next] ?? 0, next))
        }
        deeds.append(Self.deed(1, 10, random.pick(kinds), minutesAgo: 30))
        #expect(TrendRank.scores(deeds, at: Self.now)[1] ?? 0 > scores[1] ?? 0)
    }
}
