// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

extension BenchCommand {
    /// Measures new keys of an event.
    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a new key for everybody, and remove somebody, in an event of many devices."
        )
        @Option(help: "Devices that take part.") var devices = 1000
        @OptionGroup var output: BenchOutput

        func validate() throws {
            try BenchCommand.require(devices, in: 3...20_000, "devices")
        }

        func run() throws {
            let result = try KeyBenchmark(devices: devices, folder: BenchCommand.folder("keys")).run()
            func row(_ name: String, _ cost: KeyBenchmarkResult.Cost) -> [String] {
                [
                    name, "\(cost.bytes) bytes", "\(milliseconds(cost.making)) to make",
                    "\(milliseconds(cost.taking)) to take",
                ]
            }
            try output.show(result) {
                [row("a new key", result.renewal), row("a removal", result.removal)]
            }
        }

        private func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded())) ms" }
    }
}
