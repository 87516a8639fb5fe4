// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleModel
import MingleReplica

/// The people of an event.
extension EventService {
    /// Sets the name that others see.
    ///
    /// - Parameter isDoor: Whether others are told that this machine lets phones take part.
    package func rename(to name: String, asDoor isDoor: Bool = false) throws {
        var values: [String: Value] = ["name": .text(try RequestValidation.name(name))]
        if isDoor { values["door"] = .number(1) }
        try author([.set(.profile, on: .nothing, values: values)])
    }

    /// Lists everybody who takes part or has left, and everybody who is muted.
    ///
    /// Those who decide about admission also see who waits to be let in and who was removed.
    package func people() throws -> API.Envelope.People {
        let mayAdmit = try ownLevel()?.governs(.guest) ?? false
        let removals = try mayAdmit ? replica.removals() : []
        let listed =
            try replica.people() + replica.leftPeople()
            + (mayAdmit ? replica.waitingPeople() + removals.map(\.person) : [])
        let times = Dictionary(removals.map { ($0.person.id, $0.at) }) { min($0, $1) }
        let here = present
        let entry = { (person: ShownPerson) in
            var entry = API.Person(person, here: here)
            entry.removed = times[person.id].map { Date(milliseconds: $0) }
            return entry
        }
        let ids = Set(listed.map(\.id))
        let people = listed + (try replica.mutedOutsiders()).filter { !ids.contains($0.id) }
        // Of those who wait, have left or were removed some may be relays.
        let relays = try replica.relays() + people.filter(\.isRelay)
        return API.Envelope.People(
            people: people.filter { !$0.isRelay }.map(entry),
            relays: relays.map(entry)
        )
    }
}
