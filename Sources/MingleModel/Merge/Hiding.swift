// SPDX-License-Identifier: Apache-2.0

/// That a record is hidden: a field of the record itself that others than its author write (design, "Merging").
///
/// Every record that a delta made has it. What is said about it stands in deltas about the record, whoever made that,
/// and merges as a register: a moderator who hides or unhides overwrites what there is.
package enum Hiding {
    /// The field: its value is the reason, which may be empty; without one the record is not hidden.
    package static let field = Field(1000, "hidden", .text(limit: 500))
    /// The lowest level of those who write it.
    package static let writers = Level.moderator

    /// Whether changes say anything about it.
    package static func isAbout(_ changes: [Change]) -> Bool { reason(in: changes) != nil }

    /// What changes say about it: a reason to hide, or that the field is cleared; nil if nothing.
    package static func reason(in changes: [Change]) -> Value? {
        // Of several changes of one field in one delta, the last is meant.
        changes.last { $0.field == field.number && field.type.admits($0.value) }?.value
    }

    /// What hides a record; nil: nothing does.
    package static func shown(among contributions: [Contribution]) -> Assertion? {
        let shown = RecordState.living(field, among: contributions).max { $1.outranks($0) }
        return shown.flatMap { $0.value == .cleared ? nil : $0 }
    }
}
