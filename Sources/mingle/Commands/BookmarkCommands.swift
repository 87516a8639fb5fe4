// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import NIOHTTP1

/// Marks a photo or a moment to find it again.
struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark",
        abstract: "Mark a photo or a moment to find it again; only your own devices know."
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The photo's or moment's id.") var id: String
    @Flag(help: "Take the mark away.") var off = false

    func run() async throws {
        let path = options.path("bookmarks/\(id)")
        let bookmarked: API.Envelope.Bookmarked = try await options.client.send(off ? .DELETE : .PUT, path)
        try options.show(bookmarked) {
            $0.bookmarked ? "Marked: mingle bookmarks lists it." : "It is not marked any more."
        }
    }
}

/// Lists what one marked.
struct BookmarksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmarks",
        abstract: "See the photos and moments that you marked, marked last first."
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
                return page.before == nil ? "You marked nothing yet: mingle bookmark ID" : "There are no older ones."
            }
            return Table.text(marked) + options.more("mingle bookmarks", bookmarks.next)
        }
    }

    private static func words(for item: API.FeedItem) -> String { item.photo?.name ?? item.moment?.title ?? "" }

    private static func id(of item: API.FeedItem) -> String { item.photo?.id ?? item.moment?.id ?? "" }
}
