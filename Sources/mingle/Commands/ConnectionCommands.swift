// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

/// Asks a person to connect, or accepts a request.
struct ConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Ask a person to connect, or accept a request. Only the two of you see this.",
        discussion: "You are connected when both of you asked. To withdraw or end it: mingle disconnect PERSON"
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

    func run() async throws {
        let person = try await options.person(person)
        let path = options.path("connections/\(person.id)")
        let connected: API.Envelope.Connected = try await options.client.send(.PUT, path)
        try options.show(connected) { connected in
            connected.connection == "connected"
                ? "You and \(person.name) are connected."
                : "Request sent to \(person.name). To see the answer: mingle connections"
        }
    }
}

/// Withdraws or declines a request, or ends a connection.
struct DisconnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Withdraw your request, decline a request, or end a connection.",
        discussion: """
            A person whom you decline sees no answer and cannot ask you again. You can still ask that person, and \
            connect. The same applies to a person with whom you end a connection.
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

    func run() async throws {
        let person = try await options.person(person)
        let path = options.path("connections/\(person.id)")
        let connected: API.Envelope.Connected = try await options.client.send(.DELETE, path)
        try options.show(connected) { _ in "You and \(person.name) are not connected." }
    }
}

/// Lists connections.
struct ConnectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "List requests to connect, and the people you are connected with."
    )
    @OptionGroup var options: ClientOptions

    func run() async throws {
        let connections: API.Envelope.Connections = try await options.client.get(options.path("connections"))
        try options.show(connections) { connections in
            let listed = connections.connections.map { connection in
                [
                    connection.person.name, Self.words[connection.state] ?? connection.state, When.text(connection.at),
                    connection.person.fingerprint,
                ]
            }
            return listed.isEmpty ? "No connections yet. Ask a person: mingle connect PERSON" : Table.text(listed)
        }
    }

    private static let words = ["asks": "wants to connect", "asked": "request sent", "connected": "connected"]
}
