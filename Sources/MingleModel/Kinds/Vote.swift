// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// That somebody is for a photo or against it; who says neither has no vote.
    package static let vote = Kind(
        37,
        "vote",
        plural: "votes",
        area: .nearby,
        identity: .key,
        target: .having(.votable),
        shownIf: [.anyOf(["up"])],
        fields: [Field(1, "up", .flag)]
    )
}
