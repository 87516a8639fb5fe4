// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleNode
import NIOCore

/// Status, events, invitations, and what the operator looks at.
struct EventRoutes {
    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("status") { request, _ in try Response.json(node.status(event: request.event)) }
        addEvents(to: api)
        addInvitations(to: api)
        api.get("doctor") { _, _ in try Response.json(node.doctor()) }
        api.get("feed") { request, _ in
            try Response.json(node.feed(before: request.query("before"), event: request.event))
        }
        api.get("dump") { request, _ in
            let lines = try node.dump(event: request.event).map { $0 + "\n" }.joined()
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: lines))
            )
        }
    }

    private func addEvents(to api: RouterGroup<WebContext>) {
        api.get("events") { _, _ in try Response.json(node.eventList()) }
        api.post("events") { request, _ in
            let title = try await request.value(API.Envelope.Title.self).title
            return try await Response.json(node.createEvent(title: title), status: .created)
        }
        api.put("events/current") { request, _ in
            try await Response.json(node.choose(request.value(API.Envelope.Identifier.self).id))
        }
        api.put("events/:id") { request, context in
            let change = try await request.value(API.Envelope.EventChange.self)
            return try Response.json(node.changeEvent(context.id, change))
        }
        api.delete("events/:id") { request, context in
            try await Response.json(node.leaveEvent(context.id, try LeavingManner(request)))
        }
        api.get("nearby") { _, _ in try await Response.json(node.nearby()) }
        api.post("join") { request, _ in
            let link = try await request.value(API.Envelope.Link.self)
            let event = try await node.join(link: link.link, asDevice: link.device ?? false)
            return try Response.json(event, status: .created)
        }
    }

    private func addInvitations(to api: RouterGroup<WebContext>) {
        api.get("invitation") { request, _ in try Response.json(node.invitation(event: request.event)) }
        api.post("invitations") { request, _ in
            let terms = try await request.value(API.Envelope.InvitationTerms.self)
            let invitation = try node.invite(
                as: terms.level,
                expires: terms.expiresInSeconds,
                uses: terms.uses,
                asks: terms.approval ?? false,
                in: request.event
            )
            return try Response.json(invitation, status: .created)
        }
        api.get("invitations") { request, _ in try Response.json(node.invitations(event: request.event)) }
        api.delete("invitations/:id") { request, context in
            try Response.json(node.closeInvitation(context.id, event: request.event))
        }
        api.get("invitation.svg") { request, _ in
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
