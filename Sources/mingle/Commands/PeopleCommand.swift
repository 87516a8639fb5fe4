// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleModel
import MingleNode
import NIOHTTP1

/// People and what they may do.
struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "See who takes part, say who is a host, and remove people.",
        subcommands: [
            List.self, Promote.self, Decline.self, Demote.self, Remove.self, Rescue.self, Mute.self, Unmute.self,
        ],
        defaultSubcommand: List.self
    )

    /// Lists people.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "See who takes part.")
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

    /// Puts somebody at another level.
    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let somebody do more, or let in who waits or was removed.",
            discussion: """
                Hosts let others in, and make attendees and moderators, who hide what should not be seen. The founder makes \
                hosts, and names a successor, who decides about hosts as the founder does; the event's title and settings stay \
                the founder's.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint; for --to attendee or guest the name will do.") var person: String
        @Option(
            help: """
                successor, host, moderator, attendee (who takes part) or guest (who reads); relay for one that waits, or was \
                removed.
                """
        )
        var to: String

        func run() async throws {
            let person = try await options.person(person, for: to)
            try await options.put(person, at: to)
        }
    }

    /// Puts somebody at a lower level.
    struct Demote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let somebody do less from now on.",
            discussion: "What the person shared, said and hid before stays. Founder and hosts do, to those below them."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name.") var person: String
        @Option(help: "host, moderator, attendee (who takes part) or guest (who reads).") var to = "guest"

        func run() async throws {
            let person = try await options.person(person)
            let levels = ["guest", "attendee", "moderator", "host", "successor", "founder"]
            guard let new = levels.firstIndex(of: to) else {
                throw ValidationError("'\(to)' is no level to put somebody at: host, moderator, attendee or guest.")
            }
            guard let old = levels.firstIndex(of: person.level), new < old else {
                throw ValidationError("\(person.name) is at the level \(person.level), which is not above \(to).")
            }
            try await options.put(person, at: to)
        }
    }

    /// Keeps out somebody who waits to be let in.
    struct Decline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Do not let somebody in who waits for that.",
            discussion: """
                The person learns of it and sees nothing of the event; no link is closed. To let the person in all the same: mingle \
                people promote FINGERPRINT --to attendee.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name.") var person: String

        func run() async throws {
            try await options.put(try await options.person(person), at: API.Person.declined) {
                "\($0.name) was not let in."
            }
        }
    }

    /// Takes somebody out of the event.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take somebody out of the event.",
            discussion: """
                What the person shared stays. What the person writes from now on reaches nobody, a new key shuts the \
                person out of all that follows, and the open links are closed by which the person could come back, so also those \
                of many uses that others come by, as on printed codes: make a new one with mingle invite, or keep these open with \
                --keep-links, as for a relay or a showcase that goes. To undo it: mingle people promote FINGERPRINT --to attendee.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name.") var person: String
        @Flag(help: "Keep open the links of many uses that the person neither made nor came by.") var keepLinks = false

        func run() async throws {
            let id = try await options.person(person).id
            let query = keepLinks ? ["keep_links": "true"] : [:]
            let removed: API.Person = try await options.client.send(.DELETE, options.path("people/\(id)", query))
            try options.show(removed) { person in
                "\(person.name) was removed from the event. "
                    + (keepLinks
                        ? "The links that the person made or came by are closed."
                        : "The open links by which people come back are closed; make a new one: mingle invite --new")
            }
        }
    }
}

extension PeopleCommand {
    /// Lets more count of what somebody wrote who was removed.
    struct Rescue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep what somebody who was removed had shared before, and what came here only afterwards.",
            discussion: """
                A removal cuts behind what your node held by then; what the person had shared and nobody had brought you yet counts \
                for nothing. All that is dated up to the time you say counts then, as far as it is here, of the devices that you knew \
                of, and the person stays out. Dates are what the person's devices said, so look with --preview first: it cannot be \
                taken back, but what should not be seen can be hidden (mingle moderation hide). Pictures that nobody else had \
                fetched yet do not come any more.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name.") var person: String
        @Option(
            help: "Up to when: 18:00 (today), '2026-06-20 18:00'. Best the time of the removal: see mingle people."
        )
        var until: String
        @Flag(help: "Only say what would be seen.") var preview = false

        func run() async throws {
            let id = try await options.person(person).id
            let body = API.Envelope.Until(until: try When.date(until))
            let path = options.path("people/\(id)/rescue", ["preview": preview ? "true" : nil])
            let rescued: API.Envelope.Rescue = try await options.client.send(.POST, path, body)
            try options.show(rescued) { rescued in
                let what =
                    "\(Self.text(rescued.records)) that \(rescued.person.name) dated up to \(When.text(body.until))"
                return preview ? "Would be seen: \(what)." : "Everybody sees now: \(what)."
            }
        }

        /// Records as people count them: "2 photos, 1 comment".
        private static func text(_ records: [String: Int]) -> String {
            let counts = records.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\($0.value == 1 ? "" : "s")" }
            return counts.isEmpty
                ? "no photo, comment or moment, but what else was said" : counts.joined(separator: ", ")
        }
    }

    /// Leaves somebody out of one's lists.
    struct Mute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "See no more of what somebody shares and says.",
            discussion: "Only your node knows, and only on this device. Others see what the person shares as before."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name.") var person: String

        func run() async throws {
            let id = try await options.person(person).id
            let muted: API.Person = try await options.client.send(.PUT, options.path("people/\(id)/muted"))
            try options.show(muted) { "\($0.name) is muted. To undo it: mingle people unmute '\($0.fingerprint)'" }
        }
    }

    /// Shows somebody again.
    struct Unmute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "See again what somebody shares and says.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name.") var person: String

        func run() async throws {
            let id = try await options.person(person).id
            let shown: API.Person = try await options.client.send(.DELETE, options.path("people/\(id)/muted"))
            try options.show(shown) { "You see again what \($0.name) shares." }
        }
    }
}

