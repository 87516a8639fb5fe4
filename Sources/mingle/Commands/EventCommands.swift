// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import MingleWeb
import NIOHTTP1

/// Events of this node.
struct EventCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Start an event, list yours, or leave one.",
        subcommands: [Create.self, List.self, Use.self, Leave.self]
    )

    /// Starts an event.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Start an event.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "What the event is called.") var title: String

        func run() async throws {
            let event: API.Event = try await options.client.send(.POST, "events", API.Envelope.Title(title: title))
            try options.show(event) { "Started \($0.title) (\($0.id)).\nInvite people with: mingle invite" }
        }
    }

    /// Lists events.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the events of this node.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Events = try await options.client.get("events")
            try options.show(list) { list in
                guard !list.events.isEmpty else {
                    return "No events yet. Start one with: mingle event create TITLE, or join one: mingle join LINK"
                }
                return Table.text(
                    list.events.map { event in
                        [
                            event.current ? "*" : " ", event.title, "\(event.people) people", "\(event.photos) photos",
                            event.id,
                        ]
                    }
                )
            }
        }
    }

    /// Makes an event the current one.
    struct Use: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make an event the current one.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The event's id.") var id: String

        func run() async throws {
            let event: API.Event = try await options.client.send(
                .PUT,
                "events/current",
                API.Envelope.Identifier(id: id)
            )
            try options.show(event) { "\($0.title) is the current event now." }
        }
    }

    /// Leaves an event.
    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave an event: this node's copy is deleted; what you shared stays with the others."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The event's id.") var id: String
        @Option(help: "The event's title again, to be sure; its id if it could not be opened.") var confirm: String?

        func run() async throws {
            let title = try await title()
            guard confirm == title else {
                throw ValidationError(
                    "Leaving deletes this node's copy of \(title). Say --confirm '\(title)' to do it."
                )
            }
            try await options.client.perform(.DELETE, "events/\(id)")
            try options.showDone("Left \(title); its folder is deleted.")
        }

        /// The event's title; its id if it could not be opened.
        private func title() async throws -> String {
            let status: API.Status = try await options.client.get("status")
            if let event = status.events.first(where: { $0.id == id }) { return event.title }
            guard status.unopened.contains(id) else {
                throw API.Problem(.notFound, "This node takes part in no event with the id \(id).")
            }
            return id
        }
    }
}

/// Joins an event.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join an event by its invitation; '-' reads the link from standard input."
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The link.") var link: String

    func run() async throws {
        let text = link == "-" ? readLine() ?? "" : link
        if !options.json { FileHandle.standardError.write(Data("Looking for somebody of the event…\n".utf8)) }
        let event: API.Event = try await options.client.send(.POST, "join", API.Envelope.Link(link: text))
        let status: API.Status = try await options.client.get("status")
        try options.show(event) { event in
            if event.level == API.Person.waiting {
                return "You wait to be let in.\n" + status.warnings.joined(separator: "\n")
            }
            return status.name == nil
                ? "Joined \(event.title).\nSay who you are with: mingle profile --name NAME" : "Joined \(event.title)."
        }
    }
}
