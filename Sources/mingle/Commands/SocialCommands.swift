// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import NIOHTTP1

/// Shows or changes the person's profile.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show or change your profile.",
        discussion: "Others see your name and picture. Your last name and e-mail address stay on this node."
    )
    @OptionGroup var options: ClientOptions
    @Option(help: "Your name.") var name: String?
    @Option(help: "Picture file for your profile.", completion: .file()) var picture: String?
    @Option(help: "Your last name. '' removes it.") var lastName: String?
    @Option(help: "Your e-mail address. '' removes it.") var email: String?
    @Option(
        name: .customLong("import"),
        help: "Contact file (vCard 3.0 or 4.0) to take names, e-mail address and picture from.",
        completion: .file(extensions: ["vcf"])
    )
    var card: String?

    func validate() throws {
        guard card == nil || name == nil && picture == nil && lastName == nil && email == nil else {
            throw ValidationError("--import takes everything from the file. Omit the other options.")
        }
    }

    func run() async throws {
        if let card { return try await take(card) }
        if lastName != nil || email != nil {
            let contact = try await keep(API.Envelope.ContactChange(lastName: lastName, email: email))
            if name == nil, picture == nil {
                return try options.show(contact) {
                    $0.words ?? "This node has neither a last name nor an address of you."
                }
            }
        }
        // Opens the picture first: if that fails, the name does not change either.
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
                return "You are \(person.name.onTerminal())."
                    + (isKept ? " Others see your name when a host lets you in." : "")
            }
        }
        let status: API.Status = try await options.client.get(options.path("status"))
        let contact: API.Contact = try await options.client.get(options.path("profile"))
        let profile = Profile(
            person: status.person,
            name: status.name,
            lastName: contact.lastName,
            email: contact.email
        )
        try options.show(profile) {
            let name = $0.name.map { "You are \($0.onTerminal())." }
            return (name ?? "You have no name yet. To set it: mingle profile --name NAME")
                + (contact.words.map { "\n\($0)" } ?? "")
        }
    }

    /// Takes over what a contact file says.
    private func take(_ path: String) async throws {
        let upload = try Upload.open(path)
        defer { try? upload.file.close() }
        let body = NodeClient.Body.file(upload.file, size: upload.size) { _ in }
        let read = try await options.client.bytes(.POST, options.path("profile/card"), body)
        let card = try API.decode(API.Card.self, from: read)
        if card.lastName != nil || card.email != nil {
            _ = try await keep(API.Envelope.ContactChange(lastName: card.lastName, email: card.email))
        }
        if let name = card.name { _ = try await say(name) }
        if let picture = card.picture.flatMap({ Data(base64Encoded: $0) }) {
            _ = try await options.client.bytes(.PUT, options.path("profile/picture"), .bytes([UInt8](picture)))
        }
        try options.show(card) { card in
            let found = [
                card.name.map { "name \($0.onTerminal())" }, card.lastName.map { "last name \($0.onTerminal())" },
                card.email.map { "e-mail address \($0.onTerminal())" }, card.picture.map { _ in "picture" },
            ]
            return "Imported: \(found.compactMap(\.self).joined(separator: ", "))."
        }
    }

    private func keep(_ change: API.Envelope.ContactChange) async throws -> API.Contact {
        try await options.client.send(.PATCH, options.path("profile"), change)
    }

    private func say(_ name: String) async throws -> API.Person {
        try await options.client.send(.PUT, options.path("profile"), API.Envelope.Name(name: name))
    }

    /// The profile as JSON.
    private struct Profile: Encodable {
        let person: String?
        let name: String?
        let lastName: String?
        let email: String?
    }
}

extension API.Contact {
    /// What it says, as a line; nil: nothing.
    fileprivate var words: String? {
        let name = lastName.map { "last name \($0.onTerminal())" }
        let parts = [name, email.map { "e-mail address \($0.onTerminal())" }]
        let said = parts.compactMap(\.self)
        return said.isEmpty ? nil : "Only on this node: \(said.joined(separator: ", "))."
    }
}

/// Comments on a photo or a moment.
struct CommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment",
        abstract: "Comment on a photo or a moment, list its comments, or delete one of yours.",
        discussion: """
            Without a text, this lists the comments. Put -- before a text that begins with a dash: mingle comment ID \
            -- '-5 degrees'
            """
    )
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions
    @Argument(help: "Id of the photo or moment. With --delete, id of the comment.", completion: Offers.everything)
    var id: String
    @Argument(help: "Text of the comment.") var text: String?
    @Flag(help: "Delete your comment with this id, on every node.") var delete = false
    @OptionGroup var confirmation: Confirmation

    func validate() throws {
        guard !delete || text == nil else { throw ValidationError("--delete takes the id of a comment and no text.") }
        guard page.before == nil || (text == nil && !delete) else {
            throw ValidationError("--before is for listing comments. Omit the text and --delete.")
        }
    }

    func run() async throws {
        if delete {
            try await confirmation.ask { "Delete the comment on every node?" }
            try await options.client.perform(.DELETE, options.path("comments/\(id)"))
            return try options.showDone("Deleted the comment.")
        }
        if let text {
            let new = API.NewComment(target: id, text: text)
            let comment: API.Comment = try await options.client.send(.POST, options.path("comments"), new)
            try options.show(comment) { "Commented (\($0.id))." }
        } else {
            let comments: API.Envelope.Comments = try await options.client.get(
                options.path("comments", ["target": id, "before": page.before])
            )
            try options.show(comments) { comments in
                guard !comments.comments.isEmpty else {
                    return page.before == nil
                        ? "No comments yet. Add one: mingle comment \(id) TEXT" : "No older comments."
                }
                let lines = comments.comments.reversed().map { comment in
                    [When.text(comment.posted), comment.author.name, comment.text ?? "(a picture)", comment.id]
                }
                return Table.text(lines)
                    + options.more("mingle comment \(id)", comments.next)
            }
        }
    }
}

/// Faves a photo or a moment.
struct FaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fave",
        abstract: "Show that you like a photo or a moment."
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of the photo or moment.", completion: Offers.posts) var id: String
    @Flag(help: "Remove your fave.") var off = false

    func run() async throws {
        let faves: API.Faves = try await options.client.send(off ? .DELETE : .PUT, options.path("faves/\(id)"))
        try options.show(faves) { "\($0.faves.counted("fave"))." }
    }
}
