// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What an event is called, and what is so in it; the founder's own record.
    package static let event = Kind(
        1,
        "event",
        identity: .key,
        writers: .founder,
        fields: [
            Field(1, "title", .text(limit: 200), required: true),
            // How many people's reports hide a record; nothing: as many as `ReportRule` says, 0: no number does.
            Field(2, "report_threshold", .number(0...1000)),
            // Of the invitation by which anyone nearby may come; what is no seed lets nobody in.
            Field(3, "nearby", .text(limit: 52), isSeed: true),
        ]
    )
}
