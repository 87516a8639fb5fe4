// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

/// Reports a post to the moderators.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report a photo, comment or moment to the moderators.",
        discussion: """
            Only you and the moderators can read the report. Nobody is shown who reported the person's own post. A post \
            that \(API.NewReport.usualThreshold) people reported is hidden until a moderator decides, also where nobody \
            but its author moderates. The founder can change this number: mingle event set --report-threshold NUMBER
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of the photo, comment or moment.", completion: Offers.everything) var id: String
    @Option(
        help: "Reason: \(API.NewReport.reasons.joined(separator: ", ")).",
        completion: .list(API.NewReport.reasons)
    )
    var reason: String
    @Option(help: "Note for the moderators.") var text: String?

    func run() async throws {
        let report = API.NewReport(reason: reason, text: text)
        let readers: API.ReportReaders = try await options.client.send(.PUT, options.path("reports/\(id)"), report)
        try options.show(readers) { "Reported. \($0.words)" }
    }
}

/// Lists reports.
struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "List reports. Moderators see all of them, others their own.",
        discussion: """
            Moderators decide with mingle moderation hide ID or mingle moderation unhide ID.
            """
    )
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let reported: API.Envelope.Reported = try await options.client.get(options.path("reports"))
        try options.show(reported) {
            $0.reported.isEmpty ? "No reports." : Table.text($0.reported.flatMap(\.rows))
        }
    }
}

extension API.Reported {
    /// A row for each report, with the state of the post.
    fileprivate var rows: [[String]] {
        // For others than moderators, a hidden post is missing rather than marked as hidden.
        let isSeen = hidden == nil && (photo != nil || moment != nil || comment != nil)
        let state = (isSeen ? "shown" : "hidden") + (open ? ", undecided" : "")
        return reports.map { report in
            let text = report.text.isEmpty ? "-" : report.text
            return [When.text(report.at), report.by.name, subject, report.reason, text, state, record]
        }
    }

    private var subject: String {
        let name = photo?.label ?? moment?.title ?? comment?.text ?? ""
        return API.subject(kind, of: author, named: name)
    }
}
