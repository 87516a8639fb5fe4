// SPDX-License-Identifier: Apache-2.0

/// That a record is hidden: a field that each record has that a delta made, and that moderators write.
package enum Hiding {
    /// The field: its value is the reason, which may be empty; without one the record is not hidden.
    package static let field = Field(1000, "hidden", .text(limit: 500), writers: .level(writers))
    /// The lowest level of those who write it.
    package static let writers = Level.moderator
}
