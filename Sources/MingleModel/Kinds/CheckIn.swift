// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A person's claim to be somewhere: at a moment, which it hangs on, or at a place, which it copies.
    package static let checkIn = Kind(
        7,
        "check_in",
        target: .record(kinds: [5], orNothing: true),
        participation: .joined,
        fields: [
            Field(1, "latitude", .number(Position.latitudes), required: true),
            Field(2, "longitude", .number(Position.longitudes), required: true),
            Field(3, "accuracy", .number(Position.metres)),
            Field(4, "place", .reference),
            Field(5, "place_name", .text(limit: 200)),
            Field(6, "radius", .number(Position.metres)),
        ]
    )
}
