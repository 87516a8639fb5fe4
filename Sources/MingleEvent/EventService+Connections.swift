// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// Connections of two people; nobody else learns of them.
extension EventService {
    /// Who asks this person, whom this person asked, and with whom this person is connected.
    package func connections() throws -> API.Envelope.Connections {
        let connections = try replica.connections()
        return API.Envelope.Connections(
            connections: connections.map { connection in
                API.Connection(
                    person: person(connection.person),
                    state: connection.state.rawValue,
                    at: Date(milliseconds: connection.at)
                )
            }
        )
    }

    /// Asks somebody, or confirms what somebody asks; or takes back, declines or ends it.
    package func connect(_ person: PersonID, _ on: Bool) throws -> API.Envelope.Connected {
        let shown = try replica.person(person)
        guard !shown.me else { throw API.Problem(.conflict, "That is you. You can connect with other people only.") }
        // Said again it changes nothing, whatever has become of the other person.
        if let draft = try replica.draft(connecting: on, with: person) {
            // Who has asked has said all that is needed, whatever may be written since.
            let hasAsked = try replica.connection(with: person) == .asks
            if on { try hasAsked ? replica.requireMayWrite(.connection) : requireCanAnswer(shown) }
            try author([draft])
        }
        return API.Envelope.Connected(connection: try replica.connection(with: person).rawValue)
    }

    /// Refuses to ask who could not say yes.
    private func requireCanAnswer(_ person: ShownPerson) throws {
        try replica.requireMayWrite(.connection)
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
