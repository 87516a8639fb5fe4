// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// That the creator of a moment invites somebody to it; for a private moment that is the way into its audience.
    ///
    /// An end says that the person is not invited any more, and what of that person's words goes on to count.
    package static let invite = Kind(
        20,
        "invite",
        plural: "invites",
        area: .moments,
        target: .having(.inviting),
        shownIf: [.creator],
        fields: [
            Field(1, "person", .person, required: true),
            Field(2, "ends", .ends),
        ]
    )
}
