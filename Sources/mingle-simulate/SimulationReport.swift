// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCommandLine
import MingleSimulator

/// Says what runs of the simulator showed.
struct SimulationReport {
    let json: Bool

    /// One run: its trace's hash, and what must not be with the command that shows it again.
    func show(_ result: SimulationResult, replay: String) throws {
        if json { return try printJSON(result) }
        let healed = result.healedAfter.map { "in sync \($0) s after healing" } ?? "never in sync"
        let name = result.scenario.map { ", \($0)" } ?? ""
        try StandardOutput.print(
            "seed \(result.seed)\(name): \(result.peers) peers, \((result.hours * 100).rounded() / 100) h, "
                + "\(result.events) events, trace \(result.trace), \(healed)"
        )
        if !result.coverage.absent.isEmpty {
            try StandardOutput.print("  proves little: no \(result.coverage.absent.joined(separator: ", no "))")
        }
        for finding in result.findings {
            try StandardOutput.print("  FAILED \(finding.checker) at \(finding.seconds) s: \(finding.detail)")
        }
        if !result.findings.isEmpty { try StandardOutput.print("  replay: \(replay)") }
    }

    /// The smallest run that shows the same.
    func show(
        _ shrunk: (options: SimulationOptions, tried: Int),
        _ replay: (SimulationOptions) -> String
    ) throws {
        let command = replay(shrunk.options)
        if json { return try printJSON(Smallest(replay: command, tried: shrunk.tried)) }
        try StandardOutput.print("  smallest of \(shrunk.tried) runs: \(command)")
    }

    /// All runs together.
    func end(_ coverage: Coverage, missing: [String], peerHours: Double, in duration: Duration) throws {
        guard !json else { return }
        let counters = coverage.counts.map { [$0.name, "\($0.count)"] }
        let mischief = coverage.mischief.sorted { $0.key < $1.key }.map { ["hostile: \($0.key)", "\($0.value)"] }
        let kinds = coverage.kinds.sorted { $0.key < $1.key }.map { name, counts in
            ["kind: \(name)", "\(counts.said) said, \(counts.changed) changed, \(counts.shown) shown"]
        }
        try StandardOutput.print(Table.text(counters + kinds + mischief))
        let perMinute = peerHours / max(duration / .seconds(60), 0.001)
        try StandardOutput.print("\(Int(peerHours)) peer-hours, \(Int(perMinute)) a minute")
        if !missing.isEmpty { try StandardOutput.print("Not in these runs: \(missing.joined(separator: ", ")).") }
    }

    /// A line of JSON for the smallest run.
    private struct Smallest: Encodable {
        let replay: String
        let tried: Int
    }

    private func printJSON(_ result: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        try StandardOutput.print(String(decoding: try encoder.encode(result), as: UTF8.self))
    }
}
