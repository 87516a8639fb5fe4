// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import NIOHTTP1

/// Tells moderators what should not be seen.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report somebody's photo, comment or moment to those who moderate.",
        discussion: """
            Nobody but you and moderators can read it. What \(API.NewReport.usualThreshold) people reported, or as many as the \
            founder says (mingle event set --report-threshold), is hidden until a moderator decides.
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The id of what should not be seen.") var id: String
    @Option(help: "Why: \(API.NewReport.reasons.joined(separator: ", ")).") var reason: String
    @Option(help: "What moderators should know.") var text: String?

    func run() async throws {
        let body = try API.encode(API.NewReport(reason: reason, text: text))
        _ = try await options.client.bytes(.PUT, options.path("reports/\(id)"), .json([UInt8](body)))
        try options.showDone("Reported. Moderators read it as soon as their nodes hear of it.")
    }
}

/// Lists what people reported.
struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "See what was reported: all of it as a moderator, else what you reported.",
        discussion: """
            As a moderator decide with mingle moderation hide ID, or leave it to be seen with mingle moderation unhide ID.
            """
    )
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let reported: API.Envelope.Reported = try await options.client.get(options.path("reports"))
        try options.show(reported) {
            $0.reported.isEmpty ? "Nothing was reported." : Table.text($0.reported.flatMap(\.rows))
        }
    }
}

extension API.Reported {
    /// A row for each report, with what became of it.
    fileprivate var rows: [[String]] {
        // Who does not moderate is not told that something is hidden, and does not see it.
        let isSeen = hidden == nil && (photo != nil || moment != nil || comment != nil)
        let state = (isSeen ? "shown" : "hidden") + (open ? ", to be decided" : "")
        return reports.map { report in
            let text = report.text.isEmpty ? "-" : report.text
            return [When.text(report.at), report.by.name, subject, report.reason, text, state, record]
        }
    }

    private var subject: String {
        let name = photo?.name ?? moment?.title ?? comment?.text ?? ""
        return API.subject(kind, of: author, named: name)
    }
}
