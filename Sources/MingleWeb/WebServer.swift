// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
package import Logging
package import MingleNode
package import ServiceLifecycle

/// Serves the local API and the web app: on a Unix socket for the command line, on a TCP port for browsers.
package struct WebServer: Sendable {
    private let node: Node
    private let port: Int
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// Serves `node` on `port` of the loopback address; `onReady` hears which port it became.
    package init(
        _ node: Node,
        port: Int,
        logger: Logger,
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        (self.node, self.port, self.logger, self.onReady) = (node, port, logger, onReady)
    }

    /// The two servers, ready to run.
    package func services() -> [any Service] { [browserServer(), commandLineServer()] }

    private func browserServer() -> some Service {
        let router = Router(context: WebContext.self)
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: SafetyHeaders())
        router.add(middleware: OriginGuard())
        addRoutes(to: router)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                serverName: "mingle"
            ),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func commandLineServer() -> some Service {
        let router = Router(context: WebContext.self)
        router.add(middleware: ProblemMiddleware())
        addRoutes(to: router)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: node.socketPath),
                serverName: "mingle"
            ),
            logger: logger
        )
    }

    private func addRoutes(to router: Router<WebContext>) {
        let api = router.group("api/v1")
        EventRoutes(node: node).add(to: api)
        MomentRoutes(node: node).add(to: api)
        PhotoRoutes(node: node).add(to: api)
        PeopleRoutes(node: node).add(to: api)
        MediaRoutes(node: node).add(to: api)
        StreamRoutes(node: node).add(to: api)
        AppRoutes().add(to: router)
    }
}

/// What a request carries through the middleware.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}
