// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MingleModel

extension API {
    /// What to say against a record.
    package struct NewReport: Codable, Sendable {
        /// The words for why.
        package static let reasons = ReportReason.allCases.map(\.word)
        /// How many people have to report a record to have it hidden until a moderator decides, where the founder says
        /// no other number.
        package static let usualThreshold = ReportRule.usualThreshold

        package var reason: String
        package var text: String?
        package init(reason: String, text: String? = nil) { (self.reason, self.text) = (reason, text) }
    }

    /// Who reads what is reported about a record, and when reports hide it, as far as the node knows.
    package struct ReportReaders: Codable, Sendable {
        /// How many people besides the record's author moderate: they read the report.
        package var readers: Int
        /// The lowest level of these people; nil if there is nobody.
        package var level: String?
        /// How many people's reports hide the record until a moderator decides; nil: no number does.
        package var threshold: Int?

        package init(readers: Int, level: String?, threshold: Int?) {
            (self.readers, self.level, self.threshold) = (readers, level, threshold)
        }

        /// Both in words, for a person.
        package var words: String {
            guard readers == 0 else { return reading }
            guard let threshold else { return "Nobody else moderates here, and reports hide nothing." }
            return "Nobody else moderates here: it is hidden after \(threshold.counted("report"))."
        }

        private var reading: String {
            if level == Level.founder.word { return "The founder reads it." }
            let reader = level == Level.moderator.word ? "moderator" : "host"
            return readers == 1 ? "One \(reader) reads it." : "\(readers) \(reader)s read it."
        }
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
