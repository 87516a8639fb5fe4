// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
package import MingleModel
import MingleReplica

/// Moments: making, changing, joining and checking in.
extension EventService {
    /// Makes a moment, which without a title is called by its place; the place may have only a name.
    package func makeMoment(_ new: API.NewMoment) throws -> API.Moment {
        guard new.title != nil || new.place != nil, let start = new.start, let end = new.end else {
            throw API.Problem(.badRequest, "A moment needs a title or a place, a start and an end.")
        }
        var values = try RequestValidation.moment(new)
        try RequestValidation.requireOrder(start: start, end: end)
        let position = try new.place.flatMap { $0.hasNoPosition ? nil : try RequestValidation.place($0) }
        let guests = try guests(new.invite ?? [])
        try replica.requireMayWrite(.moment)
        try requireMayCreate(.moment, on: .nothing, values)
        let audience = new.private ?? false ? newGuestAudience() : Audience.event
        var made: Reference?
        try write { write in
            // Everybody would see the place of a private moment.
            if audience == .event, let position {
                values["place"] = .data(try write(.create(.place, on: .nothing, values: position)).bytes)
            }
            let reference = try write(.create(.moment, on: .nothing, values: values, for: audience))
            for guest in guests { _ = try write(.invite(guest, to: reference)) }
            made = reference
        }
        guard let made else { throw ReplicaError.locked }
        return try moment(made)
    }

    /// Changes a moment of one's own.
    package func edit(_ reference: Reference, _ change: API.NewMoment) throws -> API.Moment {
        let old = try replica.seenMoment(reference)
        guard old.author == me else {
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
        try RequestValidation.requireOrder(
            start: change.start ?? Date(milliseconds: old.start),
            end: change.end ?? Date(milliseconds: old.end)
        )
        var values = try RequestValidation.moment(change)
        if change.place?.hasNoPosition == true {
            for name in ["latitude", "longitude", "radius"] { values[name] = .cleared }
        }
        if let cover = change.cover {
            let photo = try replica.photo(try RequestValidation.reference(cover))
            guard photo.moment == reference else {
                throw API.Problem(.badRequest, "The cover has to be a photo of the moment.")
            }
            guard let audience = try replica.audience(of: reference), try mayKnow(audience, of: photo.id)
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
    package func join(_ reference: Reference) throws -> API.Moment {
        let moment = try replica.seenMoment(reference)
        if moment.status(at: now) == .ended {
            throw API.Problem(.notAllowed, "The moment has ended, so nobody can join it any more.")
        }
        if moment.participation ?? .ignored < .joined { try setParticipation(.joined, in: reference) }
        return try self.moment(reference)
    }

    /// Says that this person will not follow the invitation to a moment, which can still be joined.
    package func ignore(_ reference: Reference) throws -> API.Moment {
        let moment = try replica.seenMoment(reference)
        guard moment.isInvited else {
            throw API.Problem(.notAllowed, "Nobody has invited you to \(moment.title), so there is nothing to ignore.")
        }
        guard moment.participation ?? .ignored < .joined else {
            throw API.Problem(.conflict, "You have joined \(moment.title), and you cannot undo that.")
        }
        if moment.participation == nil { try setParticipation(.ignored, in: reference) }
        return try self.moment(reference)
    }

    /// Says that this person is there: the moment must be going on, and the position within its place if that has one.
    package func checkIn(_ reference: Reference, at position: API.Envelope.Position) throws -> API.Moment {
        let values = try RequestValidation.position(position)
        if values.isEmpty, try replica.seenMoment(reference).place.latitude != nil {
            throw API.Problem(.badRequest, "To check in there, say where you are: send a latitude and a longitude.")
        }
        try requireMayCheckIn(on: .record(reference), values)
        if try replica.seenMoment(reference).participation != .checkedIn {
            try author(checkingIn(at: reference, values))
        }
        return try moment(reference)
    }

    /// A check-in at a moment, and that its author takes part in it by being there.
    private func checkingIn(at moment: Reference, _ values: [String: Value]) -> [Draft] {
        [
            .create(.checkIn, on: .record(moment), values: values), .checkedIn(at: moment),
        ]
    }

    private func setParticipation(_ state: ParticipationState, in moment: Reference) throws {
        let values: [String: Value] = ["state": .number(state.rawValue)]
        try author([.set(.participation, on: .record(moment), values: values)])
    }

    /// Moments that fit a query: all of them if it says nothing.
    package func moments(_ query: ListQuery = ListQuery(.moment, [:])) throws -> API.Envelope.Moments {
        guard query.isEmpty else {
            let page = try page(of: .moment, query)
            let moments = try page.items.compactMap(\.id).map { try moment($0) }
            return API.Envelope.Moments(moments: moments, next: query.cursor.text(page.next))
        }
        let moments = try isOn(.moment) ? replica.moments() : []
        return API.Envelope.Moments(moments: moments.map { API.Moment($0, now: now, here: present) })
    }

    /// One moment.
    package func moment(_ reference: Reference) throws -> API.Moment {
        guard try isOn(.moment) else { throw ReplicaError.notFound(reference.description) }
        return API.Moment(try replica.moment(reference), now: now, here: present)
    }

    package func participants(of reference: Reference) throws -> API.Envelope.Participants {
        _ = try moment(reference)
        let participants = try replica.participants(of: reference)
        return API.Envelope.Participants(
            joined: participants.joined.map(person),
            checkedIn: participants.checkedIn.map(person),
            invited: participants.invited.map(person)
        )
    }
}

extension Draft {
    /// That this person takes part in a moment by being there.
    static func checkedIn(at moment: Reference) -> Draft {
        let state = ParticipationState.checkedIn.rawValue
        return .set(.participation, on: .record(moment), values: ["state": .number(state)])
    }
}
