// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleNode
import MingleWeb
import ServiceLifecycle

/// Runs a relay until it is stopped: the machine that a venue leaves running.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Carry events for everybody and read nothing of them: for a machine that stays on.",
        discussion: """
            A host of each event makes a link for the relay: mingle invite --level relay. Without links the relay goes on with \
            the events that its folder holds. It keeps all that is shared unless a limit says otherwise; what goes beyond one \
            is let go of for good, and whoever asks is told. How it is: mingle status, peers and doctor, with the same --data.
            In a file of settings the key link stands for a link.
            """
    )

    @OptionGroup var data: DataOption
    @Argument(help: "Links for relays; one that is known already is left as it is.") var links: [String] = []

    @Option(name: .long, help: "The TCP port for nodes; any that is free if left out, and then always the same.")
    var peerPort: Int?

    @Option(name: .customLong("peer"), help: "A node to connect to, as HOST:PORT. Repeatable.", transform: Given.peer)
    var peers: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Do not use mDNS.")
    var withoutDiscovery = false

    @Option(help: "Hold so many bytes of pictures, of all events together, such as 50GB.") var keepBlobs: ByteCount?
    @Option(help: "Hold so many bytes of one event.") var keepEvent: ByteCount?
    @Option(help: "Hold so many bytes of one person in one event.") var keepAuthor: ByteCount?
    @Option(help: "Hold so many of the words that one person dates within one hour, in one event.") var keepHourly: Int?
    @Option(help: "Hold an event for so many days after the last news of it.") var keepDays: Int?

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        guard (0...65535).contains(peerPort ?? 0) else { throw ValidationError("A port is 0 to 65535.") }
        guard (1...36_500).contains(keepDays ?? 1) else { throw ValidationError("--keep-days takes 1 to 36500 days.") }
        guard (keepHourly ?? 0) >= 0 else { throw ValidationError("--keep-hourly takes 0 or more.") }
        try service.requireApart(fromPeers: peerPort)
    }

    func run() async throws {
        let links = try links.map(Node.readRelayLink)
        umask(0o077)
        // What SQLite writes to temporary files stays in the relay's folder.
        unsafe setenv("SQLITE_TMPDIR", URL(fileURLWithPath: data.path).standardizedFileURL.path, 0)
        OpenFiles.allowMany()
        let log = service.logSettings
        let (logger, serverLogger) = service.loggers(log)
        let node = try Node(configuration, logger: logger)
        // A start that cannot have its port uses up no link.
        try await service.requireFree()
        try await node.relay(links)
        try? FileManager.default.removeItem(atPath: node.socketPath)
        do {
            try await node.listen()
            // Written past the buffer of `print`, since programs wait for this line through a pipe.
            let text =
                "Mingle relays \(node.eventCount) event\(node.eventCount == 1 ? "" : "s") on TCP port \(node.peerPort).\n"
                + "Data: \(data.path). Stop with Ctrl-C.\n"
            try? StandardOutput.write(Data(text.utf8))
            let services: [any Service] = [
                NodeService(node: node), Reloading(self, node, log, logger),
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

/// A number of bytes as people write it: `500MB`, `50GB`, `10GiB`.
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
