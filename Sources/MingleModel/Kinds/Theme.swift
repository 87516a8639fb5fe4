// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What clips can be about, of what hosts offer: food, drinks, the inside of a place.
    package static let theme = Kind(
        38,
        "theme",
        plural: "themes",
        writers: .host,
        fields: [
            Field(1, "name", .text(limit: 100), required: true),
            // Whether a clip can say what something cost.
            Field(2, "priced", .flag),
            // The heaviest are offered first.
            Field(3, "weight", .number(1...1000)),
            // Of places of other categories no clip is about it; nothing: it is offered everywhere.
            Field(4, "categories", .references(limit: 16)),
        ]
    )
}
