// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import NIOHTTP1

/// Hiding what should not be seen, and who hid what.
struct ModerationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moderation",
        abstract: "Hide what should not be seen, show it again, and see who hid what.",
        subcommands: [Hide.self, Unhide.self, Hidden.self, Log.self],
        defaultSubcommand: Hidden.self
    )

    /// Hides a record.
    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hide a photo, comment or moment from all but its author and moderators.",
            discussion: "What hangs on it is hidden with it. It can be shown again: mingle moderation unhide ID."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The id of what is to be hidden.") var id: String
        @Option(help: "Why: its author is told, and other moderators see it.") var reason = ""

        func run() async throws {
            let body = try API.encode(API.Envelope.Reason(reason: reason))
            _ = try await options.client.bytes(.PUT, options.path("hidden/\(id)"), .json([UInt8](body)))
            try options.showDone("Hidden. Its author still sees it, and is told why.")
        }
    }

    /// Shows a record again.
    struct Unhide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show again what is hidden.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The id of what is hidden.") var id: String

        func run() async throws {
            try await options.client.perform(.DELETE, options.path("hidden/\(id)"))
            try options.showDone("Everybody sees it again.")
        }
    }

    /// Lists what is hidden.
    struct Hidden: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "See what is hidden: all of it as a moderator, else what of yours is."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            try await options.showHidings("hidden", none: "Nothing is hidden.")
        }
    }

    /// Tells who hid what.
    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "See who hid and showed again what, when and why, the latest first.",
            discussion: "Moderators see all of it, others what concerns their own. What was deleted since is not in it."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            try await options.showHidings("hidden/log", none: "Nobody has hidden anything.")
        }
    }
}

extension ClientOptions {
    /// Shows what was hidden or shown again, a line each.
    fileprivate func showHidings(_ path: String, none: String) async throws {
        let hidings: API.Envelope.HidingLog = try await client.get(self.path(path))
        try show(hidings) { $0.log.isEmpty ? none : Table.text($0.log.map(\.words)) }
    }
}

extension API.LoggedHiding {
    /// The line as a row of a table.
    fileprivate var words: [String] {
        let deed = hides ? "hid" : "showed again"
        // What a moderator's node says by itself is nobody's word.
        let who = reported ? (by.me ? "your node" : "\(by.name)'s node") : by.name
        return [When.text(at), who, "\(deed) \(subject)", reason.map { $0.isEmpty ? "-" : $0 } ?? "", record]
    }

    private var subject: String {
        API.subject(kind, of: author, named: photo?.name ?? moment?.title ?? comment?.text ?? "")
    }
}

extension API {
    /// What a line is about, in words.
    static func subject(_ kind: String, of author: Person?, named name: String) -> String {
        let owner = author.map { $0.me ? "your" : "\($0.name)'s" } ?? "a"
        return "\(owner) \(kind)" + (name.isEmpty ? "" : " “\(name.prefix(40))”")
    }
}
