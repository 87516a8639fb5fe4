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

/// Joins an event.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join an event with an invitation link, a link from your other device, or --nearby."
    )
    /// How often a missing event is looked for again, one second apart.
    private static let looks = 4

    @OptionGroup var options: ClientOptions
    @Argument(help: "Link to join with. '-' reads it from standard input.") var link: String?
    @Option(help: "Title of an event from mingle event nearby, or the first characters of its id.") var nearby: String?
    @Flag(help: "Become another device of the person who made the link. Use only your own links.")
    var device = false

    func validate() throws {
        guard (link == nil) != (nearby == nil) else {
            let both = link == nil ? "" : ", not both"
            throw ValidationError("Give an invitation link or --nearby TITLE\(both).")
        }
    }

    func run() async throws {
        let text = try await text()
        // Refuses an invalid link before looking for members.
        try Node.readJoinLink(text, asDevice: device)
        if !options.json { StandardError.print("Looking for a member of the event…") }
        let body = API.Envelope.Link(link: text, device: device)
        let event: API.Event = try await options.client.send(.POST, "join", body)
        let status: API.Status = try await options.client.get("status")
        try options.show(event) { event in
            if event.level == API.Person.waiting {
                return "Waiting for the host.\n" + status.warnings.joined(separator: "\n")
            }
            if API.DeviceLink.isOne(text) { return "This node is now one of your devices in \(event.called)." }
            return status.name == nil
                ? "Joined \(event.called).\nTo set your name: mingle profile --name NAME"
                : "Joined \(event.called)."
        }
    }

    private func text() async throws -> String {
        if let link { return link == "-" ? readLine() ?? "" : link }
        // On a busy network, answers can take longer than the node waits at first.
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
    /// Lists the open events on the network.
    struct Nearby: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the events on this network that anyone can join.",
            discussion: "Other nodes announce the titles. A title is verified only when you join."
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let list: API.Envelope.Nearby = try await options.client.get("nearby")
            if !options.json { try list.requireDiscovery() }
            try options.show(list) { list in
                guard !list.nearby.isEmpty else {
                    return "No event on this network is open to anyone nearby."
                }
                return Table.text(
                    list.nearby.map { event in
                        [event.title, "announced by \(event.nodes.counted("node"))", list.shortID(of: event)]
                    }
                ) + "\nTo join one: mingle join --nearby TITLE"
            }
        }
    }
}

/// On or off.
enum Switch: String, CaseIterable, ExpressibleByArgument {
    case on
    case off
}
