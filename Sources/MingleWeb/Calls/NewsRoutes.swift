// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel

/// What happened, and what of it concerns who asks.
struct NewsRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        let orders = NewsOrder.allCases.map(\.rawValue)
        calls.on(
            .get,
            "news",
            "Lists what happened, what matters most now first.",
            .before,
            API.Parameter(
                "order",
                .word(orders),
                "`best`, the usual: by rank, without further pages. `newest`: everything, newest first."
            ),
            API.Parameter(
                "near",
                .text(limit: 60),
                "LATITUDE,LONGITUDE: only what happens at places near it, the newest first, which is the only order then."
            ),
            API.Parameter("radius_m", .number(1...1_000_000), "How far `near` reaches; without it 5000.")
        ) { request, context in
            let order = try request.query("order").map { word in
                guard let order = NewsOrder(rawValue: word) else {
                    throw API.Problem(.badRequest, "The order '\(word.prefix(40))' is none. There are: best, newest.")
                }
                return order
            }
            let circle = try ListQuery(.place, request.parameters.filter { ["near", "radius_m"].contains($0.key) })
                .circle()
            if let circle {
                guard order != .best else {
                    throw API.Problem(.badRequest, "News near a position are in the order of time: order=newest")
                }
                return try parts.service(request, context).news(near: circle, before: request.query("before"))
            }
            return try parts.service(request, context).news(order: order ?? .best, before: request.query("before"))
        }
        addNotifications(to: calls)
    }

    private func addNotifications(to calls: CallRouter) {
        calls.on(
            .get,
            "notifications",
            "Lists what concerns this person, the latest first.",
            .before,
            .limit,
            API.Parameter("unread", .flag, "Whether to list only what the person has not read.")
        ) { request, context in
            try parts.service(request, context).notifications(
                before: request.query("before"),
                limit: ListQuery.limit(request.parameters),
                isUnread: request.flag("unread")
            )
        }
        calls.done(.put, "notifications/read", "Says that this person has read what concerns the person.") {
            (read: API.Envelope.Read, request, context) in
            let target = try read.target.map(RequestValidation.reference)
            try await parts.write(request, context) { try $0.read(target, until: read.until) }
        }
        calls.done(.put, "notifications/muted", "Tells this person nothing more of what happens at a thing, or again.")
        {
            (muting: API.Envelope.Muting, request, context) in
            let target = try RequestValidation.reference(muting.target)
            try await parts.write(request, context) { try $0.mute(target, muting.muted) }
        }
    }
}
