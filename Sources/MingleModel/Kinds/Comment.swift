// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// What somebody says about a photo or a moment.
    package static let comment = Kind(
        9,
        "comment",
        target: .record(kinds: [8, 5], orNothing: false),
        fields: [Field(1, "text", .text(limit: 4000), required: true)]
    )

    /// That somebody likes a photo or a moment, or no longer does.
    package static let fave = Kind(
        10,
        "fave",
        identity: .key,
        target: .record(kinds: [8, 5], orNothing: false),
        onOff: "on",
        fields: [Field(1, "on", .number(0...1), required: true)]
    )
}
