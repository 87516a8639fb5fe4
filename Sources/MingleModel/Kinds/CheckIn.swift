// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A person's claim to be somewhere.
    package static let checkIn = Kind(
        7,
        "check_in",
        target: .record(kinds: [5, 4], orNothing: false),
        participation: .joined,
        fields: [
            Field(1, "latitude", .number(Position.latitudes), required: true),
            Field(2, "longitude", .number(Position.longitudes), required: true),
            Field(3, "accuracy", .number(Position.metres)),
        ]
    )
}
