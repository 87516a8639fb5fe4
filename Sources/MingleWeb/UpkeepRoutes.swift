// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleNode

/// What the operator has done to the stored data.
struct UpkeepRoutes {
    let node: Node

    func add(to api: RouterGroup<WebContext>) {
        api.post("verify") { request, _ in try await Response.json(node.verify(event: request.event)) }
        api.post("repair") { request, _ in try await Response.json(node.repair(event: request.event)) }
        api.get("missing") { request, _ in try Response.json(node.missing(event: request.event)) }
        for work in ["verify", "repair", "backup"] {
            api.get("\(work)") { _, _ in try Response.json(node.progress(of: work)) }
        }
        api.post("backup") { request, _ in
            let path = try await request.value(API.Envelope.Path.self).path
            return try await Response.json(node.backUp(to: path))
        }
    }
}
