// SPDX-License-Identifier: Apache-2.0

extension Kind {
    /// That somebody wants to find a photo or a moment again, or no longer does: nobody but the person's own devices learns of it.
    package static let bookmark = Kind(
        22,
        "bookmark",
        identity: .key,
        target: .record(kinds: [8, 5], orNothing: false),
        onOff: "on",
        audience: .own,
        fields: [Field(1, "on", .number(0...1), required: true)]
    )
}
