// SPDX-License-Identifier: Apache-2.0

import Hummingbird
package import Logging
import MingleAPI
package import MingleNode
package import ServiceLifecycle

/// Serves a showcase: to visitors on the LAN what they may look at, and to its operator, on the Unix socket, how it is.
package struct ShowcaseServer: Sendable {
    /// Connections in all, and of one address: a browser has six, and several people may be behind one address.
    private static let connections = (all: 1024, address: 96)
    /// Pages that are told of changes.
    private static let streams = (all: 512, address: 32)
    /// Beyond its places, a connection is closed at once and does not wait.
    private static let limits = ServerLimits(headFields: 64, connections: 2 * connections.all)

    private let node: Node
    private let door: ShowcaseDoor
    private let names: [String]
    private let logger: Logger

    /// Serves the event that `node` shows, to who knows `code`.
    ///
    /// - Parameter names: Names by which browsers may call it, besides its addresses.
    package init(_ node: Node, code: VisitorCode, names: [String], logger: Logger) {
        self.init(node, code: code, names: names, logger: logger) { NodeClock.system.uptime() }
    }

    init(
        _ node: Node,
        code: VisitorCode,
        names: [String] = [],
        logger: Logger,
        now: @escaping @Sendable () -> Duration
    ) {
        (self.node, self.names, self.logger) = (node, names, logger)
        door = ShowcaseDoor(code, now: now)
    }

    /// What stands behind the host in the address that visitors open.
    package static func path(of code: VisitorCode) -> String { ShowcaseDoor.prefix + code.code }

    /// The server for visitors, which listens on `host` and `port`; `onReady` hears when it does.
    package func visitorServer(
        host: String,
        port: Int,
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> any Service {
        let places = Places(limit: Self.connections.all, perAddress: Self.connections.address)
        let limits = Self.limits
        return Application(
            router: visitorRouter(),
            server: .limited(limits) { [ConnectionPlace(in: places)] },
            configuration: .mingle(.hostname(host, port: port), limits, logger),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    /// What its operator asks, on the socket in its folder.
    package func operatorServer() -> any Service {
        Application(
            router: RelayServer.router(node, refusing: .showcaseTakesNoPart),
            server: .limited(.commandLine),
            configuration: .mingle(.unixDomainSocket(path: node.socketPath), .commandLine, logger),
            logger: logger
        )
    }

    /// All paths as visitors reach them.
    func visitorRouter() -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SafetyHeaders())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: HostGuard.showcase(names: names))
        router.add(middleware: GzipJSON())
        router.add(middleware: LookingOnly())
        router.add(middleware: VisitorGuard(door: door))
        ShowcaseRoutes(node: node, streams: Places(limit: Self.streams.all, perAddress: Self.streams.address))
            .add(to: router)
        return router
    }
}
