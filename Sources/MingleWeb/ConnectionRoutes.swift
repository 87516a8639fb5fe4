// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleNode

/// Connections of this node's person with others.
struct ConnectionRoutes {
    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.get("connections") { request, _ in try Response.json(node.connections(event: request.event)) }
        api.put("connections/:id") { request, context in
            try Response.json(node.connect(context.id, true, event: request.event))
        }
        api.delete("connections/:id") { request, context in
            try Response.json(node.connect(context.id, false, event: request.event))
        }
    }
}
