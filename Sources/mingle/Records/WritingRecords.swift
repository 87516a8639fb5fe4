// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import NIOHTTP1

/// The fields that a command writes.
struct GivenFields: ParsableArguments {
    // Values may begin with a minus.
    @Argument(parsing: .allUnrecognized, help: "FIELD=VALUE …; without a value the field is cleared.")
    var fields: [String] = []
    @Option(help: "Picture file.", completion: .file()) var picture: String?

    /// The body of a request that writes them; a picture is uploaded first.
    func body(for kind: Kind, _ options: ClientOptions) async throws -> [String: API.JSON] {
        var body: [String: API.JSON] = [:]
        // A picture may also be named as files are elsewhere: by a word of its own.
        let files = kind.hasPicture ? fields.filter { !$0.contains("=") } : []
        guard files.count + (picture == nil ? 0 : 1) <= 1 else {
            throw ValidationError("\(kind.article.capitalized) \(kind.noun) has one picture. Name one file.")
        }
        for text in fields where !files.contains(text) {
            let (name, value) = try GivenField.split(text)
            guard let field = kind.writableMembers.first(where: { $0.member == name }) else {
                let names = kind.writableMembers.map(\.member).joined(separator: ", ")
                throw ValidationError(
                    "\(kind.article.capitalized) \(kind.noun) has no field '\(name)'. Its fields: \(names)."
                )
            }
            body[name] = try GivenField.json(value, for: field)
        }
        guard let picture = picture ?? files.first else { return body }
        guard kind.hasPicture else { throw ValidationError("\(kind.article.capitalized) \(kind.noun) has no picture.") }
        let file = try Upload.open(picture)
        defer { try? file.file.close() }
        let data = try await options.client.bytes(
            .POST,
            options.path("pictures"),
            .file(file.file, size: file.size) { _ in }
        )
        body["picture"] = .text(try API.decode(API.Picture.self, from: data).id)
        return body
    }
}

/// Makes a record.
struct AddRecord<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Add \(Name.kind.article) \(Name.kind.noun).",
            discussion: Name.kind.fieldsHelp
        )
    }

    @OptionGroup var options: ClientOptions
    @Option(help: "Id of the record that it is for.") var target: String?
    @OptionGroup var given: GivenFields

    func run() async throws {
        var body = try await given.body(for: Name.kind, options)
        body["target"] = target.map(API.JSON.text)
        let path = options.path(Name.kind.plural)
        let record = try await options.client.send(.POST, path, API.JSON.object(body), as: API.JSON.self)
        try options.show(record) { "Added the \(Name.kind.noun) (\($0["id"]?.text ?? ""))." }
    }
}

/// Changes a record.
struct ChangeRecord<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set",
            abstract: "Change \(Name.kind.article) \(Name.kind.noun).",
            discussion: Name.kind.fieldsHelp
        )
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of the \(Name.kind.noun).") var id: String
    @OptionGroup var given: GivenFields

    func run() async throws {
        let body = API.JSON.object(try await given.body(for: Name.kind, options))
        let path = options.path("\(Name.kind.plural)/\(id)")
        let record = try await options.client.send(.PATCH, path, body, as: API.JSON.self)
        try options.show(record) { _ in "Changed the \(Name.kind.noun)." }
    }
}

/// Sets the person's record on a target.
struct SetRecord<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set",
            abstract: "Set your \(Name.kind.noun).",
            discussion: Name.kind.fieldsHelp
        )
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of what it is for.") var target: String
    @Option(help: "Id of the person whom it is about.") var subject: String?
    @OptionGroup var given: GivenFields

    func run() async throws {
        var body = try await given.body(for: Name.kind, options)
        body["subject"] = subject.map(API.JSON.text)
        let path = options.path("\(Name.kind.plural)/\(target)")
        let record = try await options.client.send(.PUT, path, API.JSON.object(body), as: API.JSON.self)
        try options.show(record) { _ in "Your \(Name.kind.noun) is set." }
    }
}

/// Deletes a record.
struct DeleteRecord<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete",
            abstract: "Delete \(Name.kind.article) \(Name.kind.noun) of yours, on every node."
        )
    }

    @OptionGroup var options: ClientOptions
    @OptionGroup var confirmation: Confirmation
    @Argument(help: "Id of the \(Name.kind.noun).") var id: String

    func run() async throws {
        try await confirmation.ask { "Delete the \(Name.kind.noun) on every node?" }
        try await options.client.perform(.DELETE, options.path("\(Name.kind.plural)/\(id)"))
        try options.showDone("Deleted the \(Name.kind.noun).")
    }
}

/// Takes the person's record on a target back.
struct UnsetRecord<Name: NamedKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "delete", abstract: "Take your \(Name.kind.noun) back.")
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "Id of what it is for.") var target: String

    func run() async throws {
        try await options.client.perform(.DELETE, options.path("\(Name.kind.plural)/\(target)"))
        try options.showDone("Your \(Name.kind.noun) is taken back.")
    }
}
