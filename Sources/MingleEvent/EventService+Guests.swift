// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
package import MingleModel
package import MingleReplica
import MingleWire

/// Private moments: whom they are for.
extension EventService {
    /// The audience of a new private moment of this person.
    package func newGuestAudience() -> Audience {
        .guests(owner: me, salt: Randomness.system.bytes(Audience.saltLength))
    }

    /// Reads the ids of people to invite, who take part in the event; oneself is left out.
    package func guests(_ ids: [String]) throws -> [PersonID] {
        guard ids.count <= 500 else { throw API.Problem(.badRequest, "Invite at most 500 people at a time.") }
        let mustConnect = try replica.settings().whoInvites == .connections && ownLevel() ?? .guest < .host
        var guests: [PersonID] = []
        for id in ids {
            guard let person = PersonID(text: id) else {
                throw API.Problem(.notFound, "There is nobody with the id \(id.prefix(60)) here.")
            }
            let shown = try replica.person(person)
            guard !shown.isRelay else {
                throw API.Problem(.conflict, "\(shown.name) is a relay and cannot be invited.")
            }
            guard shown.level != nil else {
                throw API.Problem(.conflict, "\(shown.name) does not take part in the event and cannot be invited.")
            }
            if mustConnect, !shown.me, try replica.connection(with: person) != .connected {
                throw API.Problem(
                    .notAllowed,
                    "In this event you can invite people with whom you are connected. Connect with \(shown.name) first."
                )
            }
            if !shown.me, !guests.contains(person) { guests.append(person) }
        }
        return guests
    }

    /// Invites people to a moment of one's own; who is invited already stays so.
    package func invite(_ ids: [String], to reference: Reference) throws -> API.Envelope.Participants {
        try requireCreator(of: reference, "invite people to it")
        let invited = Set(try participants(of: reference).invited.map(\.id))
        let new = try guests(ids).filter { !invited.contains($0.description) }
        try author(new.map { .invite($0, to: reference) })
        return try participants(of: reference)
    }

    /// Takes an invitation back: what the person said there stays, and nothing that follows reaches the person.
    package func uninvite(_ id: String, from reference: Reference) throws -> API.Envelope.Participants {
        try requireCreator(of: reference, "withdraw its invitations")
        guard let person = PersonID(text: id), try participants(of: reference).invited.contains(where: { $0.id == id })
        else { throw API.Problem(.notFound, "Nobody with the id \(id.prefix(60)) is invited to it.") }
        try author([.uninvite(person, from: reference)])
        return try participants(of: reference)
    }

    /// Puts a moment of one's own for others in the place of another, and deletes that one.
    ///
    /// What hung on the old one shows under the new one to those who can open it. What was for everybody may have been kept by
    /// everybody; what was for guests stays with them.
    package func setVisibility(of reference: Reference, _ change: API.Envelope.Visibility) throws -> API.Moment {
        try requireOn(.moment)
        try requireCreator(of: reference, "change who sees it")
        let old = try replica.moment(reference)
        guard old.isPrivate != change.private else {
            throw API.Problem(.conflict, "\(old.title) is \(old.isPrivate ? "private" : "public") already.")
        }
        // Else what hangs on it would show again by way of the new one.
        guard old.hiding == nil else {
            throw API.Problem(
                .conflict,
                "\(old.title) is hidden. You can change who sees it after a moderator has shown it again."
            )
        }
        let guests = try guests(change.invite ?? [])
        let audience = change.private ? newGuestAudience() : Audience.event
        var values = old.values
        if let cover = try replica.chosenCover(of: reference), try mayKnow(audience, of: cover) {
            values["cover"] = .data(cover.bytes)
        }
        // A cover of the moment's own goes with it, and what kind of moment it is.
        let record = try replica.record(reference, of: .moment)
        for name in ["thumbnail", "preview", "categories"] { values[name] = record.values[name] }
        let blobs = values.values.compactMap { value -> BlobListing? in
            guard case .media(let media) = value else { return nil }
            return BlobListing(name: media.name(owner: me), size: media.size)
        }
        values["continues"] = .data(([reference] + old.continues).prefix(16).flatMap(\.bytes))
        var made: Reference?
        try write { write in
            let new = try write(.create(.moment, on: .nothing, values: values, blobs: blobs, for: audience))
            for guest in guests { _ = try write(.invite(guest, to: new)) }
            _ = try write(.delete(reference))
            if change.private, let place = try placeMade(with: record) { _ = try write(.delete(place)) }
            made = new
        }
        guard let made else { throw ReplicaError.locked }
        return try moment(made)
    }

    /// The place for everybody that was made with a moment; nil where it names another one, or none.
    private func placeMade(with moment: ShownRecord) throws -> Reference? {
        guard case .data(let bytes)? = moment.values["place"], let id = Reference(bytes: bytes),
            let place = try? replica.record(id, of: .place), place.author == me, place.made == moment.made
        else { return nil }
        return id
    }

    /// Whether a record was for all who belong to an audience: to name another one would tell them of it.
    package func mayKnow(_ audience: Audience, of record: Reference) throws -> Bool {
        let sealed = try replica.audience(of: record)
        return sealed == .event || sealed == audience
    }

    /// That this person takes part in the moment itself, where so far that is known from an earlier one alone: not everybody
    /// who sees this one could open that.
    package func takingPart(in target: Target) throws -> [Draft] {
        guard case .record(let moment) = target, try targetKind(of: moment, for: .photo) == .moment,
            let state = try replica.inheritedParticipation(in: moment)
        else { return [] }
        return [.set(.participation, on: target, values: ["state": .number(state.rawValue)])]
    }

    private func requireCreator(of reference: Reference, _ deed: String) throws {
        guard try replica.seenMoment(reference).author == me else {
            throw API.Problem(.notAllowed, "Only the creator of a moment can \(deed).")
        }
    }
}

extension ShownMoment {
    /// What a moment that continues this one begins with.
    fileprivate var values: [String: Value] {
        var values: [String: Value] = [
            "title": .text(title), "start": .number(start), "end": .number(end),
        ]
        if !place.name.isEmpty { values["place_name"] = .text(place.name) }
        values["latitude"] = place.latitude.map(Value.number)
        values["longitude"] = place.longitude.map(Value.number)
        values["radius"] = place.radius.map(Value.number)
        if !description.isEmpty { values["description"] = .text(description) }
        if let id = place.id { values["place"] = .data(id.bytes) }
        return values
    }
}
