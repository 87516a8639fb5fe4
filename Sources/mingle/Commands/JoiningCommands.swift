// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleNode
import MingleWeb
import NIOHTTP1

/// Joins an event.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract:
            "Join an event by its invitation, by a link of another device of yours, or one nearby that anyone may join; '-' reads the "
            + "link from standard input."
    )
    /// How often it is looked again, a second apart, for what is not there yet.
    private static let looks = 4

    @OptionGroup var options: ClientOptions
    @Argument(help: "The link.") var link: String?
    @Option(help: "The title of an event that mingle event nearby lists, or how its id begins.") var nearby: String?
    @Flag(help: "Become a device of whoever made the link: for a link of your own other device alone.")
    var device = false

    func validate() throws {
        guard (link == nil) != (nearby == nil) else {
            let both = link == nil ? "" : ", not both"
            throw ValidationError("Give the link of an invitation, or --nearby TITLE\(both).")
        }
    }

    func run() async throws {
        let text = try await text()
        // Nobody is looked for where the text says by itself that it leads nowhere.
        try Node.readJoinLink(text, asDevice: device)
        if !options.json { FileHandle.standardError.write(Data("Looking for somebody of the event…\n".utf8)) }
        let body = API.Envelope.Link(link: text, device: device)
        let event: API.Event = try await options.client.send(.POST, "join", body)
        let status: API.Status = try await options.client.get("status")
        try options.show(event) { event in
            if event.level == API.Person.waiting {
                return "You wait to be let in.\n" + status.warnings.joined(separator: "\n")
            }
            if API.DeviceLink.isOne(text) { return "This node is a device of yours in \(event.called) now." }
            return status.name == nil
                ? "Joined \(event.called).\nSay who you are with: mingle profile --name NAME"
                : "Joined \(event.called)."
        }
    }

    private func text() async throws -> String {
        if let link { return link == "-" ? readLine() ?? "" : link }
        // On a busy network answers take longer than the node waits when it begins to look.
        for _ in 0..<Self.looks {
            do {
                return try await look()
            } catch let problem as API.Problem where problem.name == .notFound {
                try await Task.sleep(for: .seconds(1))
            }
        }
        return try await look()
    }

    private func look() async throws -> String {
        let list: API.Envelope.Nearby = try await options.client.get("nearby")
        return try list.event(nearby ?? "").link
    }
}

extension EventCommand {
    /// Lists what anyone nearby may join.
    struct Nearby: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the events on this network that anyone may join.",
            discussion: "What they are called is what nodes on the network say; who joins gets what is so."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Nearby = try await options.client.get("nearby")
            if !options.json { try list.requireDiscovery() }
            try options.show(list) { list in
                guard !list.nearby.isEmpty else {
                    return "Nobody on this network says that anyone may join an event."
                }
                return Table.text(
                    list.nearby.map { event in
                        let nodes = event.nodes == 1 ? "1 node says so" : "\(event.nodes) nodes say so"
                        return [event.title, nodes, list.shortID(of: event)]
                    }
                ) + "\nJoin one with: mingle join --nearby TITLE"
            }
        }
    }
}

/// On or off.
enum Switch: String, ExpressibleByArgument {
    case on
    case off
}
