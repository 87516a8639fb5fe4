// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MingleModel

extension API {
    /// What to say against a record.
    package struct NewReport: Codable, Sendable {
        /// The words for why.
        package static let reasons = ReportReason.allCases.map(\.word)
        /// How many people have to report a record to have it hidden until a moderator decides, where the founder says no other number.
        package static let usualThreshold = ReportRule.usualThreshold

        package var reason: String
        package var text: String?
        package init(reason: String, text: String? = nil) { (self.reason, self.text) = (reason, text) }
    }

    /// What one person said against a record.
    package struct Report: Codable, Sendable {
        package var by: Person
        package var reason: String
        package var text: String
        package var at: Date

        package init(by: Person, reason: String, text: String, at: Date) {
            (self.by, self.reason, self.text, self.at) = (by, reason, text, at)
        }
    }

    /// A record with what people said against it, as far as this person can read that.
    package struct Reported: Codable, Sendable {
        package var record: String
        package var kind: String
        /// Whether no moderator has said yet if it is to be seen.
        package var open: Bool
        package var reports: [Report]
        package var hidden: Hidden?
        package var author: Person?
        package var photo: Photo?
        package var comment: Comment?
        package var moment: Moment?

        package init(
            record: String,
            kind: String,
            open: Bool,
            reports: [Report],
            hidden: Hidden? = nil,
            author: Person? = nil,
            photo: Photo? = nil,
            comment: Comment? = nil,
            moment: Moment? = nil
        ) {
            (self.record, self.kind, self.open, self.reports) = (record, kind, open, reports)
            (self.hidden, self.author, self.photo, self.comment) = (hidden, author, photo, comment)
            self.moment = moment
        }
    }
}
