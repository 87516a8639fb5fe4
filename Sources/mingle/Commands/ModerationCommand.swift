// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

/// Hides posts and lists what is hidden.
struct ModerationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moderation",
        abstract: "Hide posts, show them again, and see who hid what.",
        subcommands: [Hide.self, Unhide.self, Hidden.self, Log.self],
        defaultSubcommand: Hidden.self
    )

    /// Hides a post.
    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hide a photo, comment or moment from everybody but its author and moderators.",
            discussion: "Its comments and photos are hidden with it. To show it again: mingle moderation unhide ID"
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the photo, comment or moment.", completion: Offers.everything) var id: String
        @Option(help: "Reason, for the author and other moderators.") var reason = ""

        func run() async throws {
            let body = try API.encode(API.Envelope.Reason(reason: reason))
            _ = try await options.client.bytes(.PUT, options.path("hidden/\(id)"), .json([UInt8](body)))
            try options.showDone("Hidden. The author still sees it, and the reason.")
        }
    }

    /// Shows a hidden post again.
    struct Unhide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a hidden photo, comment or moment again.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the photo, comment or moment.", completion: Offers.hidden) var id: String

        func run() async throws {
            try await options.client.perform(.DELETE, options.path("hidden/\(id)"))
            try options.showDone("Shown again to everybody.")
        }
    }

    /// Lists hidden posts.
    struct Hidden: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List hidden posts. Moderators see all of them, others their own."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            try await options.showHidings("hidden", none: "Nothing is hidden.")
        }
    }

    /// Lists who hid what.
    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List who hid or unhid what, when and why, newest first.",
            discussion: "Moderators see all entries, others those about their own posts. Deleted posts are not listed."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            try await options.showHidings("hidden/log", none: "Nothing was hidden yet.")
        }
    }
}

extension ClientOptions {
    /// Lists hidden and unhidden posts, one per line.
    fileprivate func showHidings(_ path: String, none: String) async throws {
        let hidings: API.Envelope.HidingLog = try await client.get(self.path(path))
        try show(hidings) { $0.log.isEmpty ? none : Table.text($0.log.map(\.words)) }
    }
}

extension API.LoggedHiding {
    /// The entry as a row of a table.
    fileprivate var words: [String] {
        let deed = hides ? "hid" : "unhid"
        // A node hides reported posts automatically, without its moderator.
        let who = reported ? (by.me ? "your node" : "\(by.name)'s node") : by.name
        return [When.text(at), who, "\(deed) \(subject)", reason.map { $0.isEmpty ? "-" : $0 } ?? "", record]
    }

    /// The post, described for people.
    var subject: String {
        API.subject(kind, of: author, named: photo?.label ?? moment?.title ?? comment?.text ?? "")
    }
}

extension API {
    /// Describes a post: "Bob's photo", with its name.
    static func subject(_ kind: String, of author: Person?, named name: String) -> String {
        let owner = author.map { $0.me ? "your" : "\($0.name)'s" } ?? "a"
        return "\(owner) \(kind)" + (name.isEmpty ? "" : " “\(name.prefix(40))”")
    }
}
