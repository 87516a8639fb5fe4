// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode

/// Finds people, moments, places and photos.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find people, moments, places and photos.",
        discussion: """
            Words are found by their beginning, in any order, and with one wrong letter from four letters on. '#word' \
            finds what has this tag.
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Words to look for.") var text: [String]
    @Option(help: "How many of each kind at most, up to 20.") var limit = 5

    func validate() throws {
        guard !text.isEmpty else { throw ValidationError("Give a word to look for.") }
        guard (1...20).contains(limit) else { throw ValidationError("--limit must be 1 to 20.") }
    }

    func run() async throws {
        let query = ["q": text.joined(separator: " "), "limit": "\(limit)"]
        let found: API.Search = try await options.client.get(options.path("search", query))
        try options.show(found) { found in
            let groups = [
                ("person", found.people), ("moment", found.moments), ("place", found.places), ("photo", found.photos),
            ]
            let rows = groups.flatMap { word, group in
                group.items.map { [word, $0.title, $0.about, $0.person?.fingerprint ?? $0.id] }
                    + (group.more == nil ? [] : [["", "… and more; to see more of each: --limit 20", "", ""]])
            }
            return rows.isEmpty ? "Nothing was found. Try fewer or shorter words." : Table.text(rows)
        }
    }
}

extension API.Hit {
    /// What tells it apart from others of the same title.
    fileprivate var about: String {
        if let moment { return When.text(moment.start) }
        if let photo { return "by \(photo.author.name)" }
        if let person {
            let common = person.commonMoments ?? 0
            return common > 0 ? "\(common) \(common == 1 ? "moment" : "moments") in common" : person.me ? "you" : ""
        }
        return detail ?? ""
    }
}
