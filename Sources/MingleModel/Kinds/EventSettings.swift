// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What an event is called, and what is so in it; the founder's own record.
    package static let event = Kind(
        1,
        "event",
        plural: "events",
        identity: .key,
        writers: .founder,
        fields: [
            Field(1, "title", .text(limit: 200), required: true),
            // How many people's reports hide a record; nothing: as many as `ReportRule` says, 0: no number does.
            Field(2, "report_threshold", .number(0...1000)),
            // Of the invitation by which anyone nearby may come; what is no seed lets nobody in.
            Field(3, "nearby", .text(limit: 52), isSeed: true),
            // A bit for each area of the product that is on; nothing: those that a new event has.
            Field(4, "areas", .number(0...0xffff)),
            // A name of the IANA time zone database, such as Europe/Copenhagen.
            Field(5, "time_zone", .text(limit: 64), needsVisibleText: true),
            // Three letters of ISO 4217.
            Field(6, "currency", .text(limit: 3), needsVisibleText: true),
            Field(7, "who_invites", .choice(WhoInvites.allCases.map(\.word))),
        ]
    )
}

/// Whom an attendee may invite to a moment; the numbers are those of the wire.
///
/// It is a rule of the inviter's node.
package enum WhoInvites: Int64, Sendable, CaseIterable {
    /// Anybody in the event.
    case anybody = 1
    /// Those with whom the attendee is connected.
    case connections = 2

    /// The rule's name, for the API.
    package var word: String { "\(self)" }
}

/// What an event's founder has set, besides its title.
package struct EventSettings: Hashable, Sendable {
    /// The areas that are on.
    package var areas: Set<Area>
    /// A name of the IANA time zone database; nil: nobody has said.
    package var timeZone: String?
    /// Three letters of ISO 4217; nil: nobody has said.
    package var currency: String?
    /// Whom attendees may invite to moments.
    package var whoInvites: WhoInvites

    /// Describes settings.
    package init(
        areas: Set<Area> = EventPreset.usual.areas,
        timeZone: String? = nil,
        currency: String? = nil,
        whoInvites: WhoInvites = .anybody
    ) {
        (self.areas, self.timeZone, self.currency, self.whoInvites) = (areas, timeZone, currency, whoInvites)
    }
}
