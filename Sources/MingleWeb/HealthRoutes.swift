// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleNode
import NIOCore

/// What watches over a node reads: whether it lives, whether it can do its work, and its numbers.
struct HealthRoutes {
    let node: Node

    func add(to router: Router<WebContext>) {
        router.get("health/live") { _, _ in Self.text("alive\n", "text/plain; charset=utf-8") }
        router.get("health/ready") { _, _ in
            let health = node.health()
            return try Response.json(health, status: health.ready ? .ok : .serviceUnavailable)
        }
        router.get("metrics") { _, _ in Self.text(node.metrics(), Node.metricsType) }
    }

    private static func text(_ text: String, _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
