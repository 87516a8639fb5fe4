// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode

/// Shows the latest posts.
struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "feed", abstract: "Show what happened, newest first.")
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions
    @Flag(help: "Also show the id of each post, for other commands such as fave or comment.") var ids = false

    func run() async throws {
        let feed: API.Envelope.Feed = try await options.client.get(options.path("feed", ["before": page.before]))
        let isEmpty = feed.items.isEmpty && feed.locked == nil && page.before == nil
        let standing = isEmpty && !options.json ? try await standing() : nil
        let subjects = options.json ? [:] : await subjects(of: feed.items)
        try options.show(feed) { feed in
            if isEmpty { return standing ?? "Nothing has happened yet." }
            let rows = FeedText.rows(feed, subjects, showsIDs: ids)
            guard !rows.isEmpty else { return "No older entries." }
            return Table.text(rows) + options.more("mingle feed" + (ids ? " --ids" : ""), feed.next)
        }
    }

    /// Why the person sees nothing, as a sentence; nil if nothing prevents it.
    private func standing() async throws -> String? {
        let status: API.Status = try await options.client.get(options.path("status"))
        guard let words = status.current?.standing else { return nil }
        return "\(words.prefix(1).uppercased())\(words.dropFirst()). For details: mingle status"
    }

    /// The names of what the comments are about, by id; without those that the node does not tell.
    private func subjects(of items: [API.FeedItem]) async -> [String: String] {
        var subjects = FeedText.subjects(items)
        for comment in items.compactMap(\.comment) where subjects[comment.target] == nil {
            subjects[comment.target] = try? await subject(comment)
        }
        return subjects
    }

    private func subject(_ comment: API.Comment) async throws -> String {
        if comment.targetKind == "moment" {
            let moment: API.Moment = try await options.client.get(options.path("moments/\(comment.target)"))
            return FeedText.subject(moment)
        }
        let photo: API.Photo = try await options.client.get(options.path("photos/\(comment.target)"))
        return FeedText.subject(photo)
    }
}
