// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import MingleAPI
import MingleNode
import MingleWeb
import ServiceLifecycle
import UnixSignals

/// Options of every command that runs until it is stopped.
struct ServiceOptions: ParsableArguments {
    @Option(name: .long, help: "Least severe messages to log.")
    var logLevel = LogLevel.notice

    @Option(name: .long, help: "Format of the log.")
    var logFormat = LogSettings.Format.text

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Serve /metrics, /health/live and /health/ready on this address, to anyone who can reach it. Default: off.",
            valueName: "host:port"
        ),
        transform: Given.listeningAddress
    )
    var metrics: ListeningAddress?

    @OptionGroup var keys: KeysPassphraseOption

    /// The settings of the log at the start.
    var logSettings: LogSettings { LogSettings(level: logLevel.level, format: logFormat) }

    /// Loggers for the node and for its servers.
    func loggers(_ log: LogSettings) -> (node: Logger, servers: Logger) {
        // `explained` reports a failed start better than the servers do.
        let floor: Logger.Level = logLevel == .debug ? .debug : .critical
        return (
            Logger(label: "mingle") { _ in StructuredLog(log) },
            Logger(label: "mingle.web") { _ in StructuredLog(log, floor: floor) }
        )
    }

    /// Runs services until a signal stops them gracefully.
    func run(_ services: [any Service]) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint] + (Terminal.isThere ? [.sighup] : []),
            // The group would log the services' properties, including secret links and codes. Errors are thrown anyway.
            logger: Logger(label: "mingle.services") { _ in SwiftLogNoOpLogHandler() }
        )
        // Cuts off uploads and downloads that take longer.
        group.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }

    /// Explains a failure to start.
    ///
    /// - Parameters:
    ///   - page: the port of the page, if there is a page.
    ///   - option: the option that sets this port.
    func explained(_ error: any Error, page: Int? = nil, option: String = "--port") -> any Error {
        if case TransportError.portInUse(let port) = error {
            return API.Problem(
                .conflict,
                "TCP port \(port) is in use. Choose another with --peer-port, or omit --peer-port to use any free port."
            )
        }
        guard "\(error)".contains("in use") || "\(error)".contains("errno: 98") else { return error }
        // Port 0 means any free port, which cannot be in use.
        let ports = [(option, page), ("--metrics", metrics?.port)].compactMap { option, port in
            port.flatMap { $0 == 0 ? nil : (option: option, port: $0) }
        }
        return ports.isEmpty ? error : ListeningAddress.inUse(ports)
    }

    /// Refuses the same port for peers and metrics, which would fail later with a misleading error.
    func requireApart(fromPeers port: Int?) throws {
        guard let port, port > 0, port == metrics?.port else { return }
        throw ValidationError("--peer-port and --metrics both use port \(port). Choose another port for one of them.")
    }

    /// Checks that the servers' addresses are free, before the start is announced.
    ///
    /// - Throws: `API.Problem` for the first address that is not.
    func requireFree(page: ListeningAddress? = nil) async throws {
        let machine = Node.localHosts()
        try await page?.requireFree("--listen", machine: machine)
        try await metrics?.requireFree("--metrics", machine: machine)
    }

    /// The server for metrics and health, if `metrics` is set.
    func watching(_ node: Node, logger: Logger) -> [any Service] {
        metrics.map { [WebServer.watchServer(node, host: $0.host, port: $0.port, logger: logger)] } ?? []
    }

    /// The names of changed settings that need a restart.
    func differences(to other: Self) -> [String] {
        (metrics == other.metrics ? [] : ["metrics"])
            + (keys.passphraseFile == other.keys.passphraseFile ? [] : ["passphrase-file"])
    }
}

/// The log levels of the command line.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}

extension LogSettings.Format: ExpressibleByArgument {}
