// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// That somebody wants to find a record again, or no longer does: nobody but the person's own devices learns of it.
    package static let bookmark = Kind(
        22,
        "bookmark",
        plural: "bookmarks",
        identity: .key,
        target: .having(.bookmarkable),
        onOff: "on",
        audience: .own,
        shows: [.mine],
        fields: [Field(1, "on", .flag, required: true)]
    )

    /// That somebody likes a place, or no longer does, for the person's own devices: whose deals concern the person.
    package static let favourite = Kind(
        27,
        "favourite",
        plural: "favourites",
        area: .venues,
        identity: .key,
        target: .having(.favourable),
        onOff: "on",
        audience: .own,
        shows: [.mine],
        fields: [Field(1, "on", .flag, required: true)]
    )
}

extension Kind {
    /// Up to when a person has read what concerns that person at a record or in the event, and whether that is
    /// muted; for the own devices.
    package static let reading = Kind(
        33,
        "reading",
        plural: "readings",
        identity: .key,
        target: .havingOrNothing(.bookmarkable),
        audience: .own,
        shownIf: [.anyOf(["until", "muted"])],
        fields: [
            // What was read on one device is read on all: the later time counts.
            Field(1, "until", .time, merge: .maximum),
            Field(2, "muted", .flag),
        ]
    )
}
