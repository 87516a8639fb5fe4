// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// That somebody thinks a record should not be seen: for moderators to read, one per person and record.
    package static let report = Kind(
        21,
        "report",
        plural: "reports",
        identity: .key,
        target: .having(.reportable),
        audience: .moderators,
        fields: [
            Field(1, "reason", .choice(ReportReason.allCases.map(\.word)), required: true),
            Field(2, "text", .text(limit: 1000)),
        ]
    )
}

/// Why somebody reports a record; the numbers are those of the wire.
package enum ReportReason: Int64, Sendable, CaseIterable {
    /// It advertises, or repeats itself.
    case spam = 1
    /// It insults or threatens somebody.
    case rude = 2
    /// It is not decent.
    case indecent = 3
    /// It shows somebody, or tells of somebody, who does not want that.
    case personal = 4
    /// Something else, which the text says.
    case other = 5

    /// The reason of a field's value; one that a later version knows is something else to this one.
    package init(value: Int64) { self = ReportReason(rawValue: value) ?? .other }

    /// The reason's name, for the API and for people.
    package var word: String { "\(self)" }

    /// The reason of a name; nil if there is none.
    package init?(word: String) {
        guard let reason = ReportReason.allCases.first(where: { $0.word == word }) else { return nil }
        self = reason
    }
}

/// When what people reported is hidden before a moderator has looked at it.
package enum ReportRule {
    /// People who have to report a record, where the founder says no other number.
    package static let usualThreshold = 3
    /// The lowest level of those whose reports are counted, by what others let them do now: those of who left go on to count.
    package static let countedLevel = Level.attendee
    /// The reason that a moderator's node gives; what is hidden for it waits for a moderator's word.
    package static let hidingReason = "Several people reported it."
}

extension Audience {
    /// Those who read what a person reports: the person, and those who moderate.
    package static func reports(by person: PersonID) -> Audience {
        .moderators(owner: person, salt: [UInt8](repeating: 0, count: saltLength))
    }
}
