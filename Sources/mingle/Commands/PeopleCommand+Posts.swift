// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleNode
import NIOHTTP1

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
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String
        @Option(
            parsing: .unconditional,
            help: """
                Latest date of the posts: 18:00 (today), '2026-06-20 18:00', now or -2h. Best: when the person was removed.
                """
        )
        var until: String
        @Flag(help: "Only show what would be restored.") var preview = false
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            let person = try await options.person(person)
            let id = person.id
            let body = API.Envelope.Until(until: try When.date(until))
            if !preview {
                try await confirmation.ask {
                    "Show everybody what \(person.name) shared up to \(When.text(body.until))? You can hide posts later."
                }
            }
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
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

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
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

        func run() async throws {
            let id = try await options.person(person).id
            let shown: API.Person = try await options.client.send(.DELETE, options.path("people/\(id)/muted"))
            try options.show(shown) { "Unmuted \($0.name)." }
        }
    }
}
