// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleCrypto
package import MingleModel
import MingleReplica

/// Moments: making, changing, joining and checking in.
extension EventService {
    /// How long a moment lasts where nobody says: two hours.
    private static let usualLength = 7200.0

    /// Makes a moment, which this person has joined at once; a title or a place is enough.
    ///
    /// Without a title it is called by its place. Without times it starts now and lasts two hours.
    package func makeMoment(_ new: API.NewMoment) throws -> API.Moment {
        var new = new
        new.place = try new.place.map(known)
        guard new.title != nil || new.place?.name != nil else {
            throw API.Problem(.badRequest, "A moment needs a title or a place with a name.")
        }
        // A later end alone says when it is over.
        let start = new.start ?? Date(milliseconds: now.milliseconds)
        let end = new.end ?? start.addingTimeInterval(Self.usualLength)
        (new.start, new.end) = (start, end)
        try RequestValidation.requireOrder(start: start, end: end)
        var values = try fields(of: new)
        let guests = try guests(new.invite ?? [])
        try replica.requireMayWrite(.moment)
        try requireMayCreate(.moment, on: .nothing, values)
        let audience = new.private ?? false ? newGuestAudience() : Audience.event
        var made: Reference?
        try write { write in
            // Everybody would see the place of a private moment.
            if audience == .event, let place = values.newPlace {
                values["place"] = .data(try write(.create(.place, on: .nothing, values: place)).bytes)
            }
            let reference = try write(.create(.moment, on: .nothing, values: values, for: audience))
            for guest in guests { _ = try write(.invite(guest, to: reference)) }
            if end.milliseconds > now.milliseconds { _ = try write(.participating(.joined, in: reference)) }
            made = reference
        }
        guard let made else { throw ReplicaError.locked }
        return try moment(made)
    }

    /// A place with what the event's place of that id says, as far as the request says nothing else.
    private func known(_ place: API.NewPlace) throws -> API.NewPlace {
        guard let id = place.id else { return place }
        let reference = try RequestValidation.reference(id)
        guard let found = try? replica.record(reference, of: .place) else {
            throw API.Problem(.notFound, "There is no place with the id \(id.prefix(60)) here.")
        }
        let own = place.latitude != nil || place.longitude != nil || place.radiusM != nil
        return API.NewPlace(
            id: id,
            name: place.name ?? found.text("name"),
            latitude: own ? place.latitude : found.number("latitude").map { Double($0) / Position.partsPerDegree },
            longitude: own ? place.longitude : found.number("longitude").map { Double($0) / Position.partsPerDegree },
            radiusM: own ? place.radiusM : found.number("radius").map { Int(max(1, $0)) }
        )
    }

    /// The fields of a moment that are given; what its place and its categories name is there.
    private func fields(of new: API.NewMoment) throws -> [String: Value] {
        var values = try RequestValidation.moment(new)
        if let place = new.place {
            values["place"] = try place.id.map { .data(try RequestValidation.reference($0).bytes) } ?? .cleared
        }
        guard let categories = new.categories else { return values }
        guard categories.count <= 3 else {
            throw API.Problem(.badRequest, "A moment has at most three categories.")
        }
        let references = try categories.map { id in
            let reference = try RequestValidation.reference(id)
            guard try replica.sees(.category, reference) else {
                throw API.Problem(.notFound, "There is no category with the id \(id.prefix(60)) here.")
            }
            return reference
        }
        values["categories"] = references.isEmpty ? .cleared : .data(references.flatMap(\.bytes))
        return values
    }

    /// Changes a moment of one's own.
    package func edit(_ reference: Reference, _ change: API.NewMoment) throws -> API.Moment {
        let old = try requireOwn(reference)
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
        var change = change
        change.place = try change.place.map(known)
        var values = try fields(of: change)
        if let cover = change.cover {
            values["cover"] = .data(try coverPhoto(cover, of: reference, old).bytes)
            for picture in ["thumbnail", "preview"] { values[picture] = .cleared }
        }
        try author([.edit(reference, .moment, values: values)])
        return try moment(reference)
    }

