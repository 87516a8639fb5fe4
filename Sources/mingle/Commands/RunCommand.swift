// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleCommandLine
import MingleNode
import MingleWeb
import ServiceLifecycle

/// Runs a node and its page until it is stopped.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Start your node and its page at http://127.0.0.1:4780."
    )

    @OptionGroup var data: DataOption

    @Option(name: [.customShort("p"), .long], help: "Port of the page. 0 uses any free port.")
    var port = 4780

    @Option(name: .long, help: "TCP port for other nodes. Default: a free port, the same at every start.")
    var peerPort: Int?

    @Option(
        name: .customLong("peer"),
        help: "Node to connect to, as HOST:PORT, where mDNS finds none. Repeatable.",
        transform: Given.peer
    )
    var peers: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Do not find other nodes, or be found, by mDNS.")
    var withoutDiscovery = false

    @Flag(name: .customLong("no-nearby"), help: "Do not announce which of your events anyone nearby can join.")
    var untold = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Bytes of posts, without pictures, to keep of each other person in one event. Default: 64MB.",
            valueName: "bytes"
        )
    )
    var keepAuthor: ByteCount?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Posts to keep of each other person per hour. Default: \(NodeConfiguration.leastAuthorHourly).",
            valueName: "count"
        )
    )
    var keepHourly: Int?

    @Option(
        name: .customLong("open"),
        help: ArgumentHelp(
            "Let phones take part: open a door on this address, such as 0.0.0.0:8080. It stays open at later starts.",
            valueName: "host:port"
        ),
        transform: Given.listeningAddress
    )
    var open: ListeningAddress?

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        let (bytes, hourly) = (NodeConfiguration.leastAuthorBytes, NodeConfiguration.leastAuthorHourly)
        if (keepAuthor?.bytes ?? .max) < bytes {
            throw Self.tooLittle("--keep-author", least: "\(bytes / 1_000_000)MB")
        }
        if (keepHourly ?? .max) < hourly { throw Self.tooLittle("--keep-hourly", least: "\(hourly)") }
        guard (0...65535).contains(port) else { throw ValidationError("Not a valid --port. Use 0 to 65535.") }
        guard (0...65535).contains(peerPort ?? 0) else {
            throw ValidationError("Not a valid --peer-port. Use 0 to 65535.")
        }
        try service.requireApart(fromPeers: peerPort)
    }

    private static func tooLittle(_ option: String, least: String) -> ValidationError {
        ValidationError(
            "\(option) must be at least \(least). People can post that much, and a node that keeps less can miss "
                + "withdrawn invitations and hidden posts. A relay can keep less: mingle relay \(option)"
        )
    }

    func run() async throws {
        // Only the owner may read the files of this process.
        umask(0o077)
        // Keeps SQLite's temporary files, which contain people's posts, in the data folder.
        unsafe setenv("SQLITE_TMPDIR", URL(fileURLWithPath: data.path).standardizedFileURL.path, 0)
        let log = service.logSettings
        let (logger, serverLogger) = service.loggers(log)
        var configuration = NodeConfiguration(
            dataPath: data.path,
            peerPort: peerPort,
            peers: peers,
            discovers: !withoutDiscovery
        )
        configuration.tellsNearby = !untold
        configuration.passphrase = try service.keys.passphrase(of: data.path)
        configuration.keep(authorBytes: keepAuthor?.bytes, authorHourly: keepHourly)
        let node = try Node(configuration, logger: logger)
        try await service.requireFree()
        try? FileManager.default.removeItem(atPath: node.socketPath)
        let path = data.path
        let manager = ServiceManager()
        let door = HostedDoor(
            of: node,
            in: path,
            reopens: open == nil,
            logger: logger,
            serverLogger: serverLogger
        )
        let opening = Opening(door, of: node, at: open)
        let server = WebServer(node, door: door, port: port, logger: serverLogger) { port in
            // Not `Swift.print`, which buffers: programs wait for this line through a pipe.
            let text = "Mingle is running. Open http://127.0.0.1:\(port)\nData: \(path). Stop with Ctrl-C."
            try? StandardOutput.print(text)
            manager.noteReady("The page is at http://127.0.0.1:\(port)")
        }
        do {
            try await node.listen()
            let services: [any Service] = [
                NodeService(node: node), Reloading(self, node, log, logger), manager, door, opening,
            ]
            try await service.run(services + server.services() + service.watching(node, logger: serverLogger))
        } catch {
            throw service.explained(error, page: port)
        }
        try? FileManager.default.removeItem(atPath: node.socketPath)
    }
}

extension RunCommand: ConfiguredCommand {
    func differences(to other: RunCommand) -> [String] {
        var names: [String] = []
        if data.path != other.data.path { names.append("data") }
        if port != other.port { names.append("port") }
        if peerPort != other.peerPort { names.append("peer-port") }
        if withoutDiscovery != other.withoutDiscovery { names.append("no-discovery") }
        if untold != other.untold { names.append("no-nearby") }
        if open != other.open { names.append("open") }
        if keepAuthor != other.keepAuthor { names.append("keep-author") }
        if keepHourly != other.keepHourly { names.append("keep-hourly") }
        return names + service.differences(to: other.service)
    }
}

/// The node as a service of the process.
struct NodeService: Service {
    let node: Node

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await node.run() }
    }
}
