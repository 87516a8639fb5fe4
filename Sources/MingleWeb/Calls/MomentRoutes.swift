// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NIOCore

/// Moments: making, changing, joining and checking in.
struct MomentRoutes {
    private static let list = API.Parameter(
        "list",
        .word(["mine", "invited", "joined", "checked_in"]),
        "Only those that this person made, is invited to, joined or checked in at, the latest first."
    )

    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        let list = Kind.moment.described(.list, answering: API.Envelope.Moments.self, adding: [Self.list])
        calls.on(list) { request, context in
            try Response.json(parts.service(request, context).moments(ListQuery(.moment, request.parameters)))
        }
        calls.on(
            .post,
            "moments",
            "Makes a moment.",
            details:
                "A title or a place is enough: without times it starts now and lasts two hours. The place is one of the "
                + "event by `id`, or has a name, and may have a position and a radius; with both it is listed among the "
                + "places too, unless the moment is private. Who makes a moment has joined it.",
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
        addCover(to: calls)
        addCalendar(to: calls)
    }

    private func addCover(to calls: CallRouter) {
        let cover = API.Call(
            "PUT",
            "moments/:id/cover",
            "Gives a moment of one's own a picture as its cover, which is no photo of the moment; the body is the file.",
            body: .bytes(PhotoRoutes.pictures),
            answer: .json(API.Schema(of: API.Moment.self))
        )
        calls.on(cover) { request, context in
            let id = try context.record
            try parts.service(request, context).requireMaySetCover(of: id)
            let file = try await UploadedFile(request, in: node.uploadFolder)
            defer { file.remove() }
            let picture = try await node.addPicture(path: file.path, to: parts.writing(request, context))
            let moment = try await parts.write(request, context) { try $0.setCover(of: id, picture: picture.id) }
            return try Response.json(moment)
        }
    }

    private func addCalendar(to calls: CallRouter) {
        let calendar = API.Call(
            "GET",
            "moments/:id/calendar.ics",
            "Sends a moment as a file for calendars (RFC 5545).",
            answer: .bytes(["text/calendar"])
        )
        calls.on(calendar) { request, context in
            let file = try parts.service(request, context).calendar(of: context.record)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-cache",
                    .contentDisposition: MediaRoutes.attachment(file.name),
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: file.text))
            )
        }
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
