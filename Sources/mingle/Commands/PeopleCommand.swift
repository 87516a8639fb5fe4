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
        abstract: "List people, change their level, let them in, remove or mute them.",
        subcommands: [
            List.self, Promote.self, Decline.self, Demote.self, Remove.self, Rescue.self, Mute.self, Unmute.self,
        ],
        defaultSubcommand: List.self
    )

    /// Lists people.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the people of the event.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let people: API.Envelope.People = try await options.client.get(options.path("people"))
            try options.show(people) { people in
                Table.text(
                    (people.people + people.relays).map { person in
                        [
                            person.name, person.me ? "you" : person.here ? "here" : "away",
                            person.standing,
                            person.fingerprint, person.muted ? "muted" : "",
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
        @Argument(help: "Person, by fingerprint. For --to attendee or guest also by name.") var person: String
        @Option(
            help: """
                New level: successor, host, moderator, attendee (can post) or guest (view only). For a relay that \
                waits or was removed: relay.
                """
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
        @Argument(help: "Person, by fingerprint or name.") var person: String
        @Option(help: "New level: host, moderator, attendee (can post) or guest (view only).") var to = "guest"

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
        @Argument(help: "Person, by fingerprint or name.") var person: String

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
                What the person shared stays. New posts of the person reach nobody, and a new key shuts the person out \
                of what follows. To undo this: mingle people promote FINGERPRINT --to attendee

                Open invitations with which the person could return are closed, including those that others use, such \
                as printed codes. Create a new one with mingle invite --new, or keep them open with --keep-links, for \
                example when you remove a relay or a showcase.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.") var person: String
        @Flag(help: "Keep invitations open that the person neither made nor joined with.") var keepLinks = false

        func run() async throws {
            let id = try await options.person(person).id
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

extension PeopleCommand {
    /// Restores posts that a removed person had shared before the removal.
    struct Rescue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore posts that a removed person had shared before the removal.",
            discussion: """
                A removal keeps what your node had by then. Earlier posts that reach your node only later are ignored. \
                This command restores those that are dated up to the given time, are on your node now, and come from \
                devices that it knew. The person stays removed.

                Dates come from the person's devices, so check with --preview first. This cannot be undone, but posts \
                can be hidden: mingle moderation hide. Pictures that no other node had fetched are lost.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.") var person: String
        @Option(
            help: "Latest date of the posts: 18:00 (today) or '2026-06-20 18:00'. Best: when the person was removed."
        )
        var until: String
        @Flag(help: "Only show what would be restored.") var preview = false

        func run() async throws {
            let id = try await options.person(person).id
            let body = API.Envelope.Until(until: try When.date(until))
            let path = options.path("people/\(id)/rescue", ["preview": preview ? "true" : nil])
            let rescued: API.Envelope.Rescue = try await options.client.send(.POST, path, body)
            try options.show(rescued) { rescued in
                let what =
                    "\(Self.text(rescued.records)) of \(rescued.person.name), dated up to \(When.text(body.until))"
                return preview ? "Would restore \(what)." : "Restored \(what)."
            }
        }

        /// Counts of records as text: "2 photos, 1 comment".
        private static func text(_ records: [String: Int]) -> String {
            let counts = records.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\($0.value == 1 ? "" : "s")" }
            return counts.isEmpty
                ? "no photo, comment or moment, but other changes" : counts.joined(separator: ", ")
        }
    }

    /// Hides a person's posts on this device.
    struct Mute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop seeing a person's posts.",
            discussion: "Only this device knows. Other people still see the person's posts."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.") var person: String

        func run() async throws {
            let id = try await options.person(person).id
            let muted: API.Person = try await options.client.send(.PUT, options.path("people/\(id)/muted"))
            try options.show(muted) { "Muted \($0.name). To undo this: mingle people unmute '\($0.fingerprint)'" }
        }
    }

    /// Shows a muted person's posts again.
    struct Unmute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "See a muted person's posts again.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.") var person: String

        func run() async throws {
            let id = try await options.person(person).id
            let shown: API.Person = try await options.client.send(.DELETE, options.path("people/\(id)/muted"))
            try options.show(shown) { "Unmuted \($0.name)." }
        }
    }
}

extension ClientOptions {
    /// The person with a fingerprint, an id or a unique name.
    ///
    /// - Parameter level: The person's new level. Above attendee, a name is refused: anybody can take any name.
    func person(_ word: String, for level: String? = nil) async throws -> API.Person {
        let people: API.Envelope.People = try await client.get(path("people"))
        // Fingerprints come first: a person may choose another's fingerprint as a name.
        let print = Self.letters(word)
        let everybody = people.people + people.relays
        if let meant = everybody.first(where: { $0.id == word || Self.letters($0.fingerprint) == print }) {
            return meant
        }
        let found = everybody.filter { $0.name.visible == word.visible }
        if let level, ["successor", "host", "moderator"].contains(level), let named = found.first {
            throw ValidationError(
                "Anybody can take the name \(word), and a \(level) has power over others. Use the fingerprint: "
                    + "--to \(level) '\(named.fingerprint)'"
            )
        }
        guard let one = found.first else {
            throw API.Problem(
                .notFound,
                "No person in the event has the name or fingerprint \(word). To list all people: mingle people"
            )
        }
        guard found.count == 1 else {
            let prints = found.map(\.fingerprint).joined(separator: ", ")
            throw API.Problem(
                .conflict,
                "\(found.count) people have the name \(word). Use a fingerprint: \(prints)."
            )
        }
        return one
    }

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

    /// A fingerprint in lower case, without spaces.
    private static func letters(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
}

extension API.Person {
    /// The level, with the time of a removal, or with the level that a waiting person is to get.
    fileprivate var standing: String {
        if let removed { return "\(level) \(When.text(removed))" }
        return invitedTo.map { "\(level), as \($0)" } ?? level
    }
}
