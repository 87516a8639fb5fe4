// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleReplica

/// When and where people can check in.
extension EventService {
    /// Refuses a check-in at a moment that is not going on or was not joined, and one too far away.
    func requireMayCheckIn(on target: Target, _ values: [String: Value]) throws {
        guard case .record(let reference) = target else { return }
        guard try targetKind(of: reference, for: .checkIn) == .moment else {
            let place = try replica.record(reference, of: .place)
            try requirePositionOrCode(values)
            let position = (place.number("latitude"), place.number("longitude"))
            return try requireNear(place.text("name"), position, place.number("radius"), values)
        }
        let moment = try replica.seenMoment(reference)
        switch moment.status(at: now) {
        case .notStarted: throw API.Problem(.notAllowed, "The moment has not started. Check in once it has.")
        case .ended: throw API.Problem(.notAllowed, "The moment has ended, so nobody can check in any more.")
        case .ongoing: break
        }
        guard moment.participation ?? .ignored >= .joined else {
            throw API.Problem(.notAllowed, "Join the moment first, then check in.")
        }
        let place = moment.place
        try requireNear(place.name, (place.latitude, place.longitude), place.radius, values)
    }

    /// Refuses a check-in at a place of somebody who neither says where that is nor scanned the place's code.
    private func requirePositionOrCode(_ values: [String: Value]) throws {
        let isByCode = values["source"] == .number(PositionSource.code.rawValue)
        guard !isByCode, values["latitude"] == nil || values["longitude"] == nil else { return }
        throw API.Problem(
            .badRequest,
            "To check in there, say where you are: send a latitude and a longitude, or the source `code` if you scanned the "
                + "place's code."
        )
    }

    /// Refuses a position that is not within a place that has one; without a position nobody can tell.
    private func requireNear(
        _ name: String,
        _ position: (latitude: Int64?, longitude: Int64?),
        _ radius: Int64?,
        _ values: [String: Value]
    ) throws {
        guard let latitude = position.latitude, let longitude = position.longitude, let radius,
            case .number(let ownLatitude)? = values["latitude"], case .number(let ownLongitude)? = values["longitude"]
        else { return }
        let distance = Geography.metres(
            from: (Double(ownLatitude) / Position.partsPerDegree, Double(ownLongitude) / Position.partsPerDegree),
            to: (Double(latitude) / Position.partsPerDegree, Double(longitude) / Position.partsPerDegree)
        )
        guard distance > Double(radius) else { return }
        throw API.Problem(
            .notAllowed,
            "You are \(RequestValidation.distance(distance)) from \(name). You can check in within \(radius) m of it."
        )
    }
}
