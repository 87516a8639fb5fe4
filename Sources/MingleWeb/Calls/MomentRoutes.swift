// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel

/// Moments: making, changing, joining and checking in.
struct MomentRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(Kind.moment.described(.list, answering: API.Envelope.Moments.self)) { request, context in
            try Response.json(parts.service(request, context).moments(ListQuery(.moment, request.parameters)))
        }
        calls.on(
            .post,
            "moments",
            "Makes a moment.",
            details:
                "It needs a title or a place, a start and an end. The place may have a name only; with a position it is "
                + "listed among the places too, unless the moment is private.",
            status: .created
        ) { (new: API.NewMoment, request, context) in
            try await parts.write(request, context) { try $0.makeMoment(new) }
        }
        calls.on(.get, "moments/:id", "Shows a moment.") { request, context in
            try parts.service(request, context).moment(context.record)
        }
        calls.on(.patch, "moments/:id", "Changes a moment of one's own.") {
            (change: API.NewMoment, request, context) in
            let id = try context.record
            return try await parts.write(request, context) { try $0.edit(id, change) }
        }
        addParticipation(to: calls)
        addGuests(to: calls)
    }

    private func addParticipation(to calls: CallRouter) {
        calls.on(.post, "moments/:id/join", "Joins a moment.") { request, context in
            let id = try context.record
            return try await parts.write(request, context) { try $0.join(id) }
        }
        calls.on(.post, "moments/:id/ignore", "Ignores the invitation to a moment.") { request, context in
            let id = try context.record
            return try await parts.write(request, context) { try $0.ignore(id) }
        }
        calls.on(.post, "moments/:id/check-in", "Checks in at a moment.") {
            (position: API.Envelope.Position, request, context) in
            let id = try context.record
            return try await parts.write(request, context) { try $0.checkIn(id, at: position) }
        }
        calls.on(.get, "moments/:id/participants", "Lists who takes part in a moment.") { request, context in
            try parts.service(request, context).participants(of: context.record)
        }
    }

    private func addGuests(to calls: CallRouter) {
        calls.on(.post, "moments/:id/guests", "Invites people to a moment of one's own.") {
            (guests: API.Envelope.Guests, request, context) in
            let id = try context.record
            return try await parts.write(request, context) { try $0.invite(guests.people, to: id) }
        }
        calls.on(.delete, "moments/:id/guests/:person", "Takes an invitation to a moment back.") { request, context in
            let id = try context.record
            let person = context.parameter("person")
            return try await parts.write(request, context) { try $0.uninvite(person, from: id) }
        }
        calls.on(.post, "moments/:id/visibility", "Makes a moment of one's own private or public, under a new id.") {
            (change: API.Envelope.Visibility, request, context) in
            let id = try context.record
            return try await parts.write(request, context) { try $0.setVisibility(of: id, change) }
        }
    }
}
