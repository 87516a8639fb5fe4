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
