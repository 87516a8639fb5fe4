// SPDX-License-Identifier: Apache-2.0

import Hummingbird
package import Logging
import MingleAPI
import MingleEvent
package import MingleNode
package import ServiceLifecycle

/// What a relay's operator asks, on the Unix socket of its folder; a relay has no page and nothing to show on one.
package enum RelayServer {
    /// The server, ready to run.
    package static func service(of node: Node, logger: Logger) -> any Service {
        Application(
            router: router(node),
            server: .limited(.commandLine),
            configuration: .mingle(.unixDomainSocket(path: node.socketPath), .commandLine, logger),
            logger: logger
        )
    }

    /// - Parameter refusal: What is answered to all that only a person's node has.
    static func router(_ node: Node, refusing refusal: API.Problem = .relayReadsNothing) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware())
        let api = router.group("api/v1")
        api.get("status") { request, _ in try Response.json(node.status(event: request.event)) }
        api.get("doctor") { _, _ in try Response.json(node.doctor()) }
        api.get("peers") { request, _ in try Response.json(node.peers(event: request.event)) }
        api.get("people") { request, _ in try Response.json(node.service(request.event).people()) }
        UpkeepRoutes(node: node).add(to: CallRouter(api))
        HealthRoutes(node: node).add(to: router)
        api.get("events") { _, _ in try Response.json(node.eventList()) }
        api.delete("events/:id") { request, context in
            try await Response.json(node.leaveEvent(context.id, try LeavingManner(request)))
        }
        // A path that is known for one method does not fall through to all others.
        api.post("events") { _, _ -> Response in throw refusal }
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            api.on("**", method: method) { _, _ -> Response in throw refusal }
        }
        return router
    }
}
