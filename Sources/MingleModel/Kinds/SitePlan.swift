// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What lies beneath the places on a map of the event: a drawn plan, its outlines, or both; by hosts.
    ///
    /// Two points of the picture say where it lies. `a_x` and `a_y` are 1/10 000 of its width and height, from its
    /// upper left corner.
    package static let sitePlan = Kind(
        36,
        "site_plan",
        plural: "site_plans",
        area: .venues,
        writers: .host,
        shownIf: [.anyOf(["preview", "outline"])],
        fields: [
            Field(1, "title", .text(limit: 200), required: true),
            Field(2, "thumbnail", .media),
            Field(3, "preview", .media),
            Field(4, "width", .number(1...100_000)),
            Field(5, "height", .number(1...100_000)),
            Field(6, "a_x", .number(0...10_000)),
            Field(7, "a_y", .number(0...10_000)),
            Field(8, "a_latitude", .latitude),
            Field(9, "a_longitude", .longitude),
            Field(10, "b_x", .number(0...10_000)),
            Field(11, "b_y", .number(0...10_000)),
            Field(12, "b_latitude", .latitude),
            Field(13, "b_longitude", .longitude),
            // GeoJSON (RFC 7946); a payload has 64 KiB, and the rest of the record needs its part.
            Field(14, "outline", .text(limit: 48_000), needsVisibleText: true),
        ]
    )
}
