// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica

extension Node {
    /// Puts a person at another level from now on, lets in somebody who waits, declines such a person, or lets back in who was removed.
    ///
    /// Those can who govern both levels. What a person wrote before being put lower stays. Who waits is declined at the level
    /// `API.Person.declined`.
    package func setLevel(of person: String, to word: String, event: String?) throws -> API.Person {
        let session = try session(event)
        guard word != API.Person.declined else { return try decline(session.known(person), in: session) }
        let level = try RequestValidation.level(word)
        let old = try session.known(person)
        try session.requireGoverning(level, "make somebody \(level.phrase)")
        try session.requireGoverning(old.person, "make \(old.person.name) \(level.phrase)")
        // What somebody is who came by an invitation of which nothing is known, only who lets them in can know.
        let mayBeRelay = old.person.isDeclined && old.person.invitedTo == nil && level == .relay
        if try !mayBeRelay && !session.replica.isWaitingUnknown(old.id) {
            try Self.requireSameNature(old.person, level)
        }
        if old.person.level == level { throw API.Problem(.conflict, "\(old.person.name) is \(level.phrase) already.") }
        return try session.author(about: old.id) {
            try $0.setLevel(of: old.id, to: level, at: clock.now(), randomness: .system)
        }
    }

    /// People become no relays, and relays no people: those hold no keys, and whoever runs one may not read.
    private static func requireSameNature(_ person: ShownPerson, _ level: Level) throws {
        guard person.isRelay == level.isPeople else { return }
        throw API.Problem(
            .badRequest,
            person.isRelay
                ? "\(person.name) is a relay and cannot take part as a person. Invite the person who runs it: mingle invite."
                : "\(person.name) is a person and cannot become a relay. Make a link for a relay: mingle invite --level relay."
        )
    }

    /// Removes a person: all that came so far stays, nothing that follows counts, and a new key shuts the person out.
    ///
    /// Open links by which the person could come back are closed; `keepsLinks` keeps those of many uses that the person
    /// neither made nor came by.
    package func remove(_ person: String, keepsLinks: Bool, event: String?) throws -> API.Person {
        let session = try session(event)
        let old = try session.known(person)
        if old.person.me {
            throw API.Problem(.badRequest, "You cannot remove yourself. To leave the event: mingle event leave.")
        }
        if old.person.isRemoved {
            let deed = old.person.isDeclined ? "declined" : "removed"
            throw API.Problem(.conflict, "\(old.person.name) was \(deed) already.")
        }
        if old.person.level == nil, !old.person.hasLeft {
            throw API.Problem(
                .conflict,
                "\(old.person.name) was not let in and cannot be removed. To decline a person who waits: mingle people "
                    + "decline FINGERPRINT."
            )
        }
        try session.requireGoverning(old.person, "remove \(old.person.name)")
        // Whoever came by a door goes with it.
        let door = old.person.isDoor ? try session.replica.doors().first { $0.person.id == old.id } : nil
        return try session.author(about: old.id) {
            if let door { return try $0.author([.closeDoor(door.invitation)], at: clock.now(), randomness: .system) }
            return try $0.remove(old.id, keepsLinks: keepsLinks, at: clock.now(), randomness: .system)
        }
    }

    /// Keeps out somebody who waits to be let in; by an invitation of which nothing is known, whom only the founder hears, the founder.
    private func decline(_ old: (id: PersonID, person: ShownPerson), in session: EventSession) throws -> API.Person {
        let isUnknown = try session.replica.isWaitingUnknown(old.id)
        guard try isUnknown || session.replica.isWaiting(old.id) else {
            throw API.Problem(
                .conflict,
                "\(old.person.name) does not wait to be let in. List the people: mingle people."
            )
        }
        let least: Level = isUnknown ? .successor : old.person.isRelay ? .relay : .guest
        try session.requireGoverning(least, "decline \(old.person.name)")
        return try session.author(about: old.id) {
            try $0.decline(old.id, at: clock.now(), randomness: .system)
        }
    }
}

extension Node {
    /// Lets what a removed person wrote until a time count, as far as it is held here: it may have come only after the removal.
    ///
    /// Those can who could let the person in again. The person stays out. A preview only finds out what that would show.
    package func rescue(
        _ person: String,
        until time: Date,
        isPreview: Bool = false,
        event: String?
    ) throws -> API.Envelope.Rescue {
        let session = try session(event)
        let old = try session.known(person)
        guard old.person.isRemoved else {
            throw API.Problem(.conflict, "\(old.person.name) was not removed, so there is nothing to rescue.")
        }
        try session.requireGoverning(old.person, "decide which posts of \(old.person.name) count")
        let until = Timestamp(milliseconds: time.milliseconds)
        let now = clock.now()
        guard until <= now else {
            throw API.Problem(
                .badRequest,
                "That time is in the future. Give the date and time up to which \(old.person.name)'s posts count."
            )
        }
        var records: [String: Int] = [:]
        let person = try session.author(about: old.id) {
            let rescue = try $0.rescue(old.id, until: until, isPreview: isPreview, at: now, randomness: .system)
            records = rescue.records
            return rescue.authored
        }
        return API.Envelope.Rescue(person: person, records: records)
    }
}

extension EventSession {
    /// Somebody of whom this node knows.
    fileprivate func known(_ text: String) throws -> (id: PersonID, person: ShownPerson) {
        guard let id = PersonID(text: text) else {
            throw API.Problem(.notFound, "There is nobody with the id \(text.prefix(60)) here.")
        }
        return (id, try replica.person(id))
    }

    /// Refuses what only those may do who decide about a person.
    fileprivate func requireGoverning(_ person: ShownPerson, _ deed: String) throws {
        if person.base == .founder {
            throw API.Problem(.notAllowed, "\(person.name) founded the event. Nobody can \(deed).")
        }
        // A host who left is let in again by a person who decides about hosts.
        if let level = person.level ?? (person.hasLeft ? person.base : nil) { try requireGoverning(level, deed) }
        guard let removal = try replica.removal(of: person.id) else {
            return
        }
        // Who removed somebody lets back in, or who is above that one.
        if !removal.maker.me, let level = removal.maker.level { try requireGoverning(level, deed) }
    }

    /// Writes what a deed about a person says, tells everybody, and returns the person as known from then on.
    fileprivate func author(about person: PersonID, _ deed: (Replica) throws -> Authored) throws -> API.Person {
        do {
            let authored = try deed(replica)
            tell(authored.outcome, own: authored.runs)
        } catch {
            pauseIfFull(error)
            throw error
        }
        var entry = API.Person(try replica.person(person), here: roster.present)
        entry.removed = try replica.removal(of: person).map { Date(milliseconds: $0.at) }
        return entry
    }
}
