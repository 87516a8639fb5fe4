// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import MingleNode
import MingleWeb
import ServiceLifecycle

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
        )
    )
    var metrics: ListeningAddress?

    /// The server for what watches over the node, if one is wanted.
    func watching(_ node: Node, logger: Logger) -> [any Service] {
        metrics.map { [WebServer.watchServer(node, host: $0.host, port: $0.port, logger: logger)] } ?? []
    }

    /// The settings of these that take effect with a restart only, where they differ.
    func differences(to other: Self) -> [String] { metrics == other.metrics ? [] : ["metrics"] }
}

/// Where a server listens: `127.0.0.1:9478`, `[::1]:9478`.
struct ListeningAddress: ExpressibleByArgument, Equatable {
    let host: String
    let port: Int

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
            (1...65535).contains(port)
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        (self.host, self.port) = (String(host), port)
    }
}

/// How much is logged, as people say it.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}

extension LogSettings.Format: ExpressibleByArgument {}
