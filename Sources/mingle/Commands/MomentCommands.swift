// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import NIOHTTP1

/// Moments of the event.
struct MomentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moment",
        abstract: "Make moments, see and change them, invite to them, join them and check in.",
        subcommands: [
            Create.self, List.self, Show.self, Change.self, Invite.self, Uninvite.self, MakePrivate.self,
            MakePublic.self, Join.self, Ignore.self, CheckIn.self, Delete.self,
        ]
    )

    /// Makes a moment.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a moment.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "What it is called.") var title: String
        @Option(help: "What it is about.") var description: String?
        @Option(help: "When it starts: 18:00, '2026-06-20 18:00', now, +2h.") var start = "now"
        @Option(help: "When it ends, as the start, but +2h counts from the start; two hours after it if left out.")
        var end: String?
        @Option(help: "Where it is.") var place: String
        // Half the world's latitudes begin with a minus.
        @Option(
            name: .customLong("at"),
            parsing: .unconditional,
            help: "The place's position as LATITUDE,LONGITUDE in degrees."
        )
        var position: String
        @Option(help: "Metres around the position that belong to the place.") var radius = 100
        @Flag(name: .customLong("private"), help: "Let only those see it whom you invite.") var isPrivate = false
        @Option(
            name: .customLong("invite"),
            parsing: .upToNextOption,
            help: "Whom to invite to a private one: names or fingerprints."
        )
        var guests: [String] = []

        func validate() throws {
            // Whoever names guests may well mean them alone, and what was once public cannot be taken back.
            guard isPrivate || guests.isEmpty else {
                throw ValidationError(
                    "--invite is for a private moment: add --private, or invite to a public one once it is made (mingle moment "
                        + "invite)."
                )
            }
        }

        func run() async throws {
            let start = try When.date(self.start)
            var new = API.NewMoment()
            new.title = title
            new.description = description
            new.start = start
            new.end = try end.map { try When.date($0, since: start) } ?? start.addingTimeInterval(7200)
            let (latitude, longitude) = try Degrees.pair(position)
            new.place = API.Place(name: place, latitude: latitude, longitude: longitude, radiusM: radius)
            new.private = isPrivate
            new.invite = try await options.people(guests)
            let moment: API.Moment = try await options.client.send(.POST, options.path("moments"), new)
            let advice = "\nInvite people with: mingle moment invite \(moment.id) NAME"
            try options.show(moment) { moment in
                let next =
                    moment.end <= Date()
                    ? "It is over already. Change when it is: mingle moment set \(moment.id) --start TIME --end TIME"
                    : "Join it with: mingle moment join \(moment.id)"
                return "Made \(moment.title) (\(moment.id)).\n\(next)"
                    + (moment.private && guests.isEmpty ? advice : "")
            }
        }
    }

    /// Lists moments.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the event's moments.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Moments = try await options.client.get(options.path("moments"))
            try options.show(list) { list in
                guard !list.moments.isEmpty else {
                    return
                        "No moments yet. Make one with: mingle moment create TITLE --place NAME --at LATITUDE,LONGITUDE"
                }
                return Table.text(
                    list.moments.map { moment in
                        [
                            moment.title, moment.private ? "private" : "public", When.text(moment.start),
                            moment.status, moment.standing.map { "you: \($0)" } ?? "", moment.place.name,
                            "\(moment.joined) joined", "\(moment.photos) photos", moment.id,
                        ]
                    }
                )
            }
        }
    }

    /// Shows a moment.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a moment.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String

        func run() async throws {
            let moment: API.Moment = try await options.client.get(options.path("moments/\(id)"))
            try options.show(moment) { moment in
                Table.text([
                    ["title", moment.title], ["about", moment.description], ["by", moment.author.name],
                    ["from", When.text(moment.start)], ["to", When.text(moment.end)], ["status", moment.status],
                    ["place", "\(moment.place.name), within \(moment.place.radiusM) m"],
                    ["for", moment.private ? "those who are invited" : "everybody in the event"],
                    ["joined", "\(moment.joined), of them checked in: \(moment.checkedIn)"],
                    ["photos", "\(moment.photos)"],
                    ["you", moment.standing ?? "not joined"],
                ])
            }
        }
    }

    /// Joins a moment.
    struct Join: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say that you will come.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String

        func run() async throws {
            let moment: API.Moment = try await options.client.send(.POST, options.path("moments/\(id)/join"))
            try options.show(moment) { "You joined \($0.title)." }
        }
    }

    /// Ignores the invitation to a moment.
    struct Ignore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave an invitation at that; you can still join later."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String

        func run() async throws {
            let moment: API.Moment = try await options.client.send(.POST, options.path("moments/\(id)/ignore"))
            try options.show(moment) { "You ignored the invitation to \($0.title)." }
        }
    }

    /// Checks in at a moment.
    struct CheckIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-in",
            abstract: "Say that you are there, while the moment is going on."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String
        @Option(
            name: .customLong("at"),
            parsing: .unconditional,
            help: "Where you are, as LATITUDE,LONGITUDE; at the place itself if left out."
        )
        var position: String?

        func run() async throws {
            let moment: API.Moment = try await options.client.get(options.path("moments/\(id)"))
            let (latitude, longitude) =
                try position.map { try Degrees.pair($0) } ?? (moment.place.latitude, moment.place.longitude)
            let position = API.Envelope.Position(latitude: latitude, longitude: longitude, accuracyM: nil)
            let after: API.Moment = try await options.client.send(
                .POST,
                options.path("moments/\(id)/check-in"),
                position
            )
            try options.show(after) { "You checked in at \($0.title)." }
        }
    }

    /// Deletes a moment.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a moment of yours, everywhere.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The moment's id.") var id: String

        func run() async throws {
            try await options.client.perform(.DELETE, options.path("moments/\(id)"))
            try options.showDone("Deleted the moment.")
        }
    }
}

/// Reads positions.
enum Degrees {
    /// Latitude and longitude in `52.52,13.40`.
    static func pair(_ text: String) throws -> (Double, Double) {
        let parts = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], latitude.isFinite, longitude.isFinite
        else {
            throw ValidationError("'\(text)' is no position: write LATITUDE,LONGITUDE in degrees, such as 52.52,13.40.")
        }
        return (latitude, longitude)
    }
}

extension API.Moment {
    /// How far this node's person takes part, or whether the person is invited; nil if neither.
    fileprivate var standing: String? { participation ?? (invited ? "invited" : nil) }
}
