// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleModel
import MingleNode
import MingleWeb
import NIOHTTP1

/// Events of this node.
struct EventCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Start an event, list yours and those nearby, change one, or leave one.",
        subcommands: [Create.self, List.self, Nearby.self, Use.self, Set.self, Leave.self]
    )

    /// Starts an event.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Start an event.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "What the event is called.") var title: String

        func run() async throws {
            let event: API.Event = try await options.client.send(.POST, "events", API.Envelope.Title(title: title))
            try options.show(event) { "Started \($0.title) (\($0.id)).\nInvite people with: mingle invite" }
        }
    }

    /// Lists events.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the events of this node.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Events = try await options.client.get("events")
            try options.show(list) { list in
                guard !list.events.isEmpty else {
                    return "No events yet. Start one with: mingle event create TITLE, or join one: mingle join LINK"
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
        static let configuration = CommandConfiguration(abstract: "Make an event the current one.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "The event's id.") var id: String

        func run() async throws {
            let id = try await options.event(id)
            let event: API.Event = try await options.client.send(
                .PUT,
                "events/current",
                API.Envelope.Identifier(id: id)
            )
            try options.show(event) { "\($0.title) is the current event now." }
        }
    }

    /// Changes an event.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Change what the event is called, when reports hide something, or whether anyone nearby may join; its founder alone can.",
            discussion: """
                With --nearby on, members' nodes say so on whichever network they are, yours first: whoever is there sees the title, may \
                come in as an attendee without an invitation and sees what was shared so far, and can tell which devices take part, \
                also later. A relay's owner can read it then, too. It ends after 12 hours, or with --nearby off; --nearby on again \
                makes it last 12 hours from then. Who came stays. A host may switch it off, too.
                """
        )
        @OptionGroup var options: ClientOptions
        @Option(help: "What the event is called from now on.") var title: String?
        @Option(help: "How many people's reports hide something until a moderator decides; 0: no number does.")
        var reportThreshold: Int?
        @Option(help: "Whether anyone nearby may join, and sees the title: on or off.") var nearby: Switch?

        func validate() throws {
            guard title != nil || reportThreshold != nil || nearby != nil else {
                throw ValidationError(
                    "Say what is to change: --title TITLE, --report-threshold NUMBER or --nearby on."
                )
            }
        }

        func run() async throws {
            let status: API.Status = try await options.client.get(options.path("status"))
            guard let id = status.current?.id else { throw API.Problem(.notFound, "This node takes part in no event.") }
            let change = API.Envelope.EventChange(
                title: title,
                reportThreshold: reportThreshold,
                nearby: nearby.map { $0 == .on }
            )
            let event: API.Event = try await options.client.send(.PUT, "events/\(id)", change)
            try options.show(event) { event in
                let hiding =
                    switch event.reportThreshold {
                    case 0: "reports hide nothing by themselves"
                    case 1: "one person's report hides something until a moderator decides"
                    case let people: "\(people) people's reports hide something until a moderator decides"
                    }
                // What was not asked for is said only of an open door, as strangers may come in.
                let words =
                    reportThreshold == nil ? "The event is called \(event.title)." : "\(event.title): \(hiding)."
                let door = nearby == nil && !event.nearby ? [] : [Self.door(of: event, status.discovery)]
                return ((title != nil || reportThreshold != nil ? [words] : []) + door).joined(separator: "\n")
            }
        }

        private static func door(of event: API.Event, _ discovery: API.Status.Discovery) -> String {
            guard event.nearby else { return "Who joins needs an invitation." }
            let until = event.nearbyUntil.map { " until \(When.text($0))" } ?? ""
            let silence =
                discovery.state == "running" ? "" : ". This node can tell nobody now, others' can: \(discovery.detail)"
            return
                "Whoever is on a network with you or another member sees the title and may join as an attendee\(until), and then sees "
                + "what was shared so far; to end that: mingle event set --nearby off\(silence)"
        }
    }

    /// Leaves an event.
    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Leave an event: the others are told, and this node's copy is deleted; what you shared stays with them.",
            discussion: """
                If nobody is within reach, this node goes on trying for seven days, and keeps for that long what it takes. You leave \
                with all your devices. To come back, use a link that still lets people in: you are somebody new then.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The event's id.") var id: String
        @Option(help: "The event's title again, to be sure; its id if it has none, or could not be opened.")
        var confirm: String?
        @Flag(help: "Delete all that you shared, everywhere, before you leave.") var erase = false
        @Flag(help: "Leave though nobody else can say who is a host then.") var force = false
        @Flag(help: "Delete this node's copy at once and tell nobody; for the others you still take part.") var now =
            false

        func run() async throws {
            let id = try await options.event(id)
            // What is being left is in no list, and needs no second word. A title is confirmed as it is shown.
            if let title = try await title(of: id), confirm?.visible != title.visible {
                throw ValidationError(
                    "Leaving deletes this node's copy of \(title.printable()). Say --confirm \(title.printable().shellQuoted) to do it."
                )
            }
            let manner = ["now": now, "erase": erase, "force": force].mapValues { $0 ? "true" : nil }
            let farewell: API.Farewell = try await options.client.send(.DELETE, Query.path("events/\(id)", manner))
            try options.show(farewell) { Self.text($0) }
        }

        /// The event's title, its id if it has none or could not be opened, or nil where it is in no list.
        private func title(of id: String) async throws -> String? {
            let status: API.Status = try await options.client.get("status")
            if let event = status.events.first(where: { $0.id == id }) {
                return event.title == API.Event.untitled ? id : event.title
            }
            return status.unopened.contains(id) ? id : nil
        }

        private static func text(_ farewell: API.Farewell) -> String {
            "\(outcome(of: farewell)) \(farewell.detail ?? "")".trimmingCharacters(in: .whitespaces)
        }

        private static func outcome(of farewell: API.Farewell) -> String {
            let called = API.Event.called(farewell.title)
            switch farewell.state {
            case .told: return "Left \(called). The others know, and its folder is deleted."
            case .forgotten: return "Left \(called); its folder is deleted, and nobody was told."
            // The rest says the node.
            case .leaving where farewell.told > 0: return "Left \(called)."
            case .leaving:
                let until = farewell.until.map { " It gives up at \(When.text($0))." } ?? ""
                return
                    "Left \(called). The others do not know yet: they learn it once one of them holds what you shared; keep it "
                    + "running. Then its folder is deleted.\(until) To delete it now: mingle event leave \(farewell.id) --now"
            }
        }
    }
}

extension ClientOptions {
    /// Letters of an id that status, doctor and log show of it.
    private static let shownLetters = 8

    /// The id of an event of this node that is named by it or by how it begins; what names none is left to the node.
    func event(_ word: String) async throws -> String {
        guard word.count >= Self.shownLetters else { return word }
        let status: API.Status = try await client.get("status")
        let known = Set(status.events.map(\.id) + status.unopened + (status.relay?.events.map(\.id) ?? []))
        let meant = known.filter { $0.hasPrefix(word.lowercased()) }.sorted()
        guard meant.count < 2 || meant.contains(word) else {
            let ids = meant.joined(separator: ", ")
            throw API.Problem(.conflict, "Several events begin with \(word): \(ids). Say which.")
        }
        return meant.count == 1 ? meant[0] : word
    }
}

extension API.Event {
    /// The title, or words for an event without one.
    var called: String { Self.called(title) }

    /// The same of a title alone.
    static func called(_ title: String) -> String {
        title == untitled ? "an event of which nobody here knows the name" : title
    }

    /// What keeps this node's person from taking part; nil where nothing does.
    var standing: String? {
        [
            API.Person.waiting: "you wait to be let in", API.Person.declined: "you were not let in",
            API.Person.removed: "you were removed", API.Person.left: "you have left",
        ][level]
    }

    /// That anyone nearby may join, and until when; nil where nobody may.
    var openness: String? {
        guard nearby else { return nil }
        return nearbyUntil.map { "anyone nearby may join until \(When.text($0))" } ?? "anyone nearby may join"
    }
}
