// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica

extension Node {
    /// Puts a person at a higher level, or lets in somebody who waits; those who govern that level can.
    ///
    /// Nobody can be put lower: that takes what was written since out of sight, and comes with removals.
    package func setLevel(of person: String, to word: String, event: String?) throws -> API.Person {
        let session = try session(event)
        let level = try Wording.level(word)
        guard let id = PersonID(text: person) else {
            throw API.Problem(.notFound, "There is nobody with the id \(person.prefix(60)) here.")
        }
        let old = try session.shown { try session.replica.person(id) }
        try session.requireGoverning(level, "make somebody \(level.phrase)")
        if let held = old.level, held >= level {
            let reason =
                held == level ? "is \(held.phrase) already" : "is \(held.phrase), and nobody can be put lower yet"
            throw API.Problem(.conflict, "\(old.name) \(reason).")
        }
        do {
            let authored = try session.replica.grant(level, to: id, at: clock.now(), randomness: .system)
            session.tell(authored.outcome, own: authored.runs)
        } catch {
            throw API.Problem(error)
        }
        return API.Person(try session.shown { try session.replica.person(id) }, here: session.roster.present)
    }
}
