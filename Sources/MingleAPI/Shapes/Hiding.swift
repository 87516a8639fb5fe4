// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// That others do not see something, with who hid it; its author and moderators are told.
    package struct Hidden: Codable, Sendable {
        /// What was hidden: the record itself, or what it hangs on.
        package var record: String
        package var reason: String
        /// Whether the node of ``by`` did so by itself, as it was reported, until a moderator decides.
        package var reported: Bool
        package var by: Person
        package var at: Date

        package init(record: String, reason: String, reported: Bool, by: Person, at: Date) {
            (self.record, self.reason, self.reported, self.by) = (record, reason, reported, by)
            self.at = at
        }
    }

    /// One line of the log of moderation: that somebody hid something or showed it again, and what that is.
    package struct LoggedHiding: Codable, Sendable {
        package var record: String
        package var kind: String
        /// Whether it was hidden by this, and not shown again.
        package var hides: Bool
        package var reason: String?
        /// Whether the node of ``by`` did so by itself, as it was reported.
        package var reported: Bool
        package var by: Person
        package var at: Date
        /// Whether it is hidden by this now.
        package var current: Bool
        package var author: Person?
        package var photo: Photo?
        package var comment: Comment?
        package var moment: Moment?

        package init(
            record: String,
            kind: String,
            hides: Bool,
            reason: String? = nil,
            reported: Bool,
            by: Person,
            at: Date,
            current: Bool,
            author: Person? = nil,
            photo: Photo? = nil,
            comment: Comment? = nil,
            moment: Moment? = nil
        ) {
            (self.record, self.kind, self.hides, self.reason) = (record, kind, hides, reason)
            (self.reported, self.by, self.at, self.current) = (reported, by, at, current)
            (self.author, self.photo, self.comment, self.moment) = (author, photo, comment, moment)
        }
    }
}
