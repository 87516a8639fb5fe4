// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

/// Commands for the guests and the visibility of moments.
extension MomentCommand {
    /// Invites people.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invite people to one of your moments.",
            discussion: "Guests of a private moment see it on all their devices, also on those that they add later."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Argument(help: "People to invite: names or fingerprints.", completion: Offers.people) var people: [String]

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

    /// Withdraws an invitation.
    struct Uninvite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw a person's invitation to one of your moments.",
            discussion: """
                What the person posted there stays. In a private moment, later posts of the person are ignored, and \
                the person can read nothing that is posted later. What the person has already seen cannot be taken back.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

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
            abstract: "Show one of your moments only to the people whom you invite.",
            discussion: """
                The moment gets a new id. The people whom you invite see the earlier posts under that id. What was \
                public cannot be taken back: everybody in the event may have seen and saved it.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Option(
            name: .customLong("invite"),
            parsing: .upToNextOption,
            help: "People to invite: names or fingerprints.",
            completion: Offers.people
        )
        var guests: [String] = []

        func run() async throws {
            let change = API.Envelope.Visibility(private: true, invite: try await options.people(guests))
            try await options.change(id, change) { moment in
                "\(moment.title) is now private (\(moment.id)). "
                    + "Everybody in the event may have seen and saved what was public."
            }
        }
    }

    /// Makes a moment public.
    struct MakePublic: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-public",
            abstract: "Show one of your private moments to everybody in the event.",
            discussion: """
                The moment gets a new id. Its title, description, time and place become public. This cannot be undone. \
                What guests posted while it was private stays visible to the guests only.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            try await confirmation.ask {
                let moment: API.Moment = try await options.client.get(options.path("moments/\(id)"))
                return
                    "Show \(API.subject("moment", of: moment.author, named: moment.title)) to everybody in the event?"
            }
            try await options.change(id, API.Envelope.Visibility(private: false, invite: nil)) { moment in
                "\(moment.title) is now public (\(moment.id)). "
                    + "What guests posted while it was private stays visible to the guests only."
            }
        }
    }
}

extension ClientOptions {
    /// The ids of people, given by name or fingerprint.
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
