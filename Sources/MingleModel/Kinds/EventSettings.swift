// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What an event is called; the founder's own record.
    package static let event = Kind(
        1,
        "event",
        identity: .key,
        writers: .founder,
        fields: [Field(1, "title", .text(limit: 200), required: true)]
    )
}
