// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MingleReplica
import Synchronization

/// A door that runs beside a node, as the node remembers it for its next start.
package struct OpenedDoor: Codable, Equatable, Sendable {
    /// The event, by its id.
    package var event: String
    /// How the door was opened.
    package var terms: API.NewDoor

    package init(event: String, terms: API.NewDoor) { (self.event, self.terms) = (event, terms) }
}

extension Node {
    /// The door that was opened beside this node; nil: none.
    package var openedDoor: OpenedDoor? { state.withLock { $0.settings.door } }

    /// Remembers a door for the next start, or that there is none.
    package func remember(door: OpenedDoor?) throws {
        try updateSettings { $0.door = door }
        changes.publish(kinds: ["status"])
    }

    /// The id of the event that a request names, or of the current one.
    package func id(of event: String?) throws -> String { try session(event).event.description }

    /// This door, as somebody of its event; nil before it has one.
    package var doorPerson: String? { doorSession?.replica.own.person.description }
}

/// The doors of an event, as its hosts see them.
extension Node {
    /// Lists the doors of an event.
    package func doors(event: String?) throws -> API.Envelope.Doors {
        let session = try session(event)
        return API.Envelope.Doors(doors: try session.replica.doors().map { API.Door($0, in: session) })
    }

    /// Ends a door: its link, its person, and the part of all who came by it.
    ///
    /// What they shared stays.
    ///
    /// - Parameter isForced: Whether to do so where this node may not know all guests: what the others shared goes with
    ///   the door.
    package func closeDoor(_ id: String, isForced: Bool, event: String?) throws -> API.Door {
        let session = try session(event)
        guard let door = try session.replica.doors().first(where: { $0.person.id.description == id }) else {
            throw API.Problem(.notFound, "The event has no door with the id \(id.prefix(60)). List them: mingle doors.")
        }
        try session.requireGoverning(.attendee, "close a door")
        guard door.isOpen else { throw API.Problem(.conflict, "\(door.person.name) is closed already.") }
        guard isForced || session.roster.present.contains(door.person.id) else {
            throw API.Problem(
                .conflict,
                "\(door.person.name) is not connected, so this node may not know everybody who came by it. What unknown guests "
                    + "shared would be lost. Connect it first, or close it all the same: mingle doors close --force"
            )
        }
        let authored = try session.replica.author([.closeDoor(door.invitation)], at: clock.now(), randomness: .system)
        session.tell(authored.outcome, own: authored.runs)
        let closed = try session.replica.doors().first { $0.person.id == door.person.id }
        return API.Door(closed ?? door, in: session)
    }
}

extension API.Door {
    init(_ door: ShownDoor, in session: EventSession) {
        self.init(
            person: API.Person(door.person, here: session.roster.present),
            open: door.isOpen,
            guests: door.guests.count
        )
    }
}
