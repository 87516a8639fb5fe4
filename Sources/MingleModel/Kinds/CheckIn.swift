// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A person's claim to be somewhere: at a moment or a place, on which it hangs, or at a place that it copies.
    package static let checkIn = Kind(
        7,
        "check_in",
        plural: "check_ins",
        target: .havingOrNothing(.visitable),
        participation: .joined,
        shows: [.count, .mine],
        fields: [
            Field(1, "latitude", .latitude),
            Field(2, "longitude", .longitude),
            Field(3, "accuracy", .metres),
            Field(4, "place", .reference),
            Field(5, "place_name", .text(limit: 200)),
            Field(6, "radius", .metres),
            Field(7, "source", .choice(PositionSource.allCases.map(\.word))),
        ]
    )
}

/// How a check-in knows its position; the numbers are those of the wire.
package enum PositionSource: Int64, Sendable, CaseIterable {
    /// The device measured it.
    case device = 1
    /// The person set a pin on a map.
    case pin = 2
    /// The person scanned the code of a place.
    case code = 3
    /// A picture had it.
    case picture = 4

    /// The source's name, for the API.
    package var word: String { "\(self)" }
}
