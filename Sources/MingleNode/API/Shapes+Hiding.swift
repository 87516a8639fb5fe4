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
    }
}
