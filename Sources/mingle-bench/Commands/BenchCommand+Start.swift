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
        @Option(help: "People who wrote them in turn; the node is one of theirs.") var authors = 4
        @Option(help: "How often each view is read.") var lookups = 200
        @OptionGroup var output: BenchOutput

        /// What is printed.
        private struct Figures: Encodable {
            let records: Int
            /// Milliseconds from the start of the process to the first page of the news, the median.
            let firstAnswer: Double
            let rounds: [Double]
            /// Milliseconds of 99 of 100 readings at most, by the name of the view.
            let views: [String: Double]
        }

        /// Words as people type them: of many captions, the beginning of one, one with an error, a tag and a name.
        private static let words = [
            "way", "saw+number", "nu", "numbar", "what+we+saw+on+the+way", "%23way", "person+1",
        ]

        func validate() throws {
            try BenchCommand.require(records, in: 100...10_000_000, "records")
            try BenchCommand.require(rounds, in: 1...100, "times")
            try BenchCommand.require(authors, in: 2...1000, "authors")
            try BenchCommand.require(lookups, in: 1...100_000, "times")
        }

        func run() async throws {
            let (milliseconds, views) = try await BenchCommand.inFolder("start") { folder in
                FileHandle.standardError.write(Data("Making a folder with \(records) records …\n".utf8))
                try StartFolder(path: folder, records: records, authors: authors).make()
                var milliseconds: [Double] = []
                for _ in 0..<rounds { milliseconds.append(try await start(on: folder)) }
                return (milliseconds, try await look(into: folder))
            }
            let figures = Figures(
                records: records,
                firstAnswer: milliseconds.sorted()[rounds / 2],
                rounds: milliseconds,
                views: views
            )
            try output.show(figures) {
                [
                    ["first answer after", "\(Int(figures.firstAnswer.rounded())) ms"]
                ]
                    + figures.views.sorted { $0.key < $1.key }.map {
                        ["\($0.key), p99", "\(Int($0.value.rounded())) ms"]
                    }
            }
        }

        /// Milliseconds that readings of each view take, 99 of 100 at most.
        private func look(into folder: String) async throws -> [String: Double] {
            let node = try BenchedNode(on: folder)
            defer { node.stop() }
            let people: API.Envelope.People = try await node.wait("for the people") { try? await $0.get("people") }
            var times: [String: [Double]] = [:]
            for number in 0..<lookups {
                let (word, person) = (
                    Self.words[number % Self.words.count], people.people[number % people.people.count]
                )
                let paths = [
                    "search": "search?q=\(word)", "profile": "people/\(person.id)", "news": "news",
                    "for you": "notifications",
                ]
                for (view, path) in paths {
                    times[view, default: []].append(
                        try await time { let _: API.JSON = try await node.client.get(path) }
                    )
                }
            }
            return times.mapValues { times in times.sorted()[min(times.count - 1, times.count * 99 / 100)] }
        }

        private func time(_ body: () async throws -> Void) async throws -> Double {
            let clock = ContinuousClock()
            let start = clock.now
            try await body()
            return (clock.now - start) / .milliseconds(1)
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
