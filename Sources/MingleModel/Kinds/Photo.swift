// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// A picture that somebody shares, which may move.
    package static let photo = Kind(
        8,
        "photo",
        plural: "photos",
        traits: [.commentable, .faveable, .bookmarkable, .reportable, .votable],
        target: .havingOrNothing(.photographable),
        participation: .joined,
        heldBack: "held",
        shows: [.count],
        timed: "taken",
        fields: [
            Field(1, "title", .text(limit: 1000), isSearched: true),
            Field(2, "name", .text(limit: 255)),
            Field(3, "width", .number(1...100_000), required: true),
            Field(4, "height", .number(1...100_000), required: true),
            Field(5, "taken", .time),
            Field(6, "original", .media, required: true),
            Field(7, "preview", .media, required: true),
            Field(8, "thumbnail", .media, required: true),
            Field(9, "latitude", .latitude),
            Field(10, "longitude", .longitude),
            // Milliseconds that a clip runs; nothing: it stands still.
            Field(11, "duration", .number(1...60_000)),
            // What a clip is about, and what that cost, in the smallest unit of the event's currency.
            Field(12, "theme", .reference, isFilter: true),
            Field(13, "price", .number(0...1_000_000_000_000)),
            // Set where a moderator has to look before others see it.
            Field(20, "held", .flag, writers: .makerThen(.moderator), isFilter: true),
        ]
    )
}
