// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleClient

/// A node that runs in a process of its own, to be measured.
struct BenchedNode {
    /// The longest wait for anything.
    static let patience = Duration.seconds(600)

    /// Speaks with it.
    let client: NodeClient
    private let process = Process()

    /// Starts a person's node on `folder`, or with `relaying` a relay, that finds nobody by itself but the node on port
    /// `peer` of this machine.
    init(on folder: String, peer: Int? = nil, relaying link: String? = nil) throws {
        client = NodeClient(dataPath: folder)
        process.executableURL = try Self.program()
        process.arguments =
            (link.map { ["relay", $0] } ?? ["run", "--port", "0"])
            + ["--data", folder, "--no-discovery", "--log-level", "error"]
            + (peer.map { ["--peer", "127.0.0.1:\($0)"] } ?? [])
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// The program `mingle` that was built beside this one.
    private static func program() throws -> URL {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appending(path: "mingle")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw BenchError(
                "There is no program \(program.path) to measure. Build it: swift build -c release --product mingle"
            )
        }
        return program
    }

    /// Asks until there is an answer, every `pause`.
    ///
    /// - Throws: ``BenchError`` when the node has ended, or after ten minutes.
    func wait<Answer>(
        _ purpose: String,
        pause: Duration = .milliseconds(1),
        _ ask: (NodeClient) async throws -> Answer?
    ) async throws -> Answer {
        let clock = ContinuousClock()
        let start = clock.now
        while true {
            if let answer = try await ask(client) { return answer }
            guard process.isRunning, clock.now - start < Self.patience else {
                throw BenchError("The wait \(purpose) was in vain.")
            }
            try await clock.sleep(for: pause)
        }
    }

    /// Bytes that were resident at most.
    func peakMemory() throws -> Int {
        try ProcessMemory.peak(of: "\(process.processIdentifier)")
    }

    /// Seconds of processor time that it has used.
    func processorTime() throws -> Double {
        try ProcessTime.used(by: "\(process.processIdentifier)")
    }

    /// The port on which other nodes reach it, once it runs.
    func peerPort() throws -> Int {
        struct Settings: Decodable { let port: Int }
        let settings = try Data(contentsOf: URL(fileURLWithPath: client.dataPath + "/node.json"))
        return try JSONDecoder().decode(Settings.self, from: settings).port
    }

    /// Ends it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// Why there is nothing to measure.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
