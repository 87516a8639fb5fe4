// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleBench
import MingleNode

/// Measures this machine.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure what Mingle does on this machine.",
        subcommands: [Merge.self, Start.self, Keys.self, Newcomer.self, Crowd.self]
    )

    /// Measures merging.
    struct Merge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Merge a foreign journal, beside the same rows inserted straight into SQLite."
        )
        @Option(help: "Photos and comments in the journal.") var records = 200_000
        @Option(help: "How often each side is measured; the figures are medians.") var rounds = 3
        @Option(help: "Where the files go; a temporary folder if left out.") var folder: String?
        @Flag(name: .long, help: "Print JSON, whose fields stay stable.") var json = false

        func validate() throws {
            guard (100...10_000_000).contains(records), (1...100).contains(rounds) else {
                throw ValidationError("Measure 100 to 10 000 000 records, 1 to 100 times.")
            }
        }

        func run() throws {
            let folder = folder ?? FileManager.default.temporaryDirectory.path + "/mingle-bench-\(UUID().uuidString)"
            let benchmark = MergeBenchmark(records: records, folder: folder, rounds: rounds)
            let result = try benchmark.run { line in
                FileHandle.standardError.write(Data("\(line)\n".utf8))
            }
            try BenchCommand.show(result, asJSON: json) {
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

extension BenchCommand {
    /// Prints figures, for programs or for people.
    static func show(_ figures: some Encodable, asJSON: Bool, _ rows: () -> [[String]]) throws {
        guard asJSON else { return print(Table.text(rows())) }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }
}
