// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// Who a person is to the others.
    package static let profile = Kind(
        2,
        "profile",
        plural: "profiles",
        identity: .key,
        writers: .guest,
        fields: [
            Field(1, "name", .text(limit: 100), required: true, isSearched: true),
            Field(2, "picture", .reference),
            // The machine lets phones take part: who came by the same invitation is a guest of it.
            Field(3, "door", .flag),
        ]
    )

    /// A picture that a person used in the profile; all of them stay.
    package static let profilePicture = Kind(
        3,
        "profile_picture",
        plural: "profile_pictures",
        writers: .guest,
        fields: [
            Field(1, "thumbnail", .media, required: true),
            Field(2, "preview", .media),
        ]
    )
}
