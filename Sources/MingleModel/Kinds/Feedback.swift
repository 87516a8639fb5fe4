// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What an attendee tells those who run the event, about the event itself: for its author and those who moderate.
    package static let feedback = Kind(
        35,
        "feedback",
        plural: "feedback",
        audience: .moderators,
        fields: [Field(1, "text", .text(limit: 4000), required: true)]
    )
}
