// SPDX-License-Identifier: Apache-2.0

import Subprocess
import SystemPackage

/// A program that works on bytes from outside: its own process, bounded in time, memory, files and output.
struct LimitedProcess: Sendable {
    /// How a run ended.
    enum Ending: Equatable {
        case succeeded
        /// The program refused; its complaints, shortened.
        case failed(String)
        /// A signal ended it, most likely because it went beyond a limit.
        case killed
        /// It took longer than it may.
        case timedOut
    }

    /// Where util-linux puts the program that sets limits and then becomes another.
    private static let limiter = "/usr/bin/prlimit"
    /// Where coreutils put the program that lets others go first: people who look wait for no import.
    private static let yielding = ["/usr/bin/nice", "-n", "10"]
    /// Bytes of complaints that are read.
    private static let outputLimit = 64 << 10

    let program: String
    let limits: ImportLimits
    /// Everything that the program knows of its surroundings.
    let environment: [String: String]

    /// Throws unless the program can be run; `package` is what to install otherwise.
    func requireInstalled(package: String) throws(ImportError) {
        for (path, package) in [(program, package), (Self.limiter, "util-linux")] {
            guard File.isExecutable(path) else { throw .toolMissing(program: path, package: package) }
        }
    }

    /// Runs the program in `folder` and waits for it; cancelling kills it.
    func run(_ arguments: [String], in folder: String) async throws -> Ending {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask { try await start(arguments, in: folder) }
            group.addTask {
                try await limits.clock.sleep(for: limits.wallTime)
                return .timedOut
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .timedOut
        }
    }

    private func start(_ arguments: [String], in folder: String) async throws -> Ending {
        let bounds = [
            "--cpu=\(limits.processorTime.components.seconds)", "--as=\(limits.memory)", "--fsize=\(limits.fileSize)",
            "--nofile=128", "--core=0",
        ]
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(Self.limiter)),
                arguments: Arguments(bounds + ["--"] + Self.yielding + [program] + arguments),
                environment: .custom(Dictionary(uniqueKeysWithValues: variables)),
                workingDirectory: FilePath(folder),
                output: .discarded,
                error: .string(limit: Self.outputLimit)
            )
            return switch result.terminationStatus {
            case .exited(0): .succeeded
            case .exited: .failed(String(result.standardError.prefix(500)))
            default: .killed
            }
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            // It was ended for that, and none of it can be had.
            return .failed("")
        }
    }
}
