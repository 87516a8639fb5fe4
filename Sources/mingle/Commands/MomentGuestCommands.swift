// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import NIOHTTP1

/// Who is invited to moments, and who sees them.
extension MomentCommand {
    /// Invites people.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invite people to a moment of yours.",
            discussion: "To a private one they get its key, on every device that they have or will have."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String
        @Argument(help: "Whom: names or fingerprints.") var people: [String]

        func run() async throws {
            let guests = API.Envelope.Guests(people: try await options.people(people))
            let path = options.path("moments/\(id)/guests")
            let now: API.Envelope.Participants = try await options.client.send(.POST, path, guests)
            try options.show(now) { Self.words($0) }
        }

        static func words(_ participants: API.Envelope.Participants) -> String {
            guard !participants.invited.isEmpty else { return "Nobody is invited." }
            return Table.text(participants.invited.map { [$0.name, $0.fingerprint, "invited"] })
        }
    }

    /// Takes an invitation back.
    struct Uninvite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take somebody's invitation to a moment of yours back.",
            discussion: """
                What the person posted there so far stays. To a private moment nothing that the person writes from now on \
                counts, and a new key keeps the person from what follows; what the person has seen cannot be taken back.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String
        @Argument(help: "The person: the fingerprint or the name.") var person: String

        func run() async throws {
            let person = try await options.person(person).id
            let path = options.path("moments/\(id)/guests/\(person)")
            let now: API.Envelope.Participants = try await options.client.send(.DELETE, path)
            try options.show(now) { Invite.words($0) }
        }
    }

    /// Makes a moment private.
    struct MakePrivate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-private",
            abstract: "Let only those see a moment of yours whom you invite.",
            discussion: """
                It gets another id. What was posted shows under it, to those whom you invite. What was public until now \
                cannot be taken back: everybody in the event may have seen and kept it.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String
        @Option(name: .customLong("invite"), parsing: .upToNextOption, help: "Whom to invite: names or fingerprints.")
        var guests: [String] = []

        func run() async throws {
            let change = API.Envelope.Visibility(private: true, invite: try await options.people(guests))
            try await options.change(id, change) { moment in
                "\(moment.title) is private now (\(moment.id)). "
                    + "What was public until now may have been seen and kept by everybody in the event."
            }
        }
    }

    /// Makes a moment public.
    struct MakePublic: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-public",
            abstract: "Let everybody in the event see a private moment of yours.",
            discussion: """
                It gets another id. Title, description, time and place become public, and that cannot be taken back. What \
                guests posted while it was private still shows to the guests alone.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String

        func run() async throws {
            try await options.change(id, API.Envelope.Visibility(private: false, invite: nil)) { moment in
                "\(moment.title) is public now (\(moment.id)). "
                    + "What guests posted while it was private still shows to the guests alone."
            }
        }
    }
}

extension ClientOptions {
    /// The ids of people by name or fingerprint.
    func people(_ words: [String]) async throws -> [String] {
        var ids: [String] = []
        for word in words { ids.append(try await person(word).id) }
        return ids
    }

    fileprivate func change(
        _ moment: String,
        _ change: API.Envelope.Visibility,
        _ words: (API.Moment) -> String
    ) async throws {
        let changed: API.Moment = try await client.send(.POST, path("moments/\(moment)/visibility"), change)
        try show(changed, words)
    }
}
