// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleCommandLine
import MingleModel
import MingleNode
import MingleWeb
import ServiceLifecycle

/// Runs a relay until it is stopped.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Run a relay, which stores and forwards events and cannot read them.",
        discussion: """
            Run a relay on a machine that stays on. A host of each event creates a link for it: mingle invite --level \
            relay. Without links, the relay continues with the events in its folder.

            A relay keeps everything unless a limit is set. Data beyond a limit is deleted from the relay for good, \
            and nodes that ask for it are told. To check a relay, use mingle status, mingle peers and mingle doctor \
            with the same --data. In a settings file, use the key link for a link.
            """
    )

    @OptionGroup var data: DataOption
    @Argument(help: "Links for relays. Links that the relay already knows are ignored.") var links: [String] = []

    @Option(name: .long, help: "TCP port for other nodes. Default: a free port, the same at every start.")
    var peerPort: Int?

    @Option(name: .customLong("peer"), help: "Node to connect to, as HOST:PORT. Repeatable.", transform: Given.peer)
    var peers: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Do not find other nodes, or be found, by mDNS.")
    var withoutDiscovery = false

    @Option(help: "Bytes of pictures to keep, of all events together, such as 50GB. Default: no limit.")
    var keepBlobs: ByteCount?
    @Option(help: "Bytes to keep of one event. Default: no limit.") var keepEvent: ByteCount?
    @Option(help: "Bytes to keep of one person in one event. Default: no limit.") var keepAuthor: ByteCount?
    @Option(help: "Posts to keep of one person per hour, in one event. Default: no limit.") var keepHourly: Int?
    @Option(help: "Days to keep an event after its last change. Default: no limit.") var keepDays: Int?

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        guard (0...65535).contains(peerPort ?? 0) else {
            throw ValidationError("Not a valid --peer-port. Use 0 to 65535.")
        }
        guard (1...36_500).contains(keepDays ?? 1) else {
            throw ValidationError("Not a valid --keep-days. Use 1 to 36500 days.")
        }
        guard (keepHourly ?? 0) >= 0 else { throw ValidationError("Not a valid --keep-hourly. Use 0 or more.") }
        try service.requireApart(fromPeers: peerPort)
    }

    func run() async throws {
        let links = try links.map(Node.readRelayLink)
        umask(0o077)
        // Keeps SQLite's temporary files in the data folder.
        unsafe setenv("SQLITE_TMPDIR", URL(fileURLWithPath: data.path).standardizedFileURL.path, 0)
        OpenFiles.allowMany()
        let log = service.logSettings
        let (logger, serverLogger) = service.loggers(log)
        var configuration = configuration
        configuration.passphrase = try service.keys.passphrase(of: data.path)
        let node = try Node(configuration, logger: logger)
        // Checks the ports first: a failed start uses up no link.
        try await service.requireFree()
        try await node.relay(links)
        try? FileManager.default.removeItem(atPath: node.socketPath)
        do {
            try await node.listen()
            // Not `Swift.print`, which buffers: programs wait for this line through a pipe.
            let text =
                "Mingle is relaying \(node.eventCount.counted("event")) on TCP port \(node.peerPort).\n"
                + "Data: \(data.path). Stop with Ctrl-C."
            try? StandardOutput.print(text)
            let manager = ServiceManager()
            manager.noteReady("Relaying \(node.eventCount.counted("event")) on TCP port \(node.peerPort)")
            let services: [any Service] = [
                NodeService(node: node), Reloading(self, node, log, logger), manager,
                RelayServer.service(of: node, logger: serverLogger),
            ]
            try await service.run(services + service.watching(node, logger: serverLogger))
        } catch {
            throw service.explained(error)
        }
        try? FileManager.default.removeItem(atPath: node.socketPath)
    }

    private var configuration: NodeConfiguration {
        var configuration = NodeConfiguration(
            dataPath: data.path,
            peerPort: peerPort,
            peers: peers,
            discovers: !withoutDiscovery
        )
        configuration.beRelay(
            blobBytes: keepBlobs?.bytes,
            eventBytes: keepEvent?.bytes,
            authorBytes: keepAuthor?.bytes,
            authorHourly: keepHourly,
            days: keepDays
        )
        return configuration
    }
}

extension RelayCommand: ConfiguredCommand {
    static var takesLinks: Bool { true }

    static func problem(withLink text: String) -> String? {
        Given.problem { _ = try Node.readRelayLink(text) }
    }

    func differences(to other: RelayCommand) -> [String] {
        let settings = [
            ("data", data.path == other.data.path), ("link", links == other.links),
            ("peer-port", peerPort == other.peerPort), ("no-discovery", withoutDiscovery == other.withoutDiscovery),
            ("keep-blobs", keepBlobs == other.keepBlobs), ("keep-event", keepEvent == other.keepEvent),
            ("keep-author", keepAuthor == other.keepAuthor), ("keep-hourly", keepHourly == other.keepHourly),
            ("keep-days", keepDays == other.keepDays),
        ]
        return settings.filter { !$0.1 }.map(\.0) + service.differences(to: other.service)
    }
}

/// A number of bytes, written as `500MB`, `50GB` or `10GiB`.
struct ByteCount: ExpressibleByArgument, Equatable {
    let bytes: Int

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let units = [
            "": 1, "k": 1000, "kb": 1000, "kib": 1 << 10, "m": 1_000_000, "mb": 1_000_000, "mib": 1 << 20,
            "g": 1_000_000_000, "gb": 1_000_000_000, "gib": 1 << 30, "t": 1_000_000_000_000, "tb": 1_000_000_000_000,
            "tib": 1 << 40,
        ]
        guard let count = Int(digits), let unit = units[argument.dropFirst(digits.count).lowercased()] else {
            return nil
        }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }
}
