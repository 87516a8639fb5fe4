// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleSimulator

/// Plays whole events in a deterministic world and looks for what must not be.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Play whole events of many peers, with faults, in virtual time; the seed decides everything."
    )

    /// The code with which the program ends when a checker has found something.
    static let failureCode: Int32 = 20

    @Option(help: "What everything is drawn from; drawn itself if left out.") var seed: UInt64?
    @Option(help: "How many seeds are run, upwards from the first.") var seeds = 1
    @Option(help: "Devices that take part; drawn for each seed if left out.") var peers: Int?
    @Option(help: "Virtual hours of posting and faults.") var hours = 1
    @Option(help: "Hostile peers besides these; drawn for each seed if left out.") var hostile: Int?
    @Option(help: "How all hostile peers behave, once for each way; drawn for each if left out.")
    var behaviour: [Behaviour] = []
    @Option(help: "How often a peer's files are copied and used again; drawn for each seed if left out.")
    var copies: Int?
    @Option(help: "Play a scenario instead of what the seed would draw; list shows them all.") var scenario: String?
    @Flag(help: "Go on with further seeds until a checker finds something.") var untilFailure = false
    @Option(help: "Write every event of the run to this file.") var trace: String?
    @Option(
        help: ArgumentHelp(
            "Build in a mistake, to see it found: \(PlantedFault.allCases.map(\.rawValue).joined(separator: ", "))."
        )
    )
    var plant: PlantedFault?
    @Option(help: "Where the peers' files go; memory if there is any to be had.") var folder: String?
    @Flag(name: .long, help: "Print a line of JSON for each run, whose fields stay stable.") var json = false

    func validate() throws {
        guard (1...1_000_000).contains(seeds), (1...1000).contains(hours),
            peers.map({ (2...2000).contains($0) }) ?? true
        else {
            throw ValidationError("Simulate 1 to 1 000 000 seeds, 1 to 1000 hours, 2 to 2000 peers.")
        }
        guard (0...100).contains(hostile ?? 0), (0...100).contains(copies ?? 0) else {
            throw ValidationError("At most 100 peers are hostile, and at most 100 copies are made.")
        }
        if let scenario, scenario != "list", Scenario.named(scenario) == nil {
            throw ValidationError("There is no scenario \(scenario); --scenario list shows those that there are.")
        }
        guard trace == nil || (seeds == 1 && !untilFailure) else {
            throw ValidationError("A trace is of one seed: leave --seeds and --until-failure out.")
        }
    }

    func run() throws {
        if scenario == "list" { return print(Table.text(Scenario.all.map { [$0.name, $0.summary] })) }
        let first = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let report = SimulationReport(json: json)
        var total = Coverage()
        var hasFailed = false
        let start = ContinuousClock.now
        var peerHours = 0
        for number in 0..<(untilFailure ? Int.max : seeds) {
            let result = try Simulation.run(options(seed: first &+ UInt64(number)))
            report.show(result, replay: replay(result.seed))
            total.add(result.coverage)
            peerHours += result.peers * result.hours
            hasFailed = hasFailed || !result.findings.isEmpty
            if untilFailure, hasFailed { break }
        }
        report.end(total, peerHours: peerHours, in: ContinuousClock.now - start)
        if hasFailed { throw ExitCode(Self.failureCode) }
    }

    private func options(seed: UInt64) -> SimulationOptions {
        let memory = "/dev/shm"
        let base =
            FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
        return SimulationOptions(
            seed: seed,
            peers: peers,
            hours: hours,
            folder: folder ?? "\(base)/mingle-simulate-\(ProcessInfo.processInfo.processIdentifier)",
            trace: trace,
            planted: plant,
            hostile: hostile,
            copies: copies,
            scenario: scenario.flatMap { Scenario.named($0) },
            behaviours: behaviour.isEmpty ? nil : behaviour
        )
    }

    /// The command that runs one seed again.
    private func replay(_ seed: UInt64) -> String {
        var words = ["mingle simulate --seed \(seed)"]
        if let peers { words.append("--peers \(peers)") }
        words.append("--hours \(hours)")
        if let scenario { words.append("--scenario \(scenario)") }
        if let copies { words.append("--copies \(copies)") }
        if let hostile { words.append("--hostile \(hostile)") }
        words += behaviour.map { "--behaviour \($0.rawValue)" }
        if let plant { words.append("--plant \(plant.rawValue)") }
        return words.joined(separator: " ")
    }
}

extension PlantedFault: ExpressibleByArgument {}
extension Behaviour: ExpressibleByArgument {}