extension ClientOptions {
    /// The person of a fingerprint, or of a name that only one bears.
    ///
    /// - Parameter level: What the person is to become; for more than an attendee a name alone is not enough, as anybody can
    ///   take one.
    func person(_ word: String, for level: String? = nil) async throws -> API.Person {
        let people: API.Envelope.People = try await client.get(path("people"))
        // A name is what its owner chooses, be it another's fingerprint.
        let print = Self.letters(word)
        let everybody = people.people + people.relays
        if let meant = everybody.first(where: { $0.id == word || Self.letters($0.fingerprint) == print }) {
            return meant
        }
        let found = everybody.filter { $0.name.visible == word.visible }
        if let level, ["successor", "host", "moderator"].contains(level), let named = found.first {
            throw ValidationError(
                "Anybody can be called \(word), and a \(level) decides about others. Say the fingerprint: "
                    + "--to \(level) '\(named.fingerprint)'"
            )
        }
        guard let one = found.first else {
            throw API.Problem(
                .notFound,
                "There is nobody called \(word) in the event: see mingle people. A fingerprint names anybody."
            )
        }
        guard found.count == 1 else {
            let prints = found.map(\.fingerprint).joined(separator: ", ")
            throw API.Problem(
                .conflict,
                "\(found.count) people are called \(word). Say whom you mean by fingerprint: \(prints)."
            )
        }
        return one
    }

    fileprivate func put(
        _ person: API.Person,
        at level: String,
        _ phrase: (API.Person) -> String = { "\($0.name) takes part as \($0.level) now." }
    ) async throws {
        let changed: API.Person = try await client.send(
            .PUT,
            path("people/\(person.id)/level"),
            API.Envelope.Level(level: level)
        )
        try show(changed, phrase)
    }

    /// A fingerprint as it is typed, with or without gaps.
    private static func letters(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }
}

extension API.Person {
    /// The level, with when somebody was removed, or what somebody who waits is to become if that is known.
    fileprivate var standing: String {
        if let removed { return "\(level) \(When.text(removed))" }
        return invitedTo.map { "\(level), as \($0)" } ?? level
    }
}
