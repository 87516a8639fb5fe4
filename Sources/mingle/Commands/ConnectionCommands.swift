// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import NIOHTTP1

/// Asks somebody to connect, or confirms what somebody asks.
struct ConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Ask somebody to connect with you, or confirm that you do; nobody but you two knows.",
        discussion: "You are connected once both want it. To take it back, or to end it: mingle disconnect."
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The person: the fingerprint or the name.") var person: String

    func run() async throws {
        let person = try await options.person(person)
        let path = options.path("connections/\(person.id)")
        let connected: API.Envelope.Connected = try await options.client.send(.PUT, path)
        try options.show(connected) { connected in
            connected.connection == "connected"
                ? "You and \(person.name) are connected."
                : "You asked \(person.name). Once both of you want it, mingle connections says so."
        }
    }
}

/// Takes back what one asked, declines what somebody asks, or ends a connection.
struct DisconnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Take back what you asked, decline what somebody asks, or end a connection.",
        discussion: """
            Who is declined sees that you have not answered, and cannot ask you again; you can still ask, and connect by that. \
            The same is so of a connection that you end.
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The person: the fingerprint or the name.") var person: String

    func run() async throws {
        let person = try await options.person(person)
        let path = options.path("connections/\(person.id)")
        let connected: API.Envelope.Connected = try await options.client.send(.DELETE, path)
        try options.show(connected) { _ in "There is no connection between you and \(person.name)." }
    }
}

/// Lists connections.
struct ConnectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "See who asks you to connect, whom you asked, and with whom you are connected."
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
            return listed.isEmpty ? "You are connected with nobody yet: mingle connect PERSON" : Table.text(listed)
        }
    }

    private static let words = ["asks": "asks you", "asked": "you asked", "connected": "connected"]
}
