// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A gathering bounded in time and, where its author says so, in place; it copies its place and does not hang on
    /// it.
    package static let moment = Kind(
        5,
        "moment",
        plural: "moments",
        area: .moments,
        traits: [
            .commentable, .faveable, .bookmarkable, .reportable, .photographable, .visitable, .joinable, .inviting,
        ],
        audience: .chosen,
        shownIf: [
            // Without a title it is called by its place.
            .anyOf(["title", "place_name"]),
            .span(from: "start", to: "end", longest: 366 * 86_400_000),
        ],
        fields: [
            Field(1, "title", .text(limit: 200), needsVisibleText: true, isSearched: true),
            Field(2, "description", .text(limit: 4000), isSearched: true),
            Field(3, "start", .time, required: true),
            Field(4, "end", .time, required: true),
            Field(5, "place", .reference),
            Field(6, "place_name", .text(limit: 200), needsVisibleText: true, isSearched: true),
            Field(7, "latitude", .latitude),
            Field(8, "longitude", .longitude),
            Field(9, "radius", .metres),
            Field(10, "cover", .reference),
            // The earlier ones in whose place it stands: what hung on them shows under it.
            Field(11, "continues", .references(limit: 16)),
            Field(12, "categories", .references(limit: 3), isFilter: true),
            // A cover that is no photo of the moment; `cover` is cleared then.
            Field(13, "thumbnail", .media),
            Field(14, "preview", .media),
        ]
    )

    /// How far one person takes part in one moment; it never goes back.
    package static let participation = Kind(
        6,
        "participation",
        plural: "participations",
        area: .moments,
        identity: .key,
        target: .having(.joinable),
        fields: [Field(1, "state", .number(1...3), required: true, merge: .maximum)]
    )
}
