// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleModel
import MingleNode
import MingleWeb
import NIOHTTP1

/// The events of this node.
struct EventCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Create, list, change or leave events.",
        subcommands: [Create.self, List.self, Nearby.self, Use.self, Set.self, Leave.self]
    )

    /// Creates an event.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create an event.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Title of the event.") var title: String
        @Option(
            help:
                "What the event begins with: party (moments), festival (moments, venues, nearby) or fair (venues, deals, ratings, nearby)."
        ) var preset: String?

        func run() async throws {
            let new = API.Envelope.NewEvent(title: title, preset: preset)
            let event: API.Event = try await options.client.send(.POST, "events", new)
            try options.show(event) { "Created \($0.title) (\($0.id)).\nTo invite people: mingle invite" }
        }
    }

    /// Lists events.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List your events.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Events = try await options.client.get("events")
            try options.show(list) { list in
                guard !list.events.isEmpty else {
                    return "No events yet. Create one: mingle event create TITLE, or join one: mingle join LINK"
                }
                return Table.text(
                    list.events.map { event in
                        [
                            event.current ? "*" : " ", event.title, event.people.counted("person", "people"),
                            event.photos.counted("photo"),
                            event.standing ?? event.openness ?? "", event.id,
                        ]
                    }
                )
            }
        }
    }

    /// Makes an event the current one.
    struct Use: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Switch to another event.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the event.", completion: Offers.events) var id: String

        func run() async throws {
            let id = try await options.event(id)
            let event: API.Event = try await options.client.send(
                .PUT,
                "events/current",
                API.Envelope.Identifier(id: id)
            )
            try options.show(event) { "\($0.title) is now the current event." }
        }
    }

    /// Changes an event.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the event's title, its areas and other settings, or whether anyone nearby can join.",
            discussion: """
                Only the founder can change an event. Hosts can also use --nearby off.

                With --nearby on, members' nodes announce the event on every network that they are on. Anyone there \
                sees the title, can join as an attendee without an invitation, and then sees what was shared so far. \
                They can also tell which devices take part, even later. Meanwhile the owner of a relay can read the \
                event, too. This ends after 12 hours or with --nearby off. To extend it to 12 hours from now, use \
                --nearby on again. People who joined stay.
                """
        )
        @OptionGroup var options: ClientOptions
        @Option(help: "New title of the event.") var title: String?
        @Option(help: "Hide a post when this many people reported it, until a moderator decides. 0: never.")
        var reportThreshold: Int?
        @Option(help: "Let anyone nearby join and see the title: on or off.") var nearby: Switch?
        @Option(help: "Areas of the event, with commas: \(Area.allCases.map(\.word).joined(separator: ",")).")
        var areas: String?
        @Option(help: "Time zone of the event, such as Europe/Copenhagen.") var timeZone: String?
        @Option(help: "Currency of prices, such as DKK.") var currency: String?
        @Option(
            help: "Whom attendees can invite to moments: anybody or connections.",
            completion: .list(WhoInvites.allCases.map(\.word))
        )
        var whoInvites: String?

        /// Whether a setting is to change that needs no sentence of its own.
        private var changesSettings: Bool {
            areas != nil || timeZone != nil || currency != nil || whoInvites != nil
        }

        func validate() throws {
            guard title != nil || reportThreshold != nil || nearby != nil || changesSettings else {
                throw ValidationError("Nothing to change. See mingle event set --help for what can be changed.")
            }
        }

        private var change: API.Envelope.EventChange {
            var change = API.Envelope.EventChange(
                title: title,
                reportThreshold: reportThreshold,
                nearby: nearby.map { $0 == .on }
            )
            change.areas = areas?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            (change.timeZone, change.currency, change.whoInvites) = (timeZone, currency, whoInvites)
            return change
        }

        func run() async throws {
            let status: API.Status = try await options.client.get(options.path("status"))
            guard let id = status.current?.id else { throw API.Problem(.notFound, "This node has no event to change.") }
            let event: API.Event = try await options.client.send(.PUT, "events/\(id)", change)
            try options.show(event) { event in
                let hiding =
                    switch event.reportThreshold {
                    case 0: "reports do not hide posts"
                    case 1: "a report by 1 person hides a post until a moderator decides"
                    case let people: "reports by \(people) people hide a post until a moderator decides"
                    }
                // An open event is always mentioned, because strangers can join it.
                let words =
                    reportThreshold == nil ? "The event's title is now \(event.title)." : "\(event.title): \(hiding)."
                let door = nearby == nil && !event.nearby ? [] : [Self.door(of: event, status.discovery)]
                let settings = changesSettings ? [Self.settings(of: event)] : []
                return ((title != nil || reportThreshold != nil ? [words] : []) + settings + door)
                    .joined(separator: "\n")
            }
        }

        private static func settings(of event: API.Event) -> String {
            let areas = event.areas.isEmpty ? "none" : event.areas.joined(separator: ", ")
            return [
                "Areas: \(areas).", event.timeZone.map { "Time zone: \($0)." },
                event.currency.map { "Currency: \($0)." },
                "Attendees can invite \(event.whoInvites == "anybody" ? "anybody" : "their connections").",
            ].compactMap(\.self).joined(separator: " ")
        }

        private static func door(of event: API.Event, _ discovery: API.Status.Discovery) -> String {
            guard event.nearby else { return "Joining now needs an invitation." }
            let until = event.nearbyUntil.map { " until \(When.text($0))" } ?? ""
            let silence =
                discovery.state == "running"
                ? "" : "\nOnly other members' nodes can announce the event now: \(discovery.detail)"
            return
                "Anyone on the same network as a member can see the title, join as an attendee\(until), and then see "
                + "what was shared so far. To end this: mingle event set --nearby off\(silence)"
        }
    }
}

extension ClientOptions {
    /// How many characters of an id status, doctor and log show.
    private static let shownLetters = 8

    /// The id of the event whose id is or begins with `word`; `word` itself if there is none, for the node to refuse.
    func event(_ word: String) async throws -> String {
        guard word.count >= Self.shownLetters else { return word }
        let status: API.Status = try await client.get("status")
        let known = Set(status.events.map(\.id) + status.unopened + (status.relay?.events.map(\.id) ?? []))
        let meant = known.filter { $0.hasPrefix(word.lowercased()) }.sorted()
        guard meant.count < 2 || meant.contains(word) else {
            let ids = meant.joined(separator: ", ")
            throw API.Problem(.conflict, "Several events begin with \(word): \(ids). Give the whole id.")
        }
        return meant.count == 1 ? meant[0] : word
    }
}

extension API.Event {
    /// The title, or a description of an event without one.
    var called: String { Self.called(title) }

    /// The same for a title.
    static func called(_ title: String) -> String {
        title == untitled ? "an event whose title is not known yet" : title
    }

    /// Why this node's person cannot take part; nil if the person can.
    var standing: String? {
        [
            API.Person.waiting: "waiting for the host", API.Person.declined: "a host did not let you in",
            API.Person.removed: "a host removed you", API.Person.left: "you have left",
        ][level]
    }

    /// That anyone nearby can join, and until when; nil if that is off.
    var openness: String? {
        guard nearby else { return nil }
        return nearbyUntil.map { "anyone nearby can join until \(When.text($0))" } ?? "anyone nearby can join"
    }
}
