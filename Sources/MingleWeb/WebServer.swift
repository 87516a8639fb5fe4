// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
package import Logging
import MingleAPI
package import MingleNode
import MinglePeering
import NIOCore
package import ServiceLifecycle

/// Serves the local API and the web app: on a Unix socket for the command line, on a TCP port for browsers.
package struct WebServer: Sendable {
    private let node: Node
    private let door: HostedDoor?
    private let port: Int
    private let logger: Logger
    private let onReady: @Sendable (Int) async -> Void

    /// Serves `node` on `port` of the loopback address; `onReady` hears which port it became.
    ///
    /// - Parameter door: What opens a door for phones beside the node.
    package init(
        _ node: Node,
        door: HostedDoor? = nil,
        port: Int,
        logger: Logger,
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        (self.node, self.door, self.port) = (node, door, port)
        (self.logger, self.onReady) = (logger, onReady)
    }

    /// The two servers, ready to run.
    package func services() -> [any Service] { [browserServer(), commandLineServer()] }

    /// A server of nothing but metrics and health, for what watches over the node from elsewhere.
    package static func watchServer(_ node: Node, host: String, port: Int, logger: Logger) -> some Service {
        Application(
            router: watchRouter(node, host: host),
            server: .limited(.watchers),
            configuration: .mingle(.hostname(host, port: port), .watchers, logger),
            logger: logger
        )
    }

    /// The paths of metrics and health, under the machine's addresses and names and under `host`.
    static func watchRouter(_ node: Node, host: String) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SafetyHeaders())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: HostGuard.watchers(host: host))
        HealthRoutes(node: node).add(to: router)
        OtherMethods.refuse(in: router)
        return router
    }

    private func browserServer() -> some Service {
        Application(
            router: Self.browserRouter(node, door),
            server: .limited(.browsers),
            configuration: .mingle(.hostname("127.0.0.1", port: port), .browsers, logger),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func commandLineServer() -> some Service {
        Application(
            router: Self.commandLineRouter(node, door),
            server: .limited(.commandLine),
            configuration: .mingle(.unixDomainSocket(path: node.socketPath), .commandLine, logger),
            logger: logger
        )
    }

    /// The paths as browsers reach them: guarded against pages of other sites.
    static func browserRouter(_ node: Node, _ door: HostedDoor? = nil) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        // Outside of what makes problems, so that these have the headers as well.
        router.add(middleware: SafetyHeaders())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: OriginGuard())
        router.add(middleware: GzipJSON())
        addRoutes(of: node, door, to: router, isTrusted: false)
        return router
    }

    /// The paths as the command line reaches them: who may open the socket may do everything.
    static func commandLineRouter(_ node: Node, _ door: HostedDoor? = nil) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware())
        addRoutes(of: node, door, to: router, isTrusted: true)
        return router
    }

    /// Adds all paths; those of who keeps the node running only for who may use its files anyway.
    private static func addRoutes(
        of node: Node,
        _ door: HostedDoor?,
        to router: Router<WebContext>,
        isTrusted: Bool
    ) {
        let api = router.group("api/v1")
        let (calls, parts) = (CallRouter(api), Parts.own(of: node))
        EventRoutes(node: node, parts: parts, door: door).add(to: calls)
        NewsRoutes(parts: parts).add(to: calls)
        DoorsRoutes(node: node, door: door).add(to: calls)
        PlaceCodeRoutes(parts: parts, door: door).add(to: calls)
        MomentRoutes(node: node, parts: parts).add(to: calls)
        PhotoRoutes(node: node, parts: parts).add(to: calls)
        ArchiveRoutes(node: node, parts: parts).add(to: calls)
        ExportRoutes(node: node, parts: parts).add(to: calls)
        UploadRoutes.own(of: node, parts).add(to: calls)
        PeopleRoutes(node: node, parts: parts).add(to: calls)
        ProfileRoutes(node: node, parts: parts).add(to: calls)
        SearchRoutes(parts: parts).add(to: calls)
        PlaceRoutes(parts: parts).add(to: calls)
        ConnectionRoutes(parts: parts).add(to: calls)
        PlaceImportRoutes(parts: parts).add(to: calls)
        ModerationRoutes(parts: parts).add(to: calls)
        MediaRoutes(node: node, parts: parts).add(to: calls)
        StreamRoutes(node: node).add(to: calls)
        // Behind what is written by hand, which goes first.
        DealRoutes(parts: parts).add(to: calls)
        LivePlaceRoutes(parts: parts).add(to: calls)
        KindRoutes(parts: parts).add(to: calls)
        if isTrusted { UpkeepRoutes(node: node).add(to: calls) }
        let description = API.OpenAPI.document(of: calls.calls, version: Node.version)
        api.get("openapi.json") { _, _ in try Response.json(description) }
        HealthRoutes(node: node).add(to: router)
        AppRoutes().add(to: router)
        OtherMethods.refuse(in: router)
    }
}

/// What a request carries through the middleware.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that it came by.
    let channel: any Channel
    /// The browser that it comes from, where a door has let it in.
    var browser: Browser?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
