// SPDX-License-Identifier: Apache-2.0

package import MingleReplica

/// What ranks photos around a position by votes, nearness and age (docs/ranking.md).
package enum NearbyRank {
    /// After so many minutes a photo counts half.
    package static let halfLife: Int64 = 180
    /// So many metres away a photo counts half.
    package static let halfWay: Int64 = 100
    /// How far away photos are, in metres, where nobody says.
    package static let usualMetres = 500.0
    /// Photos of a list, which has no further page.
    package static let limit = 200
    /// What a whole is.
    private static let million: Int64 = 1_000_000

    /// Photos in order of rank.
    ///
    /// Of equal ones the nearer stands first, then the newer, then the one with the larger tie.
    ///
    /// - Parameters:
    ///   - photos: In any order.
    ///   - now: Milliseconds since 1970.
    package static func ranked(_ photos: [NearbyPhoto], at now: Int64) -> [NearbyPhoto] {
        photos.map { (photo: $0, score: score($0, at: now)) }
            .sorted { one, other in
                (one.score, -one.photo.metres, one.photo.at, one.photo.tie)
                    > (other.score, -other.photo.metres, other.photo.at, other.photo.tie)
            }
            .map(\.photo)
    }

    /// How high a photo stands: up to 10^18.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package static func score(_ photo: NearbyPhoto, at now: Int64) -> Int64 {
        let minutes = min(max(0, now - photo.at) / 60_000, 1 << 32)
        let freshness = million * halfLife / (halfLife + minutes)
        let nearness = million * halfWay / (halfWay + photo.metres)
        return freshness * nearness * share(photo)
    }

    /// The share of those who are for it, in millionths, with two people on each side added: one vote says little.
    private static func share(_ photo: NearbyPhoto) -> Int64 {
        million * (photo.up + 2) / (photo.up + photo.down + 4)
    }
}
