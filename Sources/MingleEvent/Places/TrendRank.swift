// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleReplica

/// What ranks places by what people do there now (docs/ranking.md).
package enum TrendRank {
    /// After so many minutes what somebody did counts half.
    package static let halfLife: Int64 = 180
    /// What is older than this does not count, in milliseconds: a day.
    package static let window: Int64 = 86_400_000
    /// What each kind weighs.
    package static let weights: [(kind: Kind, weight: Int64)] = [
        (.checkIn, 5), (.rating, 4), (.photo, 4), (.comment, 3), (.fave, 2),
    ]

    /// Places in order of rank; of equal ones the larger tie stands first.
    ///
    /// - Parameters:
    ///   - deeds: What people did, in any order.
    ///   - now: Milliseconds since 1970.
    package static func ranked(_ deeds: [PlaceDeed], at now: Int64) -> [Int64] {
        let ties = Dictionary(deeds.map { ($0.place, $0.tie) }) { first, _ in first }
        return scores(deeds, at: now).map { (place: $0.key, score: $0.value, tie: ties[$0.key] ?? 0) }
            .sorted { ($0.score, $0.tie) > ($1.score, $1.tie) }.map(\.place)
    }

    /// How high places stand: the sum, over the people who did something there, of what counts most of each.
    ///
    /// - Parameters:
    ///   - deeds: What people did, in any order.
    ///   - now: Milliseconds since 1970.
    package static func scores(_ deeds: [PlaceDeed], at now: Int64) -> [Int64: Int64] {
        var best: [Int64: [Int64: Int64]] = [:]
        for deed in deeds {
            let worth = worth(deed, at: now)
            best[deed.place, default: [:]][deed.person] = max(best[deed.place]?[deed.person] ?? 0, worth)
        }
        return best.mapValues { $0.values.reduce(0, +) }
    }

    private static func worth(_ deed: PlaceDeed, at now: Int64) -> Int64 {
        let weight = weights.first { $0.kind == deed.kind }?.weight ?? 0
        let minutes = max(0, now - deed.at) / 60_000
        return weight * (1_000_000 * halfLife / (halfLife + min(minutes, 1 << 32)))
    }
}
