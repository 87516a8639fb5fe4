// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A picture that somebody shares.
    package static let photo = Kind(
        8,
        "photo",
        target: .record(kinds: [5], orNothing: true),
        participation: .joined,
        fields: [
            Field(1, "title", .text(limit: 1000)),
            Field(2, "name", .text(limit: 255)),
            Field(3, "width", .number(1...100_000), required: true),
            Field(4, "height", .number(1...100_000), required: true),
            Field(5, "taken", .number(0...Int64.max)),
            Field(6, "original", .media, required: true),
            Field(7, "preview", .media, required: true),
            Field(8, "thumbnail", .media, required: true),
            Field(9, "latitude", .number(Position.latitudes)),
            Field(10, "longitude", .number(Position.longitudes)),
        ]
    )
}
