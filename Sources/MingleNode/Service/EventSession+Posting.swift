// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire

extension EventSession {
    /// Writes deltas of this person, tells everybody, and returns their names.
    @discardableResult
    func author(_ drafts: [Draft]) throws -> [Reference] {
        for draft in drafts { if let kind = draft.kind { try requireMayWrite(kind) } }
        return try author { write in for draft in drafts { _ = try write(draft) } }
    }

    /// Refuses what would count for nothing: that of somebody who waits to be let in, and what a guest may not write.
    func requireMayWrite(_ kind: Kind) throws {
        if try shown({ try replica.isRetired(replica.own.name) }) { throw API.Problem(ReplicaError.deviceRetired) }
        guard let level = try ownLevel() else {
            if try shown({ try replica.hasLeft(replica.own.person) }) { throw API.Problem(ReplicaError.left) }
            if let removal = try shown({ try replica.removal(of: replica.own.person) }) {
                throw API.Problem(removal.person.isDeclined ? ReplicaError.declined : .removed)
            }
            throw try shown { try replica.hasKey() }
                ? API.Problem(.notAllowed, "You wait to be let in. Ask a host of the event to let you in.")
                : API.Problem(ReplicaError.locked)
        }
        if level < kind.writers { throw API.Problem(ReplicaError.notAtYourLevel(level)) }
    }

    /// Writes what `body` hands over, all of it or nothing, tells everybody, and returns the deltas' names.
    @discardableResult
    func author(_ body: (_ write: (Draft) throws -> Reference) throws -> Void) throws -> [Reference] {
        // A picture that was still on its way here would go with this node.
        if isLeaving { throw API.Problem(ReplicaError.left) }
        do {
            let authored = try replica.author(at: clock.now(), randomness: .system, body)
            tell(authored.outcome, own: authored.runs)
            return authored.references
        } catch {
            pauseIfFull(error)
            if error as? ReplicaError == .keyOutdated { scheduleKeys() }
            throw API.Problem(error)
        }
    }

    /// Sets the name that others see.
    func rename(to name: String) throws {
        try author([.set(.profile, on: .nothing, values: ["name": .text(try Wording.name(name))])])
    }

    /// Makes a moment.
    func makeMoment(_ new: API.NewMoment) throws -> API.Moment {
        guard let title = new.title, let start = new.start, let end = new.end, let place = new.place else {
            throw API.Problem(.badRequest, "A moment needs a title, a start, an end and a place.")
        }
        var values = try Wording.moment(new)
        values["title"] = .text(try Wording.title(title))
        try Wording.requireOrder(start: start, end: end)
        let placed = try Wording.place(place)
        let guests = try guests(new.invite ?? [])
        try requireMayWrite(.moment)
        let audience = new.private ?? false ? newGuestAudience() : Audience.event
        var made: Reference?
        try author { write in
            // Everybody would see the place of a private moment.
            if audience == .event {
                values["place"] = .data(try write(.create(.place, on: .nothing, values: placed)).bytes)
            }
            let reference = try write(.create(.moment, on: .nothing, values: values, for: audience))
            for guest in guests { _ = try write(.invite(guest, to: reference)) }
            made = reference
        }
        guard let made else { throw API.Problem(ReplicaError.locked) }
        return try moment(made)
    }

    /// Changes a moment of one's own.
    func edit(_ reference: Reference, _ change: API.NewMoment) throws -> API.Moment {
        let old = try shown { try replica.seenMoment(reference) }
        guard old.author == replica.own.person else {
            throw API.Problem(.notAllowed, "Only the creator of a moment can change it.")
        }
        // Whoever says so would take the moment for private from now on.
        guard change.private == nil, change.invite == nil else {
            throw API.Problem(
                .badRequest,
                "This change cannot set who sees a moment. Use mingle moment make-private, make-public or invite (in the API: "
                    + "POST moments/ID/visibility and moments/ID/guests)."
            )
        }
        try Wording.requireOrder(
            start: change.start ?? Date(milliseconds: old.start),
            end: change.end ?? Date(milliseconds: old.end)
        )
        var values = try Wording.moment(change)
        if let cover = change.cover {
            let photo = try shown { try replica.photo(try Wording.reference(cover)) }
            guard photo.moment == reference else {
                throw API.Problem(.badRequest, "The cover has to be a photo of the moment.")
            }
            guard let audience = try shown({ try replica.audience(of: reference) }), try mayKnow(audience, of: photo.id)
            else {
                throw API.Problem(
                    .conflict,
                    "That photo was posted while \(old.title) was private, so it may not be shown to everybody. Choose another "
                        + "photo."
                )
            }
            values["cover"] = .data(photo.id.bytes)
        }
        try author([.edit(reference, .moment, values: values)])
        return try moment(reference)
    }

