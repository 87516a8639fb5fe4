// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A gathering bounded in time and place; it copies its place and does not hang on it.
    package static let moment = Kind(
        5,
        "moment",
        audience: .chosen,
        fields: [
            Field(1, "title", .text(limit: 200), required: true),
            Field(2, "description", .text(limit: 4000)),
            Field(3, "start", .number(0...Int64.max), required: true),
            Field(4, "end", .number(0...Int64.max), required: true),
            Field(5, "place", .reference),
            Field(6, "place_name", .text(limit: 200), required: true),
            Field(7, "latitude", .number(Position.latitudes), required: true),
            Field(8, "longitude", .number(Position.longitudes), required: true),
            Field(9, "radius", .number(Position.metres), required: true),
            Field(10, "cover", .reference),
            // The earlier ones in whose place it stands: what hung on them shows under it.
            Field(11, "continues", .references(limit: 16)),
        ]
    )

    /// How far one person takes part in one moment; it never goes back.
    package static let participation = Kind(
        6,
        "participation",
        identity: .key,
        target: .record(kinds: [5], orNothing: false),
        fields: [Field(1, "state", .number(1...3), required: true, merge: .maximum)]
    )
}
