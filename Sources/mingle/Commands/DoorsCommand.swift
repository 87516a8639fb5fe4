// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleWeb
import NIOHTTP1

/// The doors of an event, by which people with only a phone take part.
struct DoorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doors",
        abstract: "List the event's doors, or let phones take part beside this node.",
        subcommands: [List.self, Open.self, NewCode.self, Close.self],
        defaultSubcommand: List.self
    )

    /// A door in a few words.
    static func text(of door: API.Door) -> String {
        let guests = door.guests == 1 ? "1 guest" : "\(door.guests) guests"
        let state = door.open ? (door.own != nil || door.person.here ? "open" : "not connected") : "closed"
        let lines = ["\(door.person.name)  \(state)  \(guests)  \(door.person.id)"]
        return (lines + (door.own?.addresses ?? []).map { "  \($0)" }).joined(separator: "\n")
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the event's doors.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let doors: API.Envelope.Doors = try await options.client.get(options.path("doors"))
            try options.show(doors) { doors in
                doors.doors.isEmpty
                    ? "The event has no door. To let phones take part: mingle doors open"
                    : doors.doors.map(DoorsCommand.text).joined(separator: "\n")
            }
        }
    }

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let phones take part: open a door beside this node, or change how it is open."
        )
        @OptionGroup var options: ClientOptions
        @Argument(
            help: ArgumentHelp(
                "Address on which phones reach it. Default: \(HostedDoor.usualAddress).",
                valueName: "host:port"
            ),
            transform: Given.listeningAddress
        )
        var listen: ListeningAddress?
        @Option(help: "Name of the door in the list of people.") var name: String?
        @Flag(help: "Show what guests send only after a moderator has looked at it.") var hold = false
        @Flag(help: "Show guests only what they sent themselves.") var dropOnly = false
        @Option(help: "Name of the Wi-Fi on the poster.") var wifi: String?
        @Option(help: "Password of that Wi-Fi.") var wifiPassword: String?

        func run() async throws {
            let terms = API.NewDoor(
                listen: listen?.description,
                name: name,
                held: hold,
                dropOnly: dropOnly,
                wifi: wifi.map { API.Wifi(ssid: $0, password: wifiPassword) }
            )
            let door: API.Door = try await options.client.send(.POST, options.path("doors"), terms)
            let code = try (door.own?.addresses.first).map { try QRCode($0.uppercased()).terminalText }
            try options.show(door) { door in
                [code, DoorsCommand.text(of: door)].compactMap(\.self).joined(separator: "\n")
            }
        }
    }

    struct NewCode: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give the door a new code. Guests scan it once more; who has only the old one stays out."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let door: API.Door = try await options.client.send(.POST, options.path("doors/code"))
            try options.show(door, DoorsCommand.text)
        }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a door: its link, and the part of all who came by it. What they shared stays."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the door: mingle doors. Default: the only open one.") var id: String?
        @Flag(help: "Close it even if this node may not know all its guests.") var force = false
        @OptionGroup var confirmation: Confirmation

        func run() async throws {
            let listed: API.Envelope.Doors = try await options.client.get(options.path("doors"))
            let open = listed.doors.filter(\.open)
            guard let id = id ?? (open.count == 1 ? open[0].person.id : nil) else {
                throw API.Problem(
                    .badRequest,
                    open.isEmpty ? "The event has no open door." : "There are several doors. Give an id: mingle doors"
                )
            }
            try await confirmation.ask {
                "Close the door? Nobody who came by it takes part any more, and its code, also a printed one, stops working."
            }
            let query = force ? ["force": "true"] : [:]
            let door: API.Door = try await options.client.send(.DELETE, options.path("doors/\(id)", query))
            try options.show(door, DoorsCommand.text)
        }
    }
}
