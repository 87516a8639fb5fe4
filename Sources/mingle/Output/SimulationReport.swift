// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleSimulator

/// Says what runs of the simulator showed.
struct SimulationReport {
    let json: Bool

    /// One run: its trace's hash, and what must not be with the command that shows it again.
    func show(_ result: SimulationResult, replay: String) {
        // Long runs are looked at while they go on.
        defer { _ = fflush(nil) }
        if json { return printJSON(result) }
        let healed = result.healedAfter.map { "level \($0) s after healing" } ?? "never level"
        let name = result.scenario.map { ", \($0)" } ?? ""
        print(
            "seed \(result.seed)\(name): \(result.peers) peers, \((result.hours * 100).rounded() / 100) h, "
                + "\(result.events) events, trace \(result.trace), \(healed)"
        )
        if !result.coverage.absent.isEmpty {
            print("  proves little: no \(result.coverage.absent.joined(separator: ", no "))")
        }
        for finding in result.findings {
            print("  FAILED \(finding.checker) at \(finding.seconds) s: \(finding.detail)")
        }
        if !result.findings.isEmpty { print("  replay: \(replay)") }
    }

    /// The smallest run that shows the same.
    func show(
        _ shrunk: (options: SimulationOptions, tried: Int),
        _ replay: (SimulationOptions) -> String
    ) {
        let command = replay(shrunk.options)
        if json { return printJSON(Smallest(replay: command, tried: shrunk.tried)) }
        print("  smallest of \(shrunk.tried) runs: \(command)")
    }

    /// All runs together.
    func end(_ coverage: Coverage, missing: [String], peerHours: Double, in duration: Duration) {
        guard !json else { return }
        let counters = coverage.counts.map { [$0.name, "\($0.count)"] }
        let mischief = coverage.mischief.sorted { $0.key < $1.key }.map { ["hostile: \($0.key)", "\($0.value)"] }
        print(Table.text(counters + mischief))
        let perMinute = peerHours / max(duration / .seconds(60), 0.001)
        print("\(Int(peerHours)) peer-hours, \(Int(perMinute)) a minute")
        if !missing.isEmpty { print("Not in these runs: \(missing.joined(separator: ", ")).") }
    }

    /// A line of JSON for the smallest run.
    private struct Smallest: Encodable {
        let replay: String
        let tried: Int
    }

    private func printJSON(_ result: some Encodable) {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(result) else { return }
        print(String(decoding: data, as: UTF8.self))
    }
}
