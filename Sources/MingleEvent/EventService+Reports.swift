// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// Reports: anybody who takes part tells moderators what should not be seen.
extension EventService {
    /// Reports a record of somebody else's to those who moderate; said again, it is the same report with other words.
    ///
    /// - Returns: Who reads it.
    @discardableResult
    package func report(
        _ reference: Reference,
        _ reason: ReportReason,
        _ text: String
    ) throws -> API.ReportReaders {
        try replica.requireMayWrite(.report)
        let maker = try replica.author(of: reference, among: Kind.report.parents)
        guard maker != me else {
            throw API.Problem(.conflict, "That is yours. Delete or change it instead.")
        }
        guard try replica.isForEverybody(reference) else {
            throw API.Problem(
                .conflict,
                "That is in a private moment, which moderators do not see. Tell the creator of the moment, who can withdraw "
                    + "invitations."
            )
        }
        let readers = try reportReaders(of: reference)
        let words = text.isEmpty ? Value.cleared : .text(text)
        let values: [String: Value] = ["reason": .number(reason.rawValue), "text": words]
        try author([.set(.report, on: .record(reference), values: values)])
        return readers
    }

    /// Who reads what is reported about a record, and when reports hide it.
    package func reportReaders(of reference: Reference) throws -> API.ReportReaders {
        let readers = try replica.reportReaders(of: reference)
        return API.ReportReaders(readers: readers.count, level: readers.level?.word, threshold: readers.threshold)
    }

    /// What was reported: all of it for moderators, for others what they reported themselves.
    package func reported() throws -> API.Envelope.Reported {
        API.Envelope.Reported(reported: try replica.reported().map(listed))
    }

    private func listed(_ reported: ShownReported) -> API.Reported {
        let about = about(reported.record, kind: reported.kind)
        return API.Reported(
            record: reported.record.description,
            kind: reported.kind,
            open: reported.isOpen,
            reports: reported.reports.map { report in
                API.Report(
                    by: person(report.author),
                    reason: report.reason.word,
                    text: report.text,
                    at: Date(milliseconds: report.at)
                )
            },
            hidden: reported.hiding.map { API.Hidden($0, here: present) },
            author: about.author,
            photo: about.photo,
            comment: about.comment,
            moment: about.moment
        )
    }
}
