// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleReplica

/// What the local API offers on connections of two people; nobody else learns of them.
extension Node {
    /// Who asks this person, whom this person asked, and with whom this person is connected.
    package func connections(event: String?) throws -> API.Envelope.Connections { try session(event).connections() }

    /// Asks somebody, or confirms what somebody asks; or takes back, declines or ends it.
    package func connect(_ id: String, _ on: Bool, event: String?) throws -> API.Envelope.Connected {
        let session = try session(event)
        guard let person = PersonID(text: id), let shown = try? session.replica.person(person) else {
            throw API.Problem(.notFound, "There is nobody with the id \(id.prefix(60)) in the event.")
        }
        return try session.connect(person, shown, on)
    }
}

extension EventSession {
    fileprivate func connections() throws -> API.Envelope.Connections {
        let connections = try shown { try replica.connections() }
        return API.Envelope.Connections(
            connections: connections.map { connection in
                API.Connection(
                    person: API.Person(connection.person, here: roster.present),
                    state: connection.state.rawValue,
                    at: Date(milliseconds: connection.at)
                )
            }
        )
    }

    fileprivate func connect(_ person: PersonID, _ shown: ShownPerson, _ on: Bool) throws -> API.Envelope.Connected {
        guard !shown.me else { throw API.Problem(.conflict, "That is you. You can connect with other people only.") }
        // Said again it changes nothing, whatever has become of the other person.
        if let draft = try self.shown({ try replica.draft(connecting: on, with: person) }) {
            // Who has asked has said all that is needed, whatever may be written since.
            let hasAsked = try self.shown { try replica.connection(with: person) } == .asks
            if on { try hasAsked ? requireMayWrite(.connection) : requireCanAnswer(shown) }
            try author([draft])
        }
        return API.Envelope.Connected(connection: try self.shown { try replica.connection(with: person) }.rawValue)
    }

    /// Refuses to ask who could not say yes.
    private func requireCanAnswer(_ person: ShownPerson) throws {
        try requireMayWrite(.connection)
        guard let level = person.level else {
            throw API.Problem(.conflict, "\(person.name) takes no part in the event and could not answer.")
        }
        guard level >= Kind.connection.writers else {
            throw API.Problem(
                .conflict,
                "\(person.name) is \(level.phrase) of this event, cannot post in it and could not answer."
            )
        }
    }
}
