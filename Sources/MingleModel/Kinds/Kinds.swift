// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// Every kind that this version knows, by number.
    package static let all: [Kind] = [
        .event, .profile, .profilePicture, .place, .moment, .participation, .checkIn, .photo, .comment, .fave,
        .invite, .report, .bookmark, .connection, .rating, .category, .ownership, .favourite, .friendship, .deal,
        .dealUse, .dealConfirmation, .placePage, .reading, .claim, .feedback, .sitePlan, .vote, .theme,
    ]

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    /// The kind of a number, if this version knows it.
    package static func numbered(_ number: UInt32) -> Kind? { byNumber[number] }
}
