// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import NIOHTTP1

/// People and what they may do.
struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "See who takes part, and say who is a host.",
        subcommands: [List.self, Promote.self],
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
                    people.people.map { person in
                        [
                            person.name, person.me ? "you" : person.here ? "here" : "away", person.level,
                            person.fingerprint,
                        ]
                    }
                )
            }
        }
    }

    /// Puts somebody at a higher level.
    struct Promote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let somebody do more, or let in who waits.",
            discussion:
                "Hosts let others in and make attendees of guests; the founder makes hosts. It cannot be taken back yet."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The person: the fingerprint or the name; for --to host the fingerprint.") var person: String
        @Option(help: "host, attendee (who takes part) or guest (who reads).") var to: String

        func run() async throws {
            let people: API.Envelope.People = try await options.client.get(options.path("people"))
            let id = try find(person, among: people.people).id
            let raised: API.Person = try await options.client.send(
                .PUT,
                options.path("people/\(id)/level"),
                API.Envelope.Level(level: to)
            )
            try options.show(raised) { "\($0.name) takes part as \($0.level) now." }
        }

        /// A fingerprint as it is typed, with or without gaps.
        private static func letters(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }

        private func find(_ word: String, among people: [API.Person]) throws -> API.Person {
            // A name is what its owner chooses, be it another's fingerprint.
            let print = Self.letters(word)
            if let meant = people.first(where: { $0.id == word || Self.letters($0.fingerprint) == print }) {
                return meant
            }
            let found = people.filter { $0.name == word }
            if to == "host", let named = found.first {
                throw ValidationError(
                    "Anybody can be called \(word), and hosts stay hosts. Say the fingerprint: --to host '\(named.fingerprint)'"
                )
            }
            guard let one = found.first else {
                throw API.Problem(.notFound, "There is nobody called \(word) in the event: see mingle people.")
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
    }
}
