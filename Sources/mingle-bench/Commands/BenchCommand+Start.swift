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
        @Option(help: "How often a search and a profile are read, each.") var lookups = 200
        @OptionGroup var output: BenchOutput

        /// What is printed.
        private struct Figures: Encodable {
            let records: Int
            /// Milliseconds from the start of the process to the first page of the news, the median.
            let firstAnswer: Double
            let rounds: [Double]
            /// Milliseconds of 99 of 100 searches at most.
            let search: Double
            /// The same of profiles.
            let profile: Double
        }

        /// Words as people type them: of many captions, the beginning of one, one with an error, a tag and a name.
        private static let words = [
            "way", "saw+number", "nu", "numbar", "what+we+saw+on+the+way", "%23way", "person+1",
        ]

        func validate() throws {
            try BenchCommand.require(records, in: 100...10_000_000, "records")
            try BenchCommand.require(rounds, in: 1...100, "times")
            try BenchCommand.require(lookups, in: 1...100_000, "times")
        }

        func run() async throws {
            let (milliseconds, search, profile) = try await BenchCommand.inFolder("start") { folder in
                FileHandle.standardError.write(Data("Making a folder with \(records) records …\n".utf8))
                try StartFolder(path: folder, records: records).make()
                var milliseconds: [Double] = []
                for _ in 0..<rounds { milliseconds.append(try await start(on: folder)) }
                let (search, profile) = try await look(into: folder)
                return (milliseconds, search, profile)
            }
            let figures = Figures(
                records: records,
                firstAnswer: milliseconds.sorted()[rounds / 2],
                rounds: milliseconds,
                search: search,
                profile: profile
            )
            try output.show(figures) {
                [
                    ["first answer after", "\(Int(figures.firstAnswer.rounded())) ms"],
                    ["search, p99", "\(Int(figures.search.rounded())) ms"],
                    ["profile, p99", "\(Int(figures.profile.rounded())) ms"],
                ]
            }
        }

        /// Milliseconds that searches and profiles take, 99 of 100 at most.
        private func look(into folder: String) async throws -> (search: Double, profile: Double) {
            let node = try BenchedNode(on: folder)
            defer { node.stop() }
            let people: API.Envelope.People = try await node.wait("for the people") { try? await $0.get("people") }
            var (searches, profiles): ([Double], [Double]) = ([], [])
            for number in 0..<lookups {
                let word = Self.words[number % Self.words.count]
                searches.append(try await time { let _: API.Search = try await node.client.get("search?q=\(word)") })
                let id = people.people[number % people.people.count].id
                profiles.append(try await time { let _: API.Profile = try await node.client.get("people/\(id)") })
            }
            let p99 = { (times: [Double]) in times.sorted()[min(times.count - 1, times.count * 99 / 100)] }
            return (p99(searches), p99(profiles))
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
