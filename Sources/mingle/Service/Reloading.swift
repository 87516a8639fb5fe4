// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Logging
import MingleNode
import ServiceLifecycle
import UnixSignals

/// Whether a person sees what is going on.
enum Terminal {
    /// Whether a terminal is there, which ends what was started in it when it is closed.
    static var isThere: Bool { [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 } }
}

/// Reads the settings again at SIGHUP, and lets those take effect that can while the node runs.
struct Reloading<Command: ConfiguredCommand>: Service, CustomStringConvertible {
    private let command: Command
    private let node: Node
    private let log: LogSettings
    private let logger: Logger

    init(_ command: Command, _ node: Node, _ log: LogSettings, _ logger: Logger) {
        (self.command, self.node, self.log, self.logger) = (command, node, log, logger)
    }

    /// The settings have links in them, which nothing that prints services is to show.
    var description: String { "Reloading" }

    func run() async throws {
        guard !Terminal.isThere else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { reload() }
        }
    }

    private func reload() {
        do {
            let arguments = try Configured.arguments(CommandLine.arguments)
            guard let new = try Mingle.parseAsRoot(arguments) as? Command else { return }
            (log.level, log.format) = (new.service.logLevel.level, new.service.logFormat)
            node.setPeers(new.peers)
            logger.notice("read the settings again: log-level, log-format and peer are in effect")
            for name in command.differences(to: new) {
                logger.warning("the setting '\(name)' has changed and takes effect when the node is started again")
            }
        } catch {
            logger.error("the settings are as before: \(Mingle.message(for: error))")
        }
    }
}