    /// A photo that is to be the cover of a moment.
    private func coverPhoto(_ id: String, of moment: Reference, _ old: SeenMoment) throws -> Reference {
        let photo = try replica.photo(try RequestValidation.reference(id))
        guard photo.moment == moment else {
            throw API.Problem(.badRequest, "The cover has to be a photo of the moment.")
        }
        guard let audience = try replica.audience(of: moment), try mayKnow(audience, of: photo.id) else {
            throw API.Problem(
                .conflict,
                "That photo was posted while \(old.title) was private, so it may not be shown to everybody. Choose another "
                    + "photo."
            )
        }
        return photo.id
    }

    /// Refuses a cover of a moment that is not this person's own.
    package func requireMaySetCover(of reference: Reference) throws {
        _ = try requireOwn(reference)
        try replica.requireMayWrite(.moment)
        try requireOn(.moment)
    }

    /// Gives a moment of one's own an uploaded picture as its cover, in place of a photo.
    package func setCover(of reference: Reference, picture: String) throws -> API.Moment {
        try requireMaySetCover(of: reference)
        try attach(picture, .moment) { values, blobs in
            let values = values.merging(["cover": .cleared]) { value, _ in value }
            try author([.edit(reference, .moment, values: values, blobs: blobs)])
        }
        return try moment(reference)
    }

    private func requireOwn(_ reference: Reference) throws -> SeenMoment {
        let moment = try replica.seenMoment(reference)
        guard moment.author == me else {
            throw API.Problem(.notAllowed, "Only the creator of a moment can change it.")
        }
        return moment
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
        try author([.participating(state, in: moment)])
    }

    /// Moments that fit a query: all of them if it says nothing.
    package func moments(_ query: ListQuery = ListQuery(.moment, [:])) throws -> API.Envelope.Moments {
        if let list = query.list { return try moments(list, query) }
        guard query.isEmpty else {
            let page = try page(of: .moment, query)
            let moments = try page.items.compactMap(\.id).map { try moment($0) }
            return API.Envelope.Moments(moments: moments, next: query.cursor.text(page.next))
        }
        let moments = try isOn(.moment) ? replica.moments() : []
        return API.Envelope.Moments(moments: moments.map { API.Moment($0, now: now, here: present) })
    }

    /// One page of the moments in which this person has a part.
    private func moments(_ name: String, _ query: ListQuery) throws -> API.Envelope.Moments {
        guard let list = OwnMoments(rawValue: name) else {
            let names = OwnMoments.allCases.map(\.rawValue).joined(separator: ", ")
            throw API.Problem(.badRequest, "`list` must be one of: \(names).")
        }
        guard query.isPageOf("list") else {
            throw API.Problem(.badRequest, "`list` goes with `before` and `limit` only.")
        }
        let read = try query.read()
        guard try isOn(.moment) else { return API.Envelope.Moments(moments: []) }
        let page = try replica.moments(list, before: read.before, limit: read.limit)
        return API.Envelope.Moments(
            moments: page.items.map { API.Moment($0, now: now, here: present) },
            next: query.cursor.text(page.next)
        )
    }

    /// One moment as a calendar reads it.
    package func calendar(of reference: Reference) throws -> CalendarFile {
        CalendarFile(try moment(reference), at: Date(milliseconds: now.milliseconds))
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
    static func checkedIn(at moment: Reference) -> Draft { participating(.checkedIn, in: moment) }

    /// How far this person takes part in a moment.
    fileprivate static func participating(_ state: ParticipationState, in moment: Reference) -> Draft {
        .set(.participation, on: .record(moment), values: ["state": .number(state.rawValue)])
    }
}

extension [String: Value] {
    /// The place that a new moment's fields tell of, for a record of its own; nil where there is too little.
    fileprivate var newPlace: [String: Value]? {
        if case .data? = self["place"] { return nil }
        guard case .text? = self["place_name"], case .number? = self["latitude"], case .number? = self["radius"] else {
            return nil
        }
        return [
            "name": self["place_name"], "latitude": self["latitude"], "longitude": self["longitude"],
            "radius": self["radius"],
        ].compactMapValues(\.self)
    }
}
