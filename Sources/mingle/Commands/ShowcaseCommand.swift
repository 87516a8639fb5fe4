// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleNode
import MingleWeb
import ServiceLifecycle

/// Runs a showcase until it is stopped: a page for people at the event who have a phone and no node.
struct ShowcaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "showcase",
        abstract: "Show an event to people without a node: they scan a code and look on in their browser.",
        discussion: """
            A host of the event makes a link for it, by which it only reads: mingle invite --new --level guest. Later starts need no \
            link. Visitors see photos, moments, comments, names and what happens, and change nothing; nothing private is on this \
            node. Who does not know the code sees nothing. A host ends it by taking it out of the event (mingle people remove).
            In a file of settings the key link stands for the link.
            """
    )

    @OptionGroup var data: DataOption
    @Argument(
        help: "An invitation for guests, of which the last counts; not used once the showcase has its event."
    )
    var links: [String] = []

    @Option(help: "Where browsers find the page.") var listen = ListeningAddress.everywhere

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "A name by which phones find this machine, such as party.local, for the address on the code. Repeatable.",
            valueName: "name"
        )
    )
    var hosts: [String] = []

    @Option(help: "How it is called among the people; \(Node.showcaseName) if left out.") var name: String?

    @Flag(help: "Draw a new code: nobody gets in by the last one, nor stays in.") var newCode = false

    @Option(name: .long, help: "The TCP port for nodes; any that is free if left out, and then always the same.")
    var peerPort: Int?

    @Option(name: .customLong("peer"), help: "A node to connect to, as HOST:PORT. Repeatable.")
    var peers: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Do not use mDNS.")
    var withoutDiscovery = false

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        guard (0...65535).contains(peerPort ?? 0) else { throw ValidationError("A port is 0 to 65535.") }
        let isHost = { (host: String) in
            !host.isEmpty && host.utf8.count <= 253
                && host.utf8.allSatisfy { UInt8(ascii: "-") == $0 || UInt8(ascii: ".") == $0 || Self.isWord($0) }
        }
        if let host = hosts.first(where: { !isHost($0) }) {
            throw ValidationError(
                "'\(host)' is no name of a machine: write it as party.local, without http:// and port."
            )
        }
    }

    private static func isWord(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    func run() async throws {
        let link = try links.last.map(Node.readShowcaseLink)
        umask(0o077)
        // What SQLite writes to temporary files stays in the showcase's folder.
        unsafe setenv("SQLITE_TMPDIR", URL(fileURLWithPath: data.path).standardizedFileURL.path, 0)
        OpenFiles.allowMany()
        let log = service.logSettings
        let (logger, serverLogger) = service.loggers(log)
        let node = try Node(configuration, logger: logger)
        try await node.show(by: link, named: name)
        let code = try node.visitorCode(isNew: newCode)
        let server = ShowcaseServer(node, code: code, names: hosts, logger: serverLogger)
        try? FileManager.default.removeItem(atPath: node.socketPath)
        do {
            try await node.listen()
            let poster = ShowcasePoster(node: node, path: ShowcaseServer.path(of: code), listen: listen, hosts: hosts)
            let services: [any Service] = [
                NodeService(node: node), Reloading(self, node, log, logger), server.operatorServer(),
                server.visitorServer(host: listen.host, port: listen.port), poster,
            ]
            try await service.run(services + service.watching(node, logger: serverLogger))
        } catch {
            throw service.explained(error, page: listen.port, option: "--listen")
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
        (configuration.isShowcase, configuration.tellsNearby) = (true, false)
        return configuration
    }
}

extension ShowcaseCommand: ConfiguredCommand {
    func differences(to other: ShowcaseCommand) -> [String] {
        let settings = [
            ("data", data.path == other.data.path), ("link", links == other.links), ("listen", listen == other.listen),
            ("host", hosts == other.hosts), ("name", name == other.name), ("new-code", newCode == other.newCode),
            ("peer-port", peerPort == other.peerPort), ("no-discovery", withoutDiscovery == other.withoutDiscovery),
        ]
        return settings.filter { !$0.1 }.map(\.0) + service.differences(to: other.service)
    }
}

extension ListeningAddress {
    /// Every address of this machine, on the port that many pages have.
    static let everywhere = ListeningAddress(host: "0.0.0.0", port: 8080)

    /// Whether it is every address of this machine.
    var isEverywhere: Bool { ["0.0.0.0", "::"].contains(host) }
}

extension ListeningAddress: CustomStringConvertible {
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
