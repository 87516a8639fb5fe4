// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What somebody says about a record, in words, with a picture of its own, or both.
    package static let comment = Kind(
        9,
        "comment",
        plural: "comments",
        traits: [.reportable],
        target: .having(.commentable),
        shownIf: [.anyOf(["text", "preview"])],
        shows: [.count],
        fields: [
            Field(1, "text", .text(limit: 4000), needsVisibleText: true),
            Field(2, "thumbnail", .media),
            Field(3, "preview", .media),
            Field(4, "width", .number(1...100_000)),
            Field(5, "height", .number(1...100_000)),
        ]
    )

    /// That somebody likes a record, or no longer does.
    package static let fave = Kind(
        10,
        "fave",
        plural: "faves",
        identity: .key,
        target: .having(.faveable),
        onOff: "on",
        shows: [.count, .mine],
        fields: [Field(1, "on", .flag, required: true)]
    )

    /// What somebody thinks of a place or a deal, from 1 to 5, and how dear it is, from 1 to 4.
    package static let rating = Kind(
        24,
        "rating",
        plural: "ratings",
        area: .ratings,
        identity: .key,
        target: .having(.rateable),
        // One of each person, which all see.
        audience: .everybody,
        // Not required, so that a rating can be taken back.
        shownIf: [.anyOf(["overall"])],
        shows: [
            .count, .mine, .mean("overall"), .mean("service"), .mean("atmosphere"), .mean("products"),
            .mean("price_level"),
        ],
        fields: [
            Field(1, "overall", .number(1...5)),
            Field(2, "service", .number(1...5)),
            Field(3, "atmosphere", .number(1...5)),
            Field(4, "products", .number(1...5)),
            Field(5, "price_level", .number(1...4)),
        ]
    )
}
