// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleBench
import MingleNode

extension BenchCommand {
    /// Measures how soon a node answers.
    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start a node on a folder with many records, and wait for its first answer."
        )
        @Option(help: "Photos and comments in the folder.") var records = 100_000
        @Option(help: "How often the node is started; the figure is the median.") var rounds = 5
        @Flag(name: .long, help: "Print JSON, whose fields stay stable.") var json = false

        /// Why there is nothing to measure.
        private struct StartError: Error, CustomStringConvertible {
            let description: String
        }

        /// What is printed.
        private struct Figures: Encodable {
            let records: Int
            /// Milliseconds from the start of the process to the first page of the feed, the median.
            let firstAnswer: Double
            let rounds: [Double]
        }

        func validate() throws {
            guard (100...10_000_000).contains(records), (1...100).contains(rounds) else {
                throw ValidationError("Measure 100 to 10 000 000 records, 1 to 100 times.")
            }
        }

        func run() async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/mingle-start-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            FileHandle.standardError.write(Data("Making a folder with \(records) records …\n".utf8))
            try StartFolder(path: folder, records: records).make()
            var milliseconds: [Double] = []
            for _ in 0..<rounds { milliseconds.append(try await start(on: folder)) }
            let figures = Figures(
                records: records,
                firstAnswer: milliseconds.sorted()[rounds / 2],
                rounds: milliseconds
            )
            if json {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                encoder.outputFormatting = [.sortedKeys]
                print(String(decoding: try encoder.encode(figures), as: UTF8.self))
            } else {
                print(Table.text([["first answer after", "\(Int(figures.firstAnswer.rounded())) ms"]]))
            }
        }

        /// Milliseconds from the start of a node to its answer with a page of the feed.
        private func start(on folder: String) async throws -> Double {
            let node = Process()
            node.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            node.arguments = ["run", "--data", folder, "--port", "0", "--no-discovery", "--log-level", "error"]
            node.standardOutput = FileHandle.nullDevice
            let clock = ContinuousClock()
            let start = clock.now
            try node.run()
            defer {
                node.terminate()
                node.waitUntilExit()
            }
            let client = NodeClient(dataPath: folder)
            while true {
                if let feed: API.Envelope.Feed = try? await client.get("feed") {
                    guard !feed.items.isEmpty else { throw StartError(description: "The node shows nothing.") }
                    return (clock.now - start) / .milliseconds(1)
                }
                guard node.isRunning, clock.now - start < .seconds(60) else {
                    throw StartError(description: "The node did not answer.")
                }
                try await clock.sleep(for: .milliseconds(1))
            }
        }
    }
}