    /// Says that this person will come.
    func join(_ reference: Reference) throws -> API.Moment {
        let moment = try shown { try replica.seenMoment(reference) }
        if moment.status(at: clock.now()) == .ended {
            throw API.Problem(.notAllowed, "The moment has ended, so nobody can join it any more.")
        }
        if moment.participation ?? .ignored < .joined { try setParticipation(.joined, in: reference) }
        return try self.moment(reference)
    }

    /// Says that this person will not follow the invitation to a moment, which can still be joined.
    func ignore(_ reference: Reference) throws -> API.Moment {
        let moment = try shown { try replica.seenMoment(reference) }
        guard moment.isInvited else {
            throw API.Problem(.notAllowed, "Nobody has invited you to \(moment.title), so there is nothing to ignore.")
        }
        guard moment.participation ?? .ignored < .joined else {
            throw API.Problem(.conflict, "You have joined \(moment.title), and you cannot undo that.")
        }
        if moment.participation == nil { try setParticipation(.ignored, in: reference) }
        return try self.moment(reference)
    }

    /// Says that this person is there: the moment must be going on, and the position within its place.
    func checkIn(_ reference: Reference, at position: API.Envelope.Position) throws -> API.Moment {
        let moment = try shown { try replica.seenMoment(reference) }
        switch moment.status(at: clock.now()) {
        case .notStarted: throw API.Problem(.notAllowed, "The moment has not started. Check in once it has.")
        case .ended: throw API.Problem(.notAllowed, "The moment has ended, so nobody can check in any more.")
        case .ongoing: break
        }
        guard moment.participation ?? .ignored >= .joined else {
            throw API.Problem(.notAllowed, "Join the moment first, then check in.")
        }
        let values = try Wording.position(position)
        try requireNear(moment.place, position)
        if moment.participation != .checkedIn {
            try author([
                .create(.checkIn, on: .record(reference), values: values),
                .set(.participation, on: .record(reference), values: ["state": .number(3)]),
            ])
        }
        return try self.moment(reference)
    }

    /// - Throws: `API.Problem` if a position is not within a place that has one.
    private func requireNear(_ place: ShownPlace, _ position: API.Envelope.Position) throws {
        guard let latitude = place.latitude, let longitude = place.longitude, let radius = place.radius else { return }
        let distance = Geography.metres(
            from: (position.latitude, position.longitude),
            to: (Double(latitude) / Position.partsPerDegree, Double(longitude) / Position.partsPerDegree)
        )
        guard distance > Double(radius) else { return }
        throw API.Problem(
            .notAllowed,
            "You are \(Wording.distance(distance)) from \(place.name). You can check in within \(radius) m of it."
        )
    }

    private func setParticipation(_ state: ParticipationState, in moment: Reference) throws {
        let values: [String: Value] = ["state": .number(state.rawValue)]
        try author([.set(.participation, on: .record(moment), values: values)])
    }

    /// Comments on a photo or a moment.
    func comment(on target: Reference, text: String) throws -> API.Comment {
        try requireShown(target)
        let values: [String: Value] = ["text": .text(try Wording.comment(text))]
        let references = try author([.create(.comment, on: .record(target), values: values)])
        return API.Comment(try shown { try replica.comment(references[0]) }, here: roster.present)
    }

    /// Faves a photo or a moment, or stops to.
    func fave(_ target: Reference, _ on: Bool) throws -> API.Faves {
        try requireShown(target)
        let faved = try shown { try replica.faved(target) }
        if on, faved.isEmpty { try author([.set(.fave, on: .record(target), values: ["on": .number(1)])]) }
        // A fave of an earlier moment that this one continues goes with it.
        if !on {
            let values = ["on": Value.number(0)]
            try author(faved.map { .set(.fave, on: .record($0.target), values: values, for: $0.audience) })
        }
        return try faves(of: target)
    }

    /// Marks a photo or a moment to find it again, or takes the mark away; nobody else learns of it.
    func bookmark(_ target: Reference, _ on: Bool) throws -> API.Envelope.Bookmarked {
        try requireShown(target)
        let marked = try shown { try replica.bookmarked(target) }
        let mark = { (on: Int64, target: Reference) in
            Draft.set(.bookmark, on: .record(target), values: ["on": .number(on)])
        }
        if on, marked.isEmpty { try author([mark(1, target)]) }
        if !on, !marked.isEmpty { try author(marked.map { mark(0, $0) }) }
        return API.Envelope.Bookmarked(bookmarked: on)
    }

    /// Deletes a record of one's own and of this kind, everywhere.
    func delete(_ reference: Reference, _ kind: Kind) throws {
        do {
            try author([.delete(reference, kind)])
        } catch let problem as API.Problem where problem.name == .notFound {
            let what = "There is no \(kind.name) with the id \(reference) here"
            throw API.Problem(.notFound, "\(what). It may not have arrived yet, or it was deleted.")
        }
    }

    /// Throws `notFound` unless `target` is a photo or moment that is shown.
    func requireShown(_ target: Reference) throws {
        _ = try shown { try replica.requireSeen(target) }
    }
}
