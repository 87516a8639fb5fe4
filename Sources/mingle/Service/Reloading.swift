// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Logging
import MingleNode
import ServiceLifecycle
import UnixSignals

/// The terminal of this process.
enum Terminal {
    /// Whether the process has a terminal, which sends SIGHUP when it is closed.
    static var isThere: Bool { [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 } }
}

/// Reloads the settings at SIGHUP and applies those that a running node can change.
struct Reloading<Command: ConfiguredCommand>: Service, CustomStringConvertible {
    private let command: Command
    private let node: Node
    private let log: LogSettings
    private let logger: Logger

    init(_ command: Command, _ node: Node, _ log: LogSettings, _ logger: Logger) {
        (self.command, self.node, self.log, self.logger) = (command, node, log, logger)
    }

    /// Leaves out the settings: they contain links, which are secret.
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
            logger.notice("settings reloaded: log-level, log-format and peer are in effect")
            for name in command.differences(to: new) {
                logger.warning("the setting '\(name)' has changed: restart the node to apply it")
            }
        } catch {
            logger.error("settings not reloaded, the previous ones stay in effect: \(Mingle.message(for: error))")
        }
    }
}
