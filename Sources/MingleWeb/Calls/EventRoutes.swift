// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleNode
import NIOCore

/// Status, events, invitations, and what the operator looks at.
struct EventRoutes {
    let node: Node
    let parts: Parts
    /// The door beside this node, if it may have one.
    var door: HostedDoor?

    func add(to calls: CallRouter) {
        calls.on(.get, "status", "Tells how the node is.") { request, _ in
            var status = try node.status(event: request.event)
            status.door = await door?.own
            return status
        }
        addEvents(to: calls)
        addInvitations(to: calls)
        calls.on(.get, "doctor", "Checks what stands in the way of sharing.") { _, _ in node.doctor() }
        let dump = API.Call("GET", "dump", "Prints all records, one on a line.", answer: .bytes(["text/plain"]))
        calls.on(dump) { request, context in
            let lines = try parts.service(request, context).dump().map { $0 + "\n" }.joined()
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: lines))
            )
        }
    }

    private func addEvents(to calls: CallRouter) {
        calls.on(.get, "events", "Lists the events of this node.") { _, _ in try node.eventList() }
        calls.on(
            .post,
            "events",
            "Starts an event.",
            details: "It becomes the current event, and has an open invitation (GET /invitation). `preset` chooses its "
                + "areas: party (moments), festival (moments, venues, nearby) or fair (venues, deals, ratings, nearby); "
                + "`areas` names them.",
            status: .created
        ) { (new: API.Envelope.NewEvent, _, _) in
            try await node.createEvent(new)
        }
        calls.on(.put, "events/current", "Chooses the event that calls are about.") {
            (body: API.Envelope.Identifier, _, _) in
            try node.choose(body.id)
        }
        calls.on(.put, "events/:id", "Changes an event; its founder can.") {
            (change: API.Envelope.EventChange, _, context) in
            try await node.changeEvent(context.id, change)
        }
        calls.on(
            .delete,
            "events/:id",
            "Leaves an event.",
            API.Parameter("now", .flag, "Whether to leave without waiting until another node knows."),
            API.Parameter("erase", .flag, "Whether to delete what this person shared."),
            API.Parameter("force", .flag, "Whether to leave an event that nobody else can manage.")
        ) { request, context in
            try await node.leaveEvent(context.id, try LeavingManner(request))
        }
        calls.on(.get, "nearby", "Lists events on this network that are open to anyone.") { _, _ in
            try await node.nearby()
        }
        calls.on(
            .post,
            "join",
            "Joins an event by a link.",
            details:
                "The answer comes when a member has let this node in. The event becomes the current one. What others "
                + "shared goes on to arrive; the stream tells of it.",
            status: .created
        ) { (link: API.Envelope.Link, _, _) in
            try await node.join(link: link.link, asDevice: link.device ?? false)
        }
    }

    private func addInvitations(to calls: CallRouter) {
        calls.on(.get, "invitation", "Shows the open invitation.") { request, _ in
            try node.invitation(event: request.event)
        }
        calls.on(.post, "invitations", "Makes an invitation; hosts can.", status: .created) {
            (terms: API.Envelope.InvitationTerms, request, _) in
            try node.invite(
                as: terms.level,
                expires: terms.expiresInSeconds,
                uses: terms.uses,
                asks: terms.approval ?? false,
                isForDoor: terms.door ?? false,
                in: request.event
            )
        }
        calls.on(.get, "invitations", "Lists the invitations.") { request, _ in
            try node.invitations(event: request.event)
        }
        calls.on(.delete, "invitations/:id", "Closes an invitation.") { request, context in
            try node.closeInvitation(context.id, event: request.event)
        }
        let code = API.Call(
            "GET",
            "invitation.svg",
            "Draws the QR code of an invitation.",
            parameters: [API.Parameter("id", .text(limit: 64), "The id of an invitation; without it the open one.")],
            answer: .bytes(["image/svg+xml"])
        )
        calls.on(code) { request, _ in
            try Response.code(of: node.linkText(request.query("id"), event: request.event))
        }
    }
}

extension LeavingManner {
    /// How a request says that somebody leaves.
    init(_ request: Request) throws {
        self.init(
            isSilent: try request.flag("now"),
            erases: try request.flag("erase"),
            isForced: try request.flag("force")
        )
    }
}
