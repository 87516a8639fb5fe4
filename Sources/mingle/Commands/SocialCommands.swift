// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleModel
import MingleNode
import NIOHTTP1

/// Sets the person's profile.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "profile", abstract: "Say who you are.")
    @OptionGroup var options: ClientOptions
    @Option(help: "Your name.") var name: String?
    @Option(help: "A picture of you.", completion: .file()) var picture: String?

    func run() async throws {
        // Opened before anything is said: who is told that the picture cannot be read has no new name either.
        let file = try picture.map { try Upload.open($0) }
        defer { try? file?.file.close() }
        var named: API.Person?
        if let name { named = try await say(name) }
        if let file {
            let body = NodeClient.Body.file(file.file, size: file.size) { _ in }
            let data = try await options.client.bytes(.PUT, options.path("profile/picture"), body)
            return try options.show(API.decode(API.Person.self, from: data)) { "\($0.name) has a new picture." }
        }
        if let named {
            return try options.show(named) { person in
                let isKept = person.level == API.Person.waiting
                return "You are \(person.name.printable())." + (isKept ? " It is said once you are let in." : "")
            }
        }
        let status: API.Status = try await options.client.get(options.path("status"))
        try options.show(Profile(person: status.person, name: status.name)) {
            $0.name.map { "You are \($0.printable())." } ?? "You have no name yet: mingle profile --name NAME"
        }
    }

    private func say(_ name: String) async throws -> API.Person {
        try await options.client.send(.PUT, options.path("profile"), API.Envelope.Name(name: name))
    }

    /// Who one is, for programs.
    private struct Profile: Encodable {
        let person: String?
        let name: String?
    }
}

/// Comments on a photo or a moment.
struct CommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment",
        abstract: "Comment on a photo or a moment; without a text, see its comments; or delete one of yours.",
        discussion: "A text that begins with a minus stands behind --: mingle comment ID -- '-5 degrees'"
    )
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions
    @Argument(help: "The photo's or moment's id; with --delete the comment's.") var id: String
    @Argument(help: "What you say.") var text: String?
    @Flag(help: "Delete the comment of yours that has this id, everywhere.") var delete = false

    func validate() throws {
        guard !delete || text == nil else { throw ValidationError("--delete takes the comment's id, and no text.") }
        guard page.before == nil || (text == nil && !delete) else {
            throw ValidationError("--before is for seeing comments, without a text.")
        }
    }

    func run() async throws {
        if delete {
            try await options.client.perform(.DELETE, options.path("comments/\(id)"))
            return try options.showDone("Deleted the comment.")
        }
        // A comment hangs on a photo or a moment in the same way, so either path takes either id.
        let path = options.path("photos/\(id)/comments")
        if let text {
            let comment: API.Comment = try await options.client.send(.POST, path, API.Envelope.Text(text: text))
            try options.show(comment) { "Commented (\($0.id))." }
        } else {
            let comments: API.Envelope.Comments = try await options.client.get(
                options.path("photos/\(id)/comments", ["before": page.before])
            )
            try options.show(comments) { comments in
                guard !comments.comments.isEmpty else {
                    return page.before == nil
                        ? "No comments yet. Say something: mingle comment \(id) TEXT" : "There are no older ones."
                }
                return Table.text(comments.comments.map { [When.text($0.posted), $0.author.name, $0.text, $0.id] })
                    + options.more("mingle comment \(id)", comments.previous)
            }
        }
    }
}

/// Faves a photo or a moment.
struct FaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "fave", abstract: "Fave a photo or a moment.")
    @OptionGroup var options: ClientOptions
    @Argument(help: "The photo's or moment's id.") var id: String
    @Flag(help: "Take it back.") var off = false

    func run() async throws {
        let faves: API.Faves = try await options.client.send(off ? .DELETE : .PUT, options.path("faves/\(id)"))
        try options.show(faves) { "\($0.faves) \($0.faves == 1 ? "person faves" : "people fave") it." }
    }
}

/// Shows what happened.
struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "feed", abstract: "See what happened, newest first.")
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions

    func run() async throws {
        let feed: API.Envelope.Feed = try await options.client.get(options.path("feed", ["before": page.before]))
        let isEmpty = feed.items.isEmpty && feed.locked == nil && page.before == nil
        let standing = isEmpty && !options.json ? try await standing() : nil
        try options.show(feed) { feed in
            let locked = (feed.locked ?? []).map { [When.text($0.latest), $0.author.name, Self.words(for: $0), ""] }
            let items = feed.items.map { [When.text($0.at), $0.author.name, Self.words(for: $0), Self.id(of: $0)] }
            if isEmpty { return standing ?? "Nothing happened yet." }
            guard !(locked + items).isEmpty else { return "There is nothing older." }
            return Table.text(locked + items) + options.more("mingle feed", feed.next)
        }
    }

    /// What keeps the person from seeing anything, in a sentence; nil where nothing does.
    private func standing() async throws -> String? {
        let status: API.Status = try await options.client.get(options.path("status"))
        guard let words = status.current?.standing else { return nil }
        return "\(words.prefix(1).uppercased())\(words.dropFirst()): see mingle status."
    }

    private static func words(for locked: API.Locked) -> String {
        let people = locked.unlockers.map { $0.here ? "\($0.name) (here)" : $0.name }.joined(separator: ", ")
        let what = locked.count == 1 ? "locked: its key has" : "\(locked.count) things locked: their key has"
        return "\(what) not come. Any of these can unlock it by being on the network with you: \(people)"
    }

    private static func words(for item: API.FeedItem) -> String {
        switch item.type {
        case "photo": "shared \(item.photo?.name ?? "a photo")"
        case "comment": item.comment.map { "said of the \($0.targetKind) \($0.target): \($0.text)" } ?? "said something"
        case "moment": "made the moment \(item.moment?.title ?? "")"
        case "check_in": "checked in at \(item.moment?.title ?? item.place ?? "a place")"
        default: item.type
        }
    }

    /// What to fave, comment on, report or delete; of a check-in its moment.
    private static func id(of item: API.FeedItem) -> String {
        item.comment?.id ?? item.photo?.id ?? item.moment?.id ?? ""
    }
}
