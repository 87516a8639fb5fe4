// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleCommandLine
import MingleSimulator

/// The program that plays whole events of many peers in virtual time and checks what they show.
@main
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mingle-simulate",
        abstract: "Simulate whole events of many peers, with faults, in virtual time. The seed decides everything.",
        discussion: """
            EXIT CODES
              0 no checker found anything, 20 a checker found something,
              21 the runs prove little (--complete, --require), 64 wrong usage.
            """
    )

    /// The code with which the program ends when a checker has found something.
    static let failureCode: Int32 = 20
    /// The code when nothing was found and the runs prove little.
    static let emptyCode: Int32 = 21
    /// What stands for every scenario, and for a list of them.
    private static let allScenarios = "all", listing = "list"

    @Option(help: "What everything is drawn from; drawn itself if left out.") var seed: UInt64?
    @Option(help: "How many seeds are run at the most, upwards from the first; one, unless told to go on.") var seeds:
        Int?
    @Option(help: "Devices that take part; drawn for each seed if left out.") var peers: Int?
    @Option(help: "What a person does in an hour; drawn for each seed if left out.") var posts: Int?
    @Option(help: "Virtual hours of posting and faults, such as 0.5; one if left out.") var hours: Double?
    @Option(help: "Faults to leave out: cut, block, sleep, restart, jump, power-cut, full-disk.") var without: [Fault] =
        []
    @Option(name: .customLong("for"), help: "Go on with further seeds for so many minutes.") var minutes: Int?
    @Flag(help: "Look for the smallest run of each seed that shows what was found.") var shrink = false
    @Option(help: "Hostile peers besides these; drawn for each seed if left out.") var hostile: Int?
    @Option(help: "How all hostile peers behave, once for each way; drawn for each if left out.")
    var behaviour: [Behaviour] = []
    @Option(help: "How often a peer's files are copied and used again; drawn for each seed if left out.")
    var copies: Int?
    @Option(help: "Relays besides these; drawn for each seed if left out.") var relays: Int?
    @Option(help: "Bytes of each person's words that nodes keep until all is healed; drawn for each seed if left out.")
    var keepAuthor: Int?
    @Option(help: "Words of one hour of each person that nodes keep until all is healed; drawn if left out.")
    var keepHourly: Int?
    @Option(help: "How often bits flip on a peer's disk, which is repaired then; never if left out.")
    var flips: Int?
    @Option(help: "Play a scenario instead of what the seed would draw, or all of them; list names each.")
    var scenario: String?
    @Flag(help: "Go on with further seeds until a checker finds something.") var untilFailure = false
    @Option(help: "Write every event of the run to this file.") var trace: String?
    @Option(
        help: ArgumentHelp(
            "Build in a mistake, to see it found: \(PlantedFault.allCases.map(\.rawValue).joined(separator: ", "))."
        )
    )
    var plant: PlantedFault?
    @Option(help: "Where the peers' files go; memory if there is any to be had.") var folder: String?
    @Flag(help: "Fail unless everything that may go wrong did, in some run; of a scenario, all that it is about.")
    var complete = false
    @Option(help: "Fail unless this happened, and how often at least, as renewals or renewals=3; once for each.")
    var require: [RequiredCount] = []
    @Flag(name: .long, help: "Print a line of JSON for each run, whose fields stay stable.") var json = false

    func validate() throws {
        try validateAmounts()
        try validateScenario()
        guard trace == nil || (seeds ?? 1 == 1 && !goesOn && scenario != Self.allScenarios) else {
            throw ValidationError(
                "A trace is of one run: leave --seeds, --for, --until-failure and --scenario all out."
            )
        }
        guard behaviour.isEmpty || hostile != 0 else {
            throw ValidationError(
                "Without hostile peers nobody behaves like that: leave out --behaviour or --hostile 0."
            )
        }
    }

    private func validateAmounts() throws {
        guard (1...1_000_000).contains(seeds ?? 1), (0.02...1000).contains(hours ?? 1),
            (1...10_000).contains(minutes ?? 1), (2...2000).contains(peers ?? 2), (0...1000).contains(posts ?? 1)
        else {
            throw ValidationError(
                "Simulate 1 to 1 000 000 seeds, 0.02 to 1000 hours for 1 to 10 000 minutes, 2 to 2000 peers, and 0 to 1000 "
                    + "posts an hour."
            )
        }
        guard (0...100).contains(hostile ?? 0), (0...100).contains(copies ?? 0), (0...16).contains(relays ?? 0),
            (0...1000).contains(flips ?? 0)
        else {
            throw ValidationError(
                "At most 100 peers are hostile, at most 100 copies are made, there are at most 16 relays, and bits flip at "
                    + "most 1000 times."
            )
        }
    }

    private func validateScenario() throws {
        guard let scenario, scenario != Self.listing else { return }
        guard scenario == Self.allScenarios || Scenario.named(scenario) != nil else {
            throw ValidationError(
                "There is no scenario \(scenario); --scenario \(Self.listing) shows those that there are."
            )
        }
        guard peers == nil, posts == nil, hours == nil, copies == nil, relays == nil, keepAuthor == nil,
            keepHourly == nil, flips == nil, hostile == nil, behaviour.isEmpty, without.isEmpty, !shrink
        else {
            throw ValidationError(
                "A scenario says itself who takes part and what happens: leave out --peers, --posts, --hours, --copies, "
                    + "--relays, --keep-author, --keep-hourly, --flips, --hostile, --behaviour, --without and --shrink."
            )
        }
    }

    /// Whether seeds follow until something ends them.
    private var goesOn: Bool { untilFailure || minutes != nil }

    /// What is played of each seed: scenarios, or what the seed draws.
    private var plays: [Scenario?] {
        guard let scenario else { return [nil] }
        return scenario == Self.allScenarios ? Scenario.all : [Scenario.named(scenario)]
    }

    func run() throws {
        guard scenario != Self.listing else {
            return try StandardOutput.print(Table.text(Scenario.all.map { [$0.name, $0.summary] }))
        }
        let first = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let start = ContinuousClock.now
        let end = minutes.map { start + .seconds($0 * 60) }
        var tally = Tally()
        for number in 0..<(seeds ?? (goesOn ? Int.max : 1)) {
            if let end, ContinuousClock.now >= end { break }
            for scenario in plays where !(untilFailure && tally.hasFailed) {
                try play(options(seed: first &+ UInt64(number), scenario), &tally)
            }
            if untilFailure, tally.hasFailed { break }
        }
        let missing = require.filter { !$0.isMet(by: tally.coverage) }.map(\.description)
        let absent = tally.coverage.absent
        try SimulationReport(json: json)
            .end(tally.coverage, missing: absent + missing, peerHours: tally.peerHours, in: ContinuousClock.now - start)
        if tally.hasFailed { throw ExitCode(Self.failureCode) }
        let provesLittle = complete && (tally.hasEmptyScenario || !absent.isEmpty)
        if provesLittle || !missing.isEmpty { throw ExitCode(Self.emptyCode) }
    }

    /// What all runs showed.
    private struct Tally {
        var coverage = Coverage()
        var peerHours = 0.0
        var hasFailed = false
        /// Whether a scenario lacked something that it is about, which no other one makes up for.
        var hasEmptyScenario = false
    }

    /// Plays one run, and says what it showed.
    private func play(_ options: SimulationOptions, _ tally: inout Tally) throws {
        let report = SimulationReport(json: json)
        let result = try Simulation.run(options)
        try report.show(result, replay: replay(options))
        if shrink, let finding = result.findings.first {
            let shrinking = Shrinking(finding.checker) { try Simulation.run($0) }
            try report.show(try shrinking.smallest(from: options, peers: result.peers), replay)
        }
        tally.coverage.add(result.coverage)
        tally.peerHours += result.peerHours
        tally.hasFailed = tally.hasFailed || !result.findings.isEmpty
        if result.scenario != nil, !result.coverage.absent.isEmpty { tally.hasEmptyScenario = true }
    }

    private func options(seed: UInt64, _ scenario: Scenario?) -> SimulationOptions {
        let memory = "/dev/shm"
        let files = FileManager.default
        return SimulationOptions(
            seed: seed,
            peers: peers,
            posts: posts,
            hours: hours ?? 1,
            without: Set(without),
            folder: folder ?? (files.isWritableFile(atPath: memory) ? memory : files.temporaryDirectory.path),
            trace: trace,
            planted: plant,
            hostile: hostile ?? (behaviour.isEmpty ? nil : 1),
            copies: copies,
            relays: relays,
            keptWords: keepAuthor,
            keptHourly: keepHourly,
            flips: flips,
            scenario: scenario,
            behaviours: behaviour.isEmpty ? nil : behaviour
        )
    }

    /// The command that plays one run again.
    private func replay(_ options: SimulationOptions) -> String {
        var words = ["mingle-simulate --seed \(options.seed)"]
        if let peers = options.peers { words.append("--peers \(peers)") }
        if let posts = options.posts { words.append("--posts \(posts)") }
        if options.scenario == nil { words.append("--hours \(options.hours)") }
        for fault in Fault.allCases where options.without.contains(fault) {
            words.append("--without \(fault.rawValue)")
        }
        if let scenario = options.scenario { words.append("--scenario \(scenario.name)") }
        if let copies = options.copies { words.append("--copies \(copies)") }
        if let relays = options.relays { words.append("--relays \(relays)") }
        if let flips = options.flips { words.append("--flips \(flips)") }
        if let kept = options.keptWords { words.append("--keep-author \(kept)") }
        if let kept = options.keptHourly { words.append("--keep-hourly \(kept)") }
        if let hostile = options.hostile { words.append("--hostile \(hostile)") }
        words += behaviour.map { "--behaviour \($0.rawValue)" }
        if let plant = options.planted { words.append("--plant \(plant.rawValue)") }
        return words.joined(separator: " ")
    }
}

extension Fault: ExpressibleByArgument {}
extension PlantedFault: ExpressibleByArgument {}
extension Behaviour: ExpressibleByArgument {}
