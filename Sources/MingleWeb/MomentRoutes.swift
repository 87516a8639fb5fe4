// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleModel
import MingleNode

/// Moments: making, changing, joining and checking in.
struct MomentRoutes {
    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("moments") { request, _ in try Response.json(node.moments(event: request.event)) }
        api.post("moments") { request, _ in
            let new = try await request.value(API.NewMoment.self)
            return try Response.json(node.makeMoment(new, event: request.event), status: .created)
        }
        api.get("moments/:id") { request, context in try Response.json(node.moment(context.id, event: request.event)) }
        api.patch("moments/:id") { request, context in
            let change = try await request.value(API.NewMoment.self)
            return try Response.json(node.editMoment(context.id, change, event: request.event))
        }
        api.delete("moments/:id") { request, context in
            try node.delete(.moment, context.id, event: request.event)
            return Response.done
        }
        api.post("moments/:id/join") { request, context in
            try Response.json(node.joinMoment(context.id, event: request.event))
        }
        api.post("moments/:id/ignore") { request, context in
            try Response.json(node.ignoreMoment(context.id, event: request.event))
        }
        api.post("moments/:id/check-in") { request, context in
            let position = try await request.value(API.Envelope.Position.self)
            return try Response.json(node.checkIn(context.id, at: position, event: request.event))
        }
        api.get("moments/:id/participants") { request, context in
            try Response.json(node.participants(of: context.id, event: request.event))
        }
        addGuests(to: api)
    }

    private func addGuests(to api: RouterGroup<WebContext>) {
        api.post("moments/:id/guests") { request, context in
            let guests = try await request.value(API.Envelope.Guests.self)
            return try Response.json(node.invite(guests.people, to: context.id, event: request.event))
        }
        api.delete("moments/:id/guests/:person") { request, context in
            let person = try context.parameters.require("person")
            return try Response.json(node.uninvite(person, from: context.id, event: request.event))
        }
        api.post("moments/:id/visibility") { request, context in
            let change = try await request.value(API.Envelope.Visibility.self)
            return try Response.json(node.setVisibility(of: context.id, change, event: request.event))
        }
    }
}
