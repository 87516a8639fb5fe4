// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether a moment is yet to come, going on or over; follows from the clock and is never stored.
package enum MomentStatus: String, Sendable, CaseIterable {
    /// Its start has not been reached.
    case notStarted = "not_started"
    /// It has started and not ended.
    case ongoing
    /// Its end has passed.
    case ended

    /// The status at `now` of a moment from `start` to `end`.
    package init(start: Timestamp, end: Timestamp, now: Timestamp) {
        self = now < start ? .notStarted : now < end ? .ongoing : .ended
    }
}

/// The one button of a moment, after the table of inJoin, figure 5.19.
package enum MomentButton: String, Sendable, CaseIterable {
    /// To be tapped: the guest will come.
    case join
    /// A label: the guest will come.
    case joined
    /// To be tapped: the guest is there.
    case checkIn = "check_in"
    /// A label: the guest is there.
    case checkedIn = "checked_in"
    /// A label: it is over.
    case ended
}

/// What a person's own node lets the person do with a moment; what others merge is decided by who, never by when.
package enum MomentRules {
    /// The button that a guest sees.
    package static func button(_ participation: ParticipationState?, _ status: MomentStatus) -> MomentButton {
        switch (participation, status) {
        case (_, .ended): .ended
        case (.checkedIn, _): .checkedIn
        case (.joined, .notStarted): .joined
        case (.joined, .ongoing): .checkIn
        case (nil, _), (.ignored, _): .join
        }
    }

    /// Whether a guest may post photos: in advance who joined, from the start on who checked in, without an end.
    package static func mayPost(_ participation: ParticipationState?, _ status: MomentStatus) -> Bool {
        switch (participation, status) {
        case (.checkedIn, _), (.joined, .notStarted): true
        default: false
        }
    }
}

/// How a photo stands outside of the moment that it hangs on; nothing is refused for it.
package enum OutsideMoment: String, Hashable, Sendable, CaseIterable {
    /// It was taken before the moment began.
    case before
    /// It was taken after the moment had ended.
    case after
    /// It was taken farther away than the moment's radius.
    case elsewhere
}

/// When and where a moment is, as far as it says: times in milliseconds since 1970, positions in 1e-7 degrees.
package struct MomentBounds: Sendable {
    package let start: Int64
    package let end: Int64
    package let position: (latitude: Int64, longitude: Int64)?
    /// Metres; nil: everywhere is within.
    package let radius: Int64?

    /// Describes bounds; a latitude without a longitude is no position.
    package init(start: Int64, end: Int64, latitude: Int64?, longitude: Int64?, radius: Int64?) {
        (self.start, self.end, self.radius) = (start, end, radius)
        position = latitude.flatMap { latitude in longitude.map { (latitude, $0) } }
    }

    /// How something stands outside that was taken at a time and a place; what is not known is not outside.
    package func outside(taken: Int64?, latitude: Int64?, longitude: Int64?) -> [OutsideMoment] {
        var found: [OutsideMoment] = []
        if let taken, taken < start { found.append(.before) }
        if let taken, taken > end { found.append(.after) }
        if let position, let radius, let latitude, let longitude {
            let metres = Geography.metres(
                from: Self.degrees(latitude, longitude),
                to: Self.degrees(position.latitude, position.longitude)
            )
            if metres > Double(radius) { found.append(.elsewhere) }
        }
        return found
    }

    private static func degrees(_ latitude: Int64, _ longitude: Int64) -> (Double, Double) {
        (Double(latitude) / Position.partsPerDegree, Double(longitude) / Position.partsPerDegree)
    }
}

/// Positions on the Earth, for checking in.
package enum Geography {
    private static let earthRadius = 6_371_000.0

    /// Metres between two positions in degrees, along a great circle.
    package static func metres(
        from: (latitude: Double, longitude: Double),
        to: (latitude: Double, longitude: Double)
    ) -> Double {
        let latitudes = (radians(from.latitude), radians(to.latitude))
        let half = (
            latitude: (latitudes.1 - latitudes.0) / 2,
            longitude: radians(to.longitude - from.longitude) / 2
        )
        let chord =
            square(sin(half.latitude)) + cos(latitudes.0) * cos(latitudes.1) * square(sin(half.longitude))
        return 2 * earthRadius * asin(min(1, chord.squareRoot()))
    }

    private static func square(_ value: Double) -> Double { value * value }
    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
