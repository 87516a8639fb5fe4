// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleCommandLine
import MingleModel
import MingleNode
import MinglePeering
import MingleWeb
import ServiceLifecycle

/// Runs a door until it is stopped: a page by which people at the event take part who have only a phone.
struct DoorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "door",
        abstract: "Let people with only a phone take part: they scan a code and share in a browser.",
        discussion: """
            A host of the event creates a link for the door: mingle invite --door. Later starts need no link. Guests \
            share photos, comment and take part under a name of their own. With a link made with --level guest, they \
            only look. Nothing private is on this node. Without the code, a browser sees nothing.

            To end a door and the part of all who came by it, a host closes it: mingle people remove.

            Other users of this machine can see the arguments of a command. To keep the link secret, use '-' and pass \
            it on standard input, or use the key link in a settings file. Nobody else can join with a link made with \
            --uses 1.
            """
    )

    @OptionGroup var data: DataOption
    @Argument(
        help: """
            Link for a door; '-' reads it from standard input. Of several links, the last one counts. Ignored \
            when the door has an event.
            """
    )
    var links: [String] = []

    @Option(
        help: ArgumentHelp("Address of the page for browsers. Default: 0.0.0.0:8080.", valueName: "host:port"),
        transform: Given.listeningAddress
    )
    var listen = ListeningAddress.everywhere

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "Name or address of this machine in the code, such as party.local. Repeatable.",
            valueName: "name"
        ),
        transform: Given.host
    )
    var hosts: [String] = []

    @Option(help: "Name of the door in the list of people. Default: \(Node.doorName).") var name: String?

    @Flag(help: "Create a new code. Guests scan it once more; who has only the old code stays out.") var newCode = false

    @Flag(help: "Show what guests send only after a moderator has looked at it.") var hold = false

    @Flag(help: "Show guests only what they sent themselves.") var dropOnly = false

    @Option(name: .long, help: "TCP port for other nodes. Default: a free port, the same at every start.")
    var peerPort: Int?

    @Option(name: .customLong("peer"), help: "Node to connect to, as HOST:PORT. Repeatable.", transform: Given.peer)
    var peers: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Do not find other nodes, or be found, by mDNS.")
    var withoutDiscovery = false

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        guard (0...65535).contains(peerPort ?? 0) else {
            throw ValidationError("Not a valid --peer-port. Use 0 to 65535.")
        }
        try service.requireApart(fromPeers: peerPort)
    }

    func run() async throws {
        let link = try links.last.map { try Node.readDoorLink(Given.link($0)) }
        // Checks the address first: a failed start uses up no link.
        try await service.requireFree(page: listen)
        umask(0o077)
        // Keeps SQLite's temporary files in the data folder.
        unsafe setenv("SQLITE_TMPDIR", URL(fileURLWithPath: data.path).standardizedFileURL.path, 0)
        OpenFiles.allowMany()
        let log = service.logSettings
        let (logger, serverLogger) = service.loggers(log)
        var configuration = configuration
        configuration.passphrase = try service.keys.passphrase(of: data.path)
        let node = try Node(configuration, logger: logger)
        try await node.show(by: link, named: name)
        let door = try Door(node, DoorTerms(holdsBack: hold, isDropOnly: dropOnly))
        let code = try node.doorCode(isNew: newCode)
        // A name given with --listen also stands on the poster.
        let names = hosts + (listen.isEverywhere ? [] : [listen.host])
        let server = DoorServer(door, code: code, names: names, logger: serverLogger)
        try? FileManager.default.removeItem(atPath: node.socketPath)
        do {
            try await node.listen()
            let poster = DoorPoster(node, code: code, at: PosterPlace(listen, hosts: hosts), .process)
            let manager = ServiceManager()
            manager.noteReady("Letting phones in on TCP port \(listen.port)")
            let services: [any Service] = [
                NodeService(node: node), Reloading(self, node, log, logger), manager, server.operatorServer(),
                server.guestServer(host: listen.host, port: listen.port), poster,
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
        (configuration.isDoor, configuration.tellsNearby) = (true, false)
        return configuration
    }
}

extension DoorCommand: ConfiguredCommand {
    static var takesLinks: Bool { true }

    static func problem(withLink text: String) -> String? {
        guard text != "-" else { return nil }
        return Given.problem { _ = try Node.readDoorLink(text) }
    }

    func differences(to other: DoorCommand) -> [String] {
        let settings = [
            ("data", data.path == other.data.path), ("link", links == other.links), ("listen", listen == other.listen),
            ("host", hosts == other.hosts), ("name", name == other.name), ("new-code", newCode == other.newCode),
            ("hold", hold == other.hold), ("drop-only", dropOnly == other.dropOnly),
            ("peer-port", peerPort == other.peerPort), ("no-discovery", withoutDiscovery == other.withoutDiscovery),
        ]
        return settings.filter { !$0.1 }.map(\.0) + service.differences(to: other.service)
    }
}

extension DoorPoster.Surroundings {
    /// How often the machine's addresses are read: a change of network shows after this time at the latest.
    private static let pause = Duration.seconds(60)

    /// This machine, its clock, and the output of this process.
    fileprivate static let process = Self(
        isTerminal: isatty(STDOUT_FILENO) == 1,
        machine: { Node.localHosts() },
        ticks: {
            AsyncStream {
                do { try await Task.sleep(for: pause) } catch { return nil }
                return ()
            }
        },
        say: { lines in
            // Not `Swift.print`, which buffers: programs wait for these lines through a pipe.
            try? StandardOutput.print(lines.joined(separator: "\n"))
        }
    )
}
