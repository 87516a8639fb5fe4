// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleNode

extension BenchCommand {
    /// Measures how soon a node answers.
    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start a node on a folder with many records, and wait for its first answer."
        )
        @Option(help: "Photos and comments in the folder.") var records = 100_000
        @Option(help: "How often the node is started; the figure is the median.") var rounds = 5
        @OptionGroup var output: BenchOutput

        /// What is printed.
        private struct Figures: Encodable {
            let records: Int
            /// Milliseconds from the start of the process to the first page of the news, the median.
            let firstAnswer: Double
            let rounds: [Double]
        }

        func validate() throws {
            try BenchCommand.require(records, in: 100...10_000_000, "records")
            try BenchCommand.require(rounds, in: 1...100, "times")
        }

        func run() async throws {
            let milliseconds = try await BenchCommand.inFolder("start") { folder in
                FileHandle.standardError.write(Data("Making a folder with \(records) records …\n".utf8))
                try StartFolder(path: folder, records: records).make()
                var milliseconds: [Double] = []
                for _ in 0..<rounds { milliseconds.append(try await start(on: folder)) }
                return milliseconds
            }
            let figures = Figures(
                records: records,
                firstAnswer: milliseconds.sorted()[rounds / 2],
                rounds: milliseconds
            )
            try output.show(figures) {
                [["first answer after", "\(Int(figures.firstAnswer.rounded())) ms"]]
            }
        }

        /// Milliseconds from the start of a node to its answer with a page of the news.
        private func start(on folder: String) async throws -> Double {
            let clock = ContinuousClock()
            let start = clock.now
            let node = try BenchedNode(on: folder)
            defer { node.stop() }
            let news: API.Envelope.News = try await node.wait("for the news") { try? await $0.get("news") }
            guard !news.items.isEmpty else { throw BenchError("The node shows nothing.") }
            return (clock.now - start) / .milliseconds(1)
        }
    }
}
