// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// Where something goes on, and where one could go.
extension EventService {
    /// Places of a list in order of rank, which has no further page.
    package static let trendingLimit = 20
    /// Places of which "inspire me" chooses one.
    private static let inspiringLimit = 200

    /// The places at which most people do something now, the highest first; see ``TrendRank``.
    package func trending(limit: Int) throws -> API.RecordList {
        let found = try isOn(.place) ? ranked(limit: min(max(limit, 1), Self.trendingLimit)) : []
        return API.RecordList(plural: Kind.place.plural, records: try shown(found), next: nil)
    }

    private func ranked(limit: Int) throws -> [ShownRecord] {
        let kinds = try TrendRank.weights.map(\.kind).filter(isOn)
        return try replica.placeDeeds { reader in
            let deeds = try reader.deeds(of: kinds, since: now.milliseconds - TrendRank.window)
            return try TrendRank.ranked(deeds, at: now.milliseconds).prefix(limit).compactMap(reader.place)
        }
    }

    /// One place that is open now, or that somebody liked within a day: of those near a position, or of the newest.
    ///
    /// - Parameters:
    ///   - circle: Where it is to be; nil: anywhere.
    ///   - seed: What chooses: equal replicas choose alike by one seed.
    /// - Throws: ``API/Problem`` named `notFound` if there is no such place.
    package func inspiration(near circle: GridCircle?, seed: String) throws -> API.Record {
        var query = RecordQuery()
        (query.circle, query.limit) = (circle, Self.inspiringLimit)
        let places = try isOn(.place) ? replica.records(of: .place, query).items : []
        let liked = try liked()
        let zone = try zone()
        let fitting = places.filter { place in
            place.hiding == nil
                && (place.hours?.isOpen(at: now, in: zone) ?? false || place.id.map(liked.contains) ?? false)
        }
        guard let chosen = fitting.min(by: { Self.lot($0, seed) < Self.lot($1, seed) }) else {
            throw API.Problem(
                .notFound,
                "No place there is open now or was liked today. Look farther away, or search without `near`."
            )
        }
        return try shown([chosen])[0]
    }

    /// Places that somebody faves, or rated with 4 or 5, within a day.
    private func liked() throws -> Set<Reference> {
        try replica.placesLiked(since: now.milliseconds - TrendRank.window, hasRatings: isOn(.rating))
    }

    /// A number that follows from a place and a seed, with the place's id for equal ones (FNV-1a of 64 bits).
    private static func lot(_ place: ShownRecord, _ seed: String) -> (UInt64, String) {
        let id = place.id?.description ?? ""
        let hash = "\(seed) \(id)".utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return (hash, id)
    }
}
