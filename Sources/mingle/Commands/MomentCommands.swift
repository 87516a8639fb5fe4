// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import NIOHTTP1

/// The event's moments.
struct MomentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moment",
        abstract: "Create, list or change moments, invite people, join or check in.",
        subcommands: [
            Create.self, List.self, Show.self, Change.self, Cover.self, Calendar.self, Invite.self, Uninvite.self,
            MakePrivate.self, MakePublic.self, Join.self, Ignore.self, CheckIn.self, Delete.self,
        ]
    )

    /// Creates a moment.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a moment, which you join at once. A title or a place is enough.",
            discussion: "Without times it starts now and lasts two hours."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Title of the moment. Default: the name of its place.") var title: String?
        @Option(help: "Description of the moment.") var description: String?
        @Option(parsing: .unconditional, help: "Start: 18:00, '2026-06-20 18:00', now, +2h or -30m.") var start = "now"
        @Option(
            parsing: .unconditional,
            help: "End, written like the start. +2h counts from the start, -30m from now. Default: +2h."
        )
        var end: String?
        @Option(help: "Place: the id of one of the event's places, or a name.") var place: String?
        // Southern latitudes begin with a minus.
        @Option(
            name: .customLong("at"),
            parsing: .unconditional,
            help: "Position of the place, as LATITUDE,LONGITUDE in degrees."
        )
        var position: String?
        @Option(help: "Radius of the place, in metres: people check in within it. Default with --at: 100.")
        var radius: Int?
        @Option(name: .customLong("category"), help: "Id of a category, up to three times.") var categories: [String] =
            []
        @Flag(name: .customLong("private"), help: "Show it only to the people whom you invite.") var isPrivate = false
        @Option(
            name: .customLong("invite"),
            parsing: .upToNextOption,
            help: "People to invite to a private moment: names or fingerprints.",
            completion: Offers.people
        )
        var guests: [String] = []

        func validate() throws {
            guard title != nil || place != nil else {
                throw ValidationError("Give a title or a place: mingle moment create TITLE, or --place NAME")
            }
            guard radius == nil || position != nil else {
                throw ValidationError("--radius needs a position. Add --at LATITUDE,LONGITUDE.")
            }
            // Naming guests suggests a private moment, and a public one cannot be taken back.
            guard isPrivate || guests.isEmpty else {
                throw ValidationError(
                    "--invite is for private moments. Add --private, or create the moment and then invite people: "
                        + "mingle moment invite ID NAME"
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
            new.place = try newPlace
            if !categories.isEmpty { new.categories = categories }
            new.private = isPrivate
            new.invite = try await options.people(guests)
            let moment: API.Moment = try await options.client.send(.POST, options.path("moments"), new)
            let advice = "\nTo invite people: mingle moment invite \(moment.id) NAME"
            try options.show(moment) { moment in
                let next =
                    moment.end <= Date()
                    ? "It is already over. To change the time: mingle moment set \(moment.id) --start TIME --end TIME"
                    : "You joined it."
                return "Created \(moment.title) (\(moment.id)).\n\(next)"
                    + (moment.private && guests.isEmpty ? advice : "")
            }
        }
    }

    /// Shows a moment.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a moment.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String

        func run() async throws {
            let moment: API.Moment = try await options.client.get(options.path("moments/\(id)"))
            try options.show(moment) { moment in
                Table.text([
                    ["title", moment.title], ["description", moment.description], ["author", moment.author.name],
                    ["start", When.text(moment.start)], ["end", When.text(moment.end)], ["status", moment.status],
                    ["place", moment.place.name + (moment.place.radiusM.map { ", within \($0) m" } ?? "")],
                    ["visible to", moment.private ? "invited people" : "everybody in the event"],
                    ["joined", "\(moment.joined), \(moment.checkedIn) checked in"],
                    ["photos", "\(moment.photos)"],
                    ["you", moment.standing ?? "not joined"],
                ])
            }
        }
    }

    /// Joins a moment.
    struct Join: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Join a moment: say that you take part.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String

        func run() async throws {
            let moment: API.Moment = try await options.client.send(.POST, options.path("moments/\(id)/join"))
            try options.show(moment) { "You joined \($0.title)." }
        }
    }

    /// Ignores an invitation to a moment.
    struct Ignore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ignore an invitation to a moment. You can still join later."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String

        func run() async throws {
            let moment: API.Moment = try await options.client.send(.POST, options.path("moments/\(id)/ignore"))
            try options.show(moment) { "You ignored the invitation to \($0.title)." }
        }
    }

    /// Checks in at a moment.
    struct CheckIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-in",
            abstract: "Check in at a moment while it is running."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @Option(
            name: .customLong("at"),
            parsing: .unconditional,
            help: "Your position, as LATITUDE,LONGITUDE. Default: the position of the moment."
        )
        var position: String?

        func run() async throws {
            let moment: API.Moment = try await options.client.get(options.path("moments/\(id)"))
            let position = try position.map { try Degrees.pair($0) } ?? moment.place.position
            guard let (latitude, longitude) = position else {
                throw ValidationError("The moment has no position. Give yours with --at LATITUDE,LONGITUDE.")
            }
            let here = API.Envelope.Position(latitude: latitude, longitude: longitude, accuracyM: nil)
            let after: API.Moment = try await options.client.send(
                .POST,
                options.path("moments/\(id)/check-in"),
                here
            )
            try options.show(after) { "You checked in at \($0.title)." }
        }
    }

    /// Deletes a moment.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete one of your moments, on every node.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the moment.", completion: Offers.moments) var id: String
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            try await confirmation.ask {
                let moment: API.Moment = try await options.client.get(options.path("moments/\(id)"))
                return "Delete \(API.subject("moment", of: moment.author, named: moment.title)) on every node?"
            }
            try await options.client.perform(.DELETE, options.path("moments/\(id)"))
            try options.showDone("Deleted the moment.")
        }
    }
}

extension MomentCommand.Create {
    /// The place that the options name; nil where they name none.
    private var newPlace: API.NewPlace? {
        get throws {
            let degrees = try position.map { try Degrees.pair($0) }
            guard place != nil || degrees != nil else { return nil }
            var new = API.NewPlace(latitude: degrees?.0, longitude: degrees?.1)
            if degrees != nil { new.radiusM = radius ?? 100 }
            // An id has a form that no name has by chance.
            if let place, Reference(place) != nil { new.id = place } else { new.name = place }
            return new
        }
    }
}

/// Reads positions.
enum Degrees {
    /// Reads a latitude and a longitude, such as `52.52,13.40`.
    static func pair(_ text: String) throws -> (Double, Double) {
        let parts = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], latitude.isFinite, longitude.isFinite
        else {
            throw ValidationError(
                "Not a valid position: '\(text)'. Use LATITUDE,LONGITUDE in degrees, such as 52.52,13.40."
            )
        }
        return (latitude, longitude)
    }
}

extension API.Moment {
    /// Whether this node's person joined or is invited; nil if neither.
    var standing: String? { participation ?? (invited ? "invited" : nil) }
}

extension API.Place {
    /// Its position in degrees, if it has one.
    fileprivate var position: (Double, Double)? {
        guard let latitude, let longitude else { return nil }
        return (latitude, longitude)
    }
}
