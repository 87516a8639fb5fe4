// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleClient

extension BenchCommand {
    /// Measures lists, searches and local writing.
    struct Lists: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List and find places, and write comments one by one."
        )
        @Option(help: "Places in the event.") var places = 10_000
        @Option(help: "People in the event, who rate ten places each.") var people = 1000
        @Option(help: "Comments that are written on one of them.") var comments = 10_000
        @Option(help: "How often each list is read.") var queries = 500
        @OptionGroup var output: BenchOutput

        func validate() throws {
            try BenchCommand.require(places, in: 100...1_000_000, "places")
            try BenchCommand.require(people, in: 1...100_000, "people")
            try BenchCommand.require(comments, in: 10...1_000_000, "comments")
            try BenchCommand.require(queries, in: 1...100_000, "times")
        }

        func run() async throws {
            let result = try await BenchCommand.inFolder("lists") { folder in
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                var benchmark = try ListBenchmark(
                    places: places,
                    people: people,
                    comments: comments,
                    queries: queries,
                    path: folder + "/replica.sqlite"
                )
                return try benchmark.run()
            }
            try output.show(result) {
                [
                    ["comments", "\(Int(result.commentsPerSecond)) a second"],
                    ["the last tenth", "\(Int(result.lastCommentsPerSecond)) a second"],
                    ["memory", "\(result.peakMemory >> 20) MiB"],
                ]
                    + result.p99.keys.sorted().map { name in
                        [name, Self.milliseconds(result.median[name] ?? 0, result.p99[name] ?? 0)]
                    }
            }
        }

        private static func milliseconds(_ median: Double, _ p99: Double) -> String {
            let text = { (value: Double) in value.formatted(.number.precision(.fractionLength(1))) }
            return "\(text(median)) ms, p99 \(text(p99)) ms"
        }
    }
}
