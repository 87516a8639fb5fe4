// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleReplica

/// Reports: anybody who takes part tells moderators what should not be seen.
extension Node {
    /// Reports a record of somebody else's to those who moderate; said again, it is the same report with other words.
    package func report(_ id: String, because reason: String, text: String?, event: String?) throws {
        let session = try session(event)
        try session.report(Wording.reference(id), Wording.report(reason), Wording.remark(text ?? ""))
    }

    /// What was reported: all of it for moderators, for others what they reported themselves.
    package func reported(event: String?) throws -> API.Envelope.Reported {
        let session = try session(event)
        let reported = try session.shown { try session.replica.reported() }
        return API.Envelope.Reported(reported: reported.map(session.listed))
    }
}

extension EventSession {
    fileprivate func report(_ reference: Reference, _ reason: ReportReason, _ text: String) throws {
        try requireMayWrite(.report)
        let author = try shown { try replica.author(of: reference, among: [.photo, .comment, .moment]) }
        guard author != replica.own.person else {
            throw API.Problem(.conflict, "That is yours. Delete or change it instead.")
        }
        guard try shown({ try replica.isForEverybody(reference) }) else {
            throw API.Problem(
                .conflict,
                "That is in a private moment, which moderators do not see. Tell the creator of the moment, who can withdraw "
                    + "invitations."
            )
        }
        let words = text.isEmpty ? Value.cleared : .text(text)
        let values: [String: Value] = ["reason": .number(reason.rawValue), "text": words]
        try self.author([.set(.report, on: .record(reference), values: values)])
    }

    fileprivate func listed(_ reported: ShownReported) -> API.Reported {
        let about = about(reported.record, kind: reported.kind)
        return API.Reported(
            record: reported.record.description,
            kind: reported.kind,
            open: reported.isOpen,
            reports: reported.reports.map { report in
                API.Report(
                    by: API.Person(report.author, here: roster.present),
                    reason: report.reason.word,
                    text: report.text,
                    at: Date(milliseconds: report.at)
                )
            },
            hidden: reported.hiding.map { API.Hidden($0, here: roster.present) },
            author: about.author,
            photo: about.photo,
            comment: about.comment,
            moment: about.moment
        )
    }
}
