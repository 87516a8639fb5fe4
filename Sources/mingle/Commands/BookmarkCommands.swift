// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

/// Bookmarks a photo or a moment.
struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark",
        abstract: "Bookmark a photo or a moment. Only your own devices see bookmarks."
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of the photo or moment.", completion: Offers.posts) var id: String
    @Flag(help: "Remove the bookmark.") var off = false

    func run() async throws {
        let path = options.path("bookmarks/\(id)")
        let bookmarked: API.Envelope.Bookmarked = try await options.client.send(off ? .DELETE : .PUT, path)
        try options.show(bookmarked) {
            $0.bookmarked ? "Bookmarked. List your bookmarks: mingle bookmarks" : "Bookmark removed."
        }
    }
}

/// Lists bookmarks.
struct BookmarksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmarks",
        abstract: "List your bookmarks, newest first."
    )
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions

    func run() async throws {
        let bookmarks: API.Envelope.Bookmarks = try await options.client.get(
            options.path("bookmarks", ["before": page.before])
        )
        try options.show(bookmarks) { bookmarks in
            let marked = bookmarks.items.map { item in
                [When.text(item.at), item.type, Self.words(for: item), item.author.name, Self.id(of: item)]
            }
            guard !marked.isEmpty else {
                return page.before == nil ? "No bookmarks yet. Add one: mingle bookmark ID" : "No older bookmarks."
            }
            return Table.text(marked) + options.more("mingle bookmarks", bookmarks.next)
        }
    }

    private static func words(for item: API.Bookmark) -> String { item.photo?.name ?? item.moment?.title ?? "" }

    private static func id(of item: API.Bookmark) -> String { item.photo?.id ?? item.moment?.id ?? "" }
}
