// SPDX-License-Identifier: Apache-2.0

import MingleEvent
import MingleReplica
import TestSupport
import Testing

/// The formula by which photos around a position stand (docs/ranking.md).
struct NearbyRankTests {
    private static let now: Int64 = 1_000_000_000
    private static let minute: Int64 = 60_000

    private static func photo(
        _ row: Int64 = 1,
        minutesAgo: Int64 = 0,
        metres: Int64 = 0,
        up: Int64 = 0,
        down: Int64 = 0
    ) -> NearbyPhoto {
        NearbyPhoto(row: row, at: now - minutesAgo * minute, tie: row, metres: metres, up: up, down: down)
    }

    private static func score(_ photo: NearbyPhoto) -> Int64 { NearbyRank.score(photo, at: now) }

    @Test func `a photo counts half after three hours and half a hundred metres away`() {
        let best: Int64 = 1_000_000_000_000
        #expect(Self.score(Self.photo()) == best * 500_000)
        #expect(Self.score(Self.photo(minutesAgo: 180)) == best / 2 * 500_000)
        #expect(Self.score(Self.photo(metres: 100)) == best / 2 * 500_000)
        #expect(Self.score(Self.photo(up: 1)) == best * 600_000 && Self.score(Self.photo(down: 1)) == best * 400_000)
        // What is dated ahead counts as what is shared now.
        #expect(Self.score(Self.photo(minutesAgo: -60)) == Self.score(Self.photo()))
        // The largest numbers that there can be.
        let far = Self.photo(minutesAgo: 9_000_000_000_000, metres: 20_100_000, up: 1, down: 1_000_000)
        #expect(Self.score(far) >= 0 && Self.score(Self.photo(up: 1_000_000)) < 1_000_000 * best)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `nearer, newer or better liked is never lower, and the order of what is found plays no part`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
        var photos = (1...40).map { row in
            Self.photo(
                row,
                minutesAgo: number(-10...3000),
                metres: number(0...500),
                up: number(0...9),
                down: number(0...9)
            )
        }
        let ranked = NearbyRank.ranked(photos, at: Self.now)
        photos.shuffle(using: &random)
        #expect(NearbyRank.ranked(photos, at: Self.now) == ranked && ranked.count == 40)
        for photo in photos {
            let (at, metres, up, down) = (photo.at, photo.metres, photo.up, photo.down)
            let better = [
                NearbyPhoto(row: 99, at: at, tie: 0, metres: metres - min(1, metres), up: up + 1, down: down),
                NearbyPhoto(row: 99, at: at + number(1...Self.minute), tie: 0, metres: metres, up: up, down: down),
                NearbyPhoto(row: 99, at: at, tie: photo.tie + 1, metres: metres, up: up, down: down),
            ]
            for other in better { #expect(NearbyRank.ranked([photo, other], at: Self.now).first == other) }
        }
    }
}
