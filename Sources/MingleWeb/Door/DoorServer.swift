// SPDX-License-Identifier: Apache-2.0

import Hummingbird
package import Logging
import MingleAPI
package import MingleNode
package import ServiceLifecycle

/// Serves a door: to phones on the LAN what guests may do, and to its operator, on the Unix socket, how it is.
package struct DoorServer: Sendable {
    /// Connections in all, and of one address: a browser has six, and many people may be behind one address.
    private static let connections = (all: 4096, address: 1024)
    /// Pages that are told of changes: in all, of one browser, whose pages share one, and of one address.
    private static let streams = (all: 2048, browser: 6, address: 1024)
    /// Beyond its places, a connection is closed at once and does not wait.
    private static let limits = ServerLimits(headFields: 64, connections: 2 * connections.all)

    private let door: Door
    private let entrance: DoorEntrance
    private let names: [String]
    private let logger: Logger

    /// Serves the event of `door` to browsers that show `code`.
    ///
    /// - Parameter names: Names by which browsers may call it, besides its addresses.
    package init(_ door: Door, code: DoorCode, names: [String], logger: Logger) {
        self.init(door, code: code, names: names, logger: logger) { NodeClock.system.uptime() }
    }

    init(
        _ door: Door,
        code: DoorCode,
        names: [String] = [],
        logger: Logger,
        now: @escaping @Sendable () -> Duration
    ) {
        (self.door, self.names, self.logger) = (door, names, logger)
        entrance = DoorEntrance(code, now: now) { door.state(of: $0) }
    }

    /// What stands behind the host in the address that guests open; capitals make its QR code smaller.
    package static func path(of code: DoorCode) -> String { "/" + code.code.uppercased() }

    /// The server for guests, which listens on `host` and `port`; `onReady` hears when it does.
    package func guestServer(
        host: String,
        port: Int,
        onReady: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> any Service {
        let places = Places(limit: Self.connections.all, perAddress: Self.connections.address)
        let limits = Self.limits
        return Application(
            router: guestRouter(),
            server: .limited(limits) { [ConnectionPlace(in: places)] },
            configuration: .mingle(.hostname(host, port: port), limits, logger),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    /// What its operator asks, on the socket in its folder.
    package func operatorServer() -> any Service {
        Application(
            router: RelayServer.router(door.node, refusing: .doorTakesNoPart),
            server: .limited(.commandLine),
            configuration: .mingle(.unixDomainSocket(path: door.node.socketPath), .commandLine, logger),
            logger: logger
        )
    }

    /// All paths as guests reach them.
    func guestRouter() -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SafetyHeaders())
        router.add(middleware: ProblemMiddleware(isForGuests: true))
        router.add(middleware: HostGuard.door(names: names))
        router.add(middleware: OwnOriginOnly())
        router.add(middleware: GzipJSON())
        router.add(middleware: DoorGuard(entrance: entrance, door: door))
        let streams = Places(limit: Self.streams.all, perAddress: Self.streams.browser)
        let streamsByAddress = Places(limit: Self.streams.all, perAddress: Self.streams.address)
        DoorRoutes(door: door, entrance: entrance, streams: streams, streamsByAddress: streamsByAddress).add(to: router)
        return router
    }
}
