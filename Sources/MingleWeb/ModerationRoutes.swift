// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleNode

/// Hiding what should not be seen, who did, and what people report.
struct ModerationRoutes {
    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("hidden") { request, _ in try Response.json(node.hidden(event: request.event)) }
        api.get("hidden/log") { request, _ in try Response.json(node.hidingLog(event: request.event)) }
        api.put("hidden/:id") { request, context in
            let reason = try await request.value(API.Envelope.Reason.self).reason
            try node.hide(context.id, because: reason, event: request.event)
            return Response.done
        }
        api.delete("hidden/:id") { request, context in
            try node.unhide(context.id, event: request.event)
            return Response.done
        }
        api.get("reports") { request, _ in try Response.json(node.reported(event: request.event)) }
        api.put("reports/:id") { request, context in
            let new = try await request.value(API.NewReport.self)
            try node.report(context.id, because: new.reason, text: new.text, event: request.event)
            return Response.done
        }
    }
}
