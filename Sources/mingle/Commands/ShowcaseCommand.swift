// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import MingleModel
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
            node. Who does not know the code sees nothing. A host ends it by taking it out of the event (mingle people remove), which \
            also closes the open invitations that others come by, unless it is done with --keep-links.
            Other users of this machine see what stands in a command: '-' reads the link from standard input, and in a file of \
            settings the key link stands for it. By one that is made with --uses 1 nobody else comes in.
            """
    )

    @OptionGroup var data: DataOption
    @Argument(
        help:
            "An invitation for guests, of which the last counts, or '-' for standard input; not used once the showcase has its event."
    )
    var links: [String] = []

    @Option(
        help: ArgumentHelp("Where browsers find the page; 0.0.0.0:8080 if left out.", valueName: "host:port"),
        transform: Given.listeningAddress
    )
    var listen = ListeningAddress.everywhere

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "A name or an address by which phones find this machine, such as party.local, for the code. Repeatable.",
            valueName: "name"
        ),
        transform: Given.host
    )
    var hosts: [String] = []

    @Option(help: "How it is called among the people; \(Node.showcaseName) if left out.") var name: String?

    @Flag(help: "Draw a new code: nobody gets in by the last one, nor stays in.") var newCode = false

    @Option(name: .long, help: "The TCP port for nodes; any that is free if left out, and then always the same.")
    var peerPort: Int?

    @Option(name: .customLong("peer"), help: "A node to connect to, as HOST:PORT. Repeatable.", transform: Given.peer)
    var peers: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Do not use mDNS.")
    var withoutDiscovery = false

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        guard (0...65535).contains(peerPort ?? 0) else { throw ValidationError("A port is 0 to 65535.") }
        try service.requireApart(fromPeers: peerPort)
    }

    func run() async throws {
        let link = try links.last.map { try Node.readShowcaseLink(Given.link($0)) }
        // A start that cannot have its page uses up no link.
        try await service.requireFree(page: listen)
        umask(0o077)
        // What SQLite writes to temporary files stays in the showcase's folder.
        unsafe setenv("SQLITE_TMPDIR", URL(fileURLWithPath: data.path).standardizedFileURL.path, 0)
        OpenFiles.allowMany()
        let log = service.logSettings
        let (logger, serverLogger) = service.loggers(log)
        let node = try Node(configuration, logger: logger)
        try await node.show(by: link, named: name)
        let code = try node.visitorCode(isNew: newCode)
        // A page that listens by a name is called so on its poster.
        let names = hosts + (listen.isEverywhere ? [] : [listen.host])
        let server = ShowcaseServer(node, code: code, names: names, logger: serverLogger)
        try? FileManager.default.removeItem(atPath: node.socketPath)
        do {
            try await node.listen()
            let poster = ShowcasePoster(node, code: code, at: PosterPlace(listen, hosts: hosts), .process)
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
    static func problem(withLink text: String) -> String? {
        guard text != "-" else { return nil }
        return Given.problem { _ = try Node.readShowcaseLink(text) }
    }

    func differences(to other: ShowcaseCommand) -> [String] {
        let settings = [
            ("data", data.path == other.data.path), ("link", links == other.links), ("listen", listen == other.listen),
            ("host", hosts == other.hosts), ("name", name == other.name), ("new-code", newCode == other.newCode),
            ("peer-port", peerPort == other.peerPort), ("no-discovery", withoutDiscovery == other.withoutDiscovery),
        ]
        return settings.filter { !$0.1 }.map(\.0) + service.differences(to: other.service)
    }
}

extension ShowcasePoster.Surroundings {
    /// How often the machine's addresses are looked at: a network that comes or changes is told of about so late.
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
            // Written past the buffer of `print`, since programs wait for these lines through a pipe.
            let text = lines.joined(separator: "\n").printable(keepingLines: true) + "\n"
            try? StandardOutput.write(Data(text.utf8))
        }
    )
}
