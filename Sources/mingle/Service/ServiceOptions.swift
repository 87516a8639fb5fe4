// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import MingleNode
import MingleWeb
import ServiceLifecycle
import UnixSignals

/// What every command has that runs until it is stopped.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file of settings, KEY = VALUE with these options' names (MINGLE_CONFIG; else ~/.config/mingle/mingle.conf or "
                + "/etc/mingle/mingle.conf, if there is one).",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    @Option(name: .long, help: "How much to log: debug, info, notice, warning or error.")
    var logLevel = LogLevel.notice

    @Option(name: .long, help: "The form of the log: text or json.")
    var logFormat = LogSettings.Format.text

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also serve /metrics, /health/live and /health/ready on this address, and nothing else, to whoever can reach it.",
            valueName: "host:port"
        ),
        transform: Given.listeningAddress
    )
    var metrics: ListeningAddress?

    /// How the log is written, to begin with.
    var logSettings: LogSettings { LogSettings(level: logLevel.level, format: logFormat) }

    /// Loggers for the node and for its servers.
    func loggers(_ log: LogSettings) -> (node: Logger, servers: Logger) {
        // What the servers say about a failed start is said better by `explained`.
        let floor: Logger.Level = logLevel == .debug ? .debug : .critical
        return (
            Logger(label: "mingle") { _ in StructuredLog(log) },
            Logger(label: "mingle.web") { _ in StructuredLog(log, floor: floor) }
        )
    }

    /// Runs services until a signal ends them in order.
    func run(_ services: [any Service]) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint] + (Terminal.isThere ? [.sighup] : []),
            // It would print what services are made of, links and codes that let people in included; what fails is thrown as well.
            logger: Logger(label: "mingle.services") { _ in SwiftLogNoOpLogHandler() }
        )
        // An upload or a download that goes on is cut off rather than waited for.
        group.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }

    /// What a failure to start means; `page` is the port of the page, if there is one, and `option` what it is said by.
    func explained(_ error: any Error, page: Int? = nil, option: String = "--port") -> any Error {
        if case TransportError.portInUse(let port) = error {
            return API.Problem(
                .conflict,
                "TCP port \(port) is in use: choose another for peers with --peer-port, or leave that out."
            )
        }
        guard "\(error)".contains("in use") || "\(error)".contains("errno: 98") else { return error }
        // Any port that is free cannot be in use.
        let ports = [(option, page), ("--metrics", metrics?.port)].compactMap { option, port in
            port.flatMap { $0 == 0 ? nil : (option: option, port: $0) }
        }
        return ports.isEmpty ? error : ListeningAddress.inUse(ports)
    }

    /// Refuses one port for two things, before one of them has it and the other is told that some program does.
    func requireApart(fromPeers port: Int?) throws {
        guard let port, port > 0, port == metrics?.port else { return }
        throw ValidationError("--peer-port and --metrics both take port \(port): choose another for one of them.")
    }

    /// Ends the start where an address of a server cannot be had, before anything is said to run.
    func requireFree(page: ListeningAddress? = nil) async throws {
        let machine = Node.localHosts()
        try await page?.requireFree("--listen", machine: machine)
        try await metrics?.requireFree("--metrics", machine: machine)
    }

    /// The server for what watches over the node, if one is wanted.
    func watching(_ node: Node, logger: Logger) -> [any Service] {
        metrics.map { [WebServer.watchServer(node, host: $0.host, port: $0.port, logger: logger)] } ?? []
    }

    /// The settings of these that take effect with a restart only, where they differ.
    func differences(to other: Self) -> [String] { metrics == other.metrics ? [] : ["metrics"] }
}

/// How much is logged, as people say it.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}

extension LogSettings.Format: ExpressibleByArgument {}
