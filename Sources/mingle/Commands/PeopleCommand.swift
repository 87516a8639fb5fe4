// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import NIOHTTP1

/// The people of the event and their levels.
struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "List or show people, change their level, let them in, remove or mute them.",
        subcommands: [
            List.self, Show.self, Promote.self, Decline.self, Demote.self, Remove.self, Rescue.self, Mute.self,
            Unmute.self,
        ],
        defaultSubcommand: List.self
    )

    /// Lists people.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the people of the event.")
        @OptionGroup var options: ClientOptions
        @Option(help: "Only people with these words in their names, the best 40 first.") var search: String?

        func run() async throws {
            let people: API.Envelope.People = try await options.client.get(options.path("people", ["q": search]))
            try options.show(people) { people in
                Table.text(
                    (people.people + people.relays).map { person in
                        [
                            person.name, person.me ? "you" : person.here ? "here" : "away",
                            person.standing,
                            person.fingerprint, person.muted ? "muted" : "",
                            person.door == true ? "door" : person.byDoor.map { "phone, by \($0)" } ?? "",
                        ]
                    }
                )
            }
        }
    }

    /// Raises a person's level or lets a person in.
    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Raise a person's level, or let in a person who waits or was removed.",
            discussion: """
                Hosts let people in, and appoint attendees and moderators. Moderators can hide posts. The founder \
                appoints hosts and a successor. A successor (co-owner) can appoint hosts, too. Only the founder can \
                change the event's title and settings.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(
            help: "Person, by fingerprint. For --to attendee or guest also by name.",
            completion: Offers.people
        )
        var person: String
        @Option(
            help: """
                New level: successor, host, moderator, attendee (can post) or guest (view only). For a relay that \
                waits or was removed: relay.
                """,
            completion: Offers.levels
        )
        var to: String

        func run() async throws {
            let person = try await options.person(person, for: to)
            try await options.put(person, at: to)
        }
    }

    /// Lowers a person's level.
    struct Demote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lower a person's level.",
            discussion:
                "What the person shared, wrote and hid stays. The founder and hosts can demote people below them."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String
        @Option(
            help: "New level: host, moderator, attendee (can post) or guest (view only).",
            completion: .list(["host", "moderator", "attendee", "guest"])
        )
        var to = "guest"

        func run() async throws {
            let person = try await options.person(person)
            let levels = ["guest", "attendee", "moderator", "host", "successor", "founder"]
            guard let new = levels.firstIndex(of: to) else {
                throw ValidationError("Not a valid level: '\(to)'. Use host, moderator, attendee or guest.")
            }
            guard let old = levels.firstIndex(of: person.level), new < old else {
                throw ValidationError(
                    "\(person.name) has the level \(person.level), which is not above \(to). Choose a lower level."
                )
            }
            try await options.put(person, at: to)
        }
    }

    /// Declines a person who waits for a host.
    struct Decline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decline a person who waits to be let in.",
            discussion: """
                The person is told and sees nothing of the event. No invitation is closed. To let the person in later: \
                mingle people promote FINGERPRINT --to attendee
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

        func run() async throws {
            try await options.put(try await options.person(person), at: API.Person.declined) {
                "Declined \($0.name)."
            }
        }
    }

    /// Removes a person from the event.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a person from the event.",
            discussion: """
                What the person shared stays. New posts of the person reach nobody, and the person can read nothing that \
                is shared later. To let the person in again: mingle people promote FINGERPRINT --to attendee

                Open invitations with which the person could return are closed, including those that others use, such \
                as printed codes. Create a new one with mingle invite --new, or keep them open with --keep-links, for \
                example when you remove a relay or a door.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String
        @Flag(help: "Keep invitations open that the person neither made nor joined with.") var keepLinks = false
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            let person = try await options.person(person)
            try await confirmation.ask {
                "Remove \(person.name) from the event? "
                    + (keepLinks
                        ? "The invitations that the person made or joined with are closed for good."
                        : "The invitations with which the person could return are closed for good, also for others.")
            }
            let id = person.id
            let query = keepLinks ? ["keep_links": "true"] : [:]
            let removed: API.Person = try await options.client.send(.DELETE, options.path("people/\(id)", query))
            try options.show(removed) { person in
                "\(person.name) was removed from the event. "
                    + (keepLinks
                        ? "The invitations that the person made or joined with are closed."
                        : "Open invitations are closed. To create a new one: mingle invite --new")
            }
        }
    }
}

extension ClientOptions {
    fileprivate func put(
        _ person: API.Person,
        at level: String,
        _ phrase: (API.Person) -> String = { "\($0.name) now has the level \($0.level)." }
    ) async throws {
        let changed: API.Person = try await client.send(
            .PUT,
            path("people/\(person.id)/level"),
            API.Envelope.Level(level: level)
        )
        try show(changed, phrase)
    }
}

extension API.Person {
    /// The level, with the time of a removal, or with the level that a waiting person is to get.
    fileprivate var standing: String {
        if let removed { return "\(level) \(When.text(removed))" }
        return invitedTo.map { "\(level), as \($0)" } ?? level
    }
}
