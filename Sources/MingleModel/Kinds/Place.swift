// SPDX-License-Identifier: Apache-2.0

/// Numbers that places and positions share.
package enum Position {
    /// Positions are whole numbers of this many parts of a degree, about a centimetre.
    package static let partsPerDegree = 10_000_000.0
    /// Latitudes, in those parts.
    package static let latitudes: ClosedRange<Int64> = -900_000_000...900_000_000
    /// Longitudes, in those parts.
    package static let longitudes: ClosedRange<Int64> = -1_800_000_000...1_800_000_000
    /// Radiuses and accuracies, in metres.
    package static let metres: ClosedRange<Int64> = 0...1_000_000
}

extension Kind {
    /// A place where things happen: a shop, a stand, a stage.
    package static let place = Kind(
        4,
        "place",
        plural: "places",
        area: .venues,
        traits: [
            .commentable, .faveable, .rateable, .bookmarkable, .reportable, .photographable, .visitable, .ownable,
            .offering, .favourable,
        ],
        fields: [
            Field(1, "name", .text(limit: 200), required: true, writers: .authorAnd(.moderator), isSearched: true),
            Field(2, "latitude", .latitude, required: true, writers: .authorAnd(.moderator)),
            Field(3, "longitude", .longitude, required: true, writers: .authorAnd(.moderator)),
            Field(4, "radius", .metres, required: true, writers: .authorAnd(.moderator)),
            Field(20, "categories", .references(limit: 3), writers: .attendees, isFilter: true),
            Field(21, "hours", .hours, writers: .attendees),
            Field(22, "approved", .flag, writers: .moderators, isFilter: true),
            Field(23, "address", .text(limit: 500), writers: .attendees, isSearched: true),
            Field(24, "telephone", .text(limit: 50), writers: .attendees),
            Field(25, "description", .text(limit: 4000), writers: .attendees, isSearched: true),
            // What it is where it was imported from, such as osm:node/123.
            Field(26, "source", .text(limit: 100), writers: .authorAnd(.moderator)),
        ]
    )

    /// What the owner of a place says and shows of it.
    package static let placePage = Kind(
        32,
        "place_page",
        plural: "place_pages",
        area: .venues,
        identity: .key,
        target: .having(.ownable),
        audience: .everybody,
        shownIf: [.owner, .anyOf(["title", "text", "preview"])],
        fields: [
            Field(1, "title", .text(limit: 200), needsVisibleText: true, isSearched: true),
            Field(2, "text", .text(limit: 4000), needsVisibleText: true, isSearched: true),
            Field(3, "thumbnail", .media),
            Field(4, "preview", .media),
            Field(5, "website", .text(limit: 500)),
        ]
    )

    /// A kind of place or moment in the tree that hosts make.
    package static let category = Kind(
        25,
        "category",
        plural: "categories",
        writers: .host,
        fields: [
            Field(1, "name", .text(limit: 100), required: true, isSearched: true),
            Field(2, "singular", .text(limit: 100), needsVisibleText: true, isSearched: true),
            Field(3, "short", .text(limit: 20), needsVisibleText: true),
            Field(4, "parent", .reference),
            // Other words by which people look for it, with spaces between them.
            Field(5, "synonyms", .text(limit: 500), isSearched: true),
        ]
    )

    /// That a person owns a place, said by a host; each host may end it and take that back.
    package static let ownership = Kind(
        26,
        "ownership",
        plural: "ownerships",
        area: .venues,
        target: .having(.ownable),
        writers: .host,
        onOff: "on",
        audience: .everybody,
        fields: [
            Field(1, "person", .person, required: true),
            Field(2, "on", .flag, required: true, writers: .level(.host)),
        ]
    )

    /// That somebody says to own a place, or no longer does: for hosts, who answer by an ownership.
    ///
    /// It is sealed as a report is, as that is the narrowest audience to which hosts belong.
    package static let claim = Kind(
        34,
        "claim",
        plural: "claims",
        area: .venues,
        identity: .key,
        target: .having(.ownable),
        onOff: "on",
        audience: .moderators,
        fields: [
            Field(1, "on", .flag, required: true),
            // How the person can be known as the owner.
            Field(2, "text", .text(limit: 1000), needsVisibleText: true),
        ]
    )
}
