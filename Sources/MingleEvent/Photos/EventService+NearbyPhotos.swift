// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleModel
import MingleReplica

/// Photos around where somebody stands.
extension EventService {
    /// The photos around a position, the highest first; none where the area is off.
    ///
    /// ``NearbyRank`` is the formula.
    ///
    /// - Parameter parameters: `near`, `radius_m` and `limit` of a request.
    /// - Throws: ``API/Problem`` named `badRequest`.
    package func nearbyPhotos(_ parameters: [String: String]) throws -> API.Envelope.Photos {
        guard let near = parameters["near"] else {
            throw API.Problem(.badRequest, "`near` is missing. Say where you are: near=LATITUDE,LONGITUDE.")
        }
        let metres = try parameters["radius_m"].map(ListQuery.metres) ?? NearbyRank.usualMetres
        let limit = min(try ListQuery.limit(parameters), NearbyRank.limit)
        guard let circle = GridCircle(center: try ListQuery.position(near), metres: metres), try isOn(.vote) else {
            return API.Envelope.Photos(photos: [])
        }
        let found = try replica.nearbyPhotos { reader in
            let ranked = NearbyRank.ranked(try reader.photos(within: circle), at: now.milliseconds)
            return try reader.shown(ranked, limit: limit)
        }
        return API.Envelope.Photos(
            photos: found.map { photo, metres in
                var told = self.photo(photo)
                told.distanceM = Int(metres)
                return told
            }
        )
    }

    /// Refuses a vote on a photo of this person's own.
    func requireOthersPhoto(_ target: Target) throws {
        guard case .record(let photo) = target, try replica.author(of: photo, among: Kind.vote.parents) == me else {
            return
        }
        throw API.Problem(.notAllowed, "That photo is yours. Only others can vote on it.")
    }
}
