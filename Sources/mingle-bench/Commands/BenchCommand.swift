// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CMalloc
import Foundation
import MingleCommandLine
import MingleNode

/// The program that measures what Mingle does on this machine.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mingle-bench",
        abstract: "Measure how fast Mingle is on this machine.",
        subcommands: [Merge.self, Lists.self, Start.self, Keys.self, Newcomer.self, Crowd.self]
    )

    static func main() async {
        // As in `mingle`, whose memory is to be measured.
        _ = mallopt(M_ARENA_MAX, 2)
        await main(nil)
    }

    /// Measures merging.
    struct Merge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Merge a foreign journal, beside the same rows inserted straight into SQLite."
        )
        @Option(help: "Photos and comments in the journal.") var records = 200_000
        @Option(
            help: "Records with searched words: none, some (every third photo) or all (each 45 bytes and a position)."
        )
        var texts = RecordPlan.Texts.some
        @Option(help: "How often each side is measured; the figures are medians.") var rounds = 3
        @Option(help: "Where the files go; a temporary folder if left out.") var folder: String?
        @OptionGroup var output: BenchOutput

        func validate() throws {
            try BenchCommand.require(records, in: 100...10_000_000, "records")
            try BenchCommand.require(rounds, in: 1...100, "times")
        }

        func run() throws {
            let folder = folder ?? BenchCommand.folder("bench")
            let benchmark = MergeBenchmark(records: records, texts: texts, folder: folder, rounds: rounds)
            let result = try benchmark.run { line in
                FileHandle.standardError.write(Data("\(line)\n".utf8))
            }
            try output.show(result) {
                [
                    ["merged", "\(Int(result.recordsPerSecond)) records/s"],
                    ["inserted plainly", "\(Int(result.baselineRowsPerSecond)) rows/s"],
                    ["ratio", String((result.ratio * 100).rounded() / 100)],
                    ["merged again", "\(Int(result.recordsPerSecondAgain)) records/s"],
                    ["memory", "\(result.peakMemory >> 20) MiB"],
                ]
            }
        }
    }
}

extension RecordPlan.Texts: ExpressibleByArgument {}

/// How the figures of a benchmark are printed.
struct BenchOutput: ParsableArguments {
    @Flag(name: .long, help: "Print JSON, whose fields stay stable.") var json = false

    /// Prints figures, for programs or for people.
    func show(_ figures: some Encodable, _ rows: () -> [[String]]) throws {
        guard json else { return try StandardOutput.print(Table.text(rows())) }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        try StandardOutput.print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }
}

extension BenchCommand {
    /// A temporary folder's path that nobody else uses.
    static func folder(_ name: String) -> String {
        FileManager.default.temporaryDirectory.path + "/mingle-\(name)-\(UUID().uuidString)"
    }

    /// Lets `body` work in a folder that is gone afterwards.
    static func inFolder<Result>(_ name: String, _ body: (String) async throws -> Result) async rethrows -> Result {
        let folder = folder(name)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Refuses to measure what is out of proportion.
    static func require(_ count: Int, in range: ClosedRange<Int>, _ things: String) throws {
        guard range.contains(count) else {
            throw ValidationError("Measure \(range.lowerBound) to \(range.upperBound) \(things).")
        }
    }

    /// A time for people, to the hundredth.
    static func text(seconds: Double) -> String { "\((seconds * 100).rounded() / 100) s" }
}
