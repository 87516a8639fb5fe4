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
              0 no checker found anything, 1 failed, 20 a checker found something,
              21 the runs prove little (--complete, --require), 64 wrong usage.
            """
    )

    /// The exit code when a checker found something.
    static let failureCode: Int32 = 20
    /// The exit code when nothing was found and the runs prove little.
    static let emptyCode: Int32 = 21
    /// The names that stand for every scenario, and for a list of them.
    private static let allScenarios = "all", listing = "list"

    @Option(help: "The first seed, which decides everything. Drawn if left out.") var seed: UInt64?
    @Option(help: "Number of seeds, upwards from the first. With --for or --until-failure, the limit.") var seeds: Int?
    @Option(help: "Number of devices. Drawn for each seed if left out.") var peers: Int?
    @Option(help: "Posts of each person in an hour. Drawn for each seed if left out.") var posts: Int?
    @Option(help: "Virtual hours of posts and faults, such as 0.5. Default: 1.") var hours: Double?
    @Option(help: "Fault to leave out: \(SimulateCommand.names(of: Fault.self)). Repeatable.") var without: [Fault] = []
    @Option(name: .customLong("for"), help: "Play further seeds for this many minutes.") var minutes: Int?
    @Flag(help: "For each finding, search for the smallest run that shows it.") var shrink = false
    @Option(help: "Number of hostile peers besides. Drawn for each seed if left out.") var hostile: Int?
    @Option(help: "Behaviour of the hostile peers. Repeatable. Drawn for each peer if left out.")
    var behaviour: [Behaviour] = []
    @Option(help: "How often a peer's files are copied and used again. Drawn for each seed if left out.")
    var copies: Int?
    @Option(help: "Number of relays besides. Drawn for each seed if left out.") var relays: Int?
    @Option(help: "Phones that take part by a door. Drawn for each seed if left out.") var phones: Int?
    @Option(help: "Bytes of records that a node keeps of each person until the world heals. Drawn if left out.")
    var keepAuthor: Int?
    @Option(help: "Records of one hour that a node keeps of each person until the world heals. Drawn if left out.")
    var keepHourly: Int?
    @Option(help: "How often bits flip on a peer's disk, which is then repaired. Default: 0.") var flips: Int?
    @Option(help: "Play one scenario, or all of them. 'list' prints them.") var scenario: String?
    @Flag(help: "Play further seeds until a checker finds something.") var untilFailure = false
    @Option(help: "Write every event of the run to this file.") var trace: String?
    @Option(help: "Plant a defect that a checker has to find: \(SimulateCommand.names(of: PlantedFault.self)).")
    var plant: PlantedFault?
    @Option(help: "Folder for the peers' files. Default: /dev/shm, or the temporary folder.") var folder: String?
    @Flag(help: "Fail unless every kind of fault occurred in some run, or all that a scenario is about.")
    var complete = false
    @Option(help: "Fail unless a counter reaches a value, such as renewals or renewals=3. Repeatable.")
    var require: [RequiredCount] = []
    @Flag(name: .long, help: "Print one JSON object for each run. The fields are stable.") var json = false

    private static func names<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: ", ")
    }

    func validate() throws {
        try validateAmounts()
        try validateScenario()
        guard trace == nil || (seeds ?? 1 == 1 && !goesOn && scenario != Self.allScenarios) else {
            throw ValidationError(
                "--trace writes one run. Leave out --seeds, --for, --until-failure and --scenario all."
            )
        }
        guard behaviour.isEmpty || hostile != 0 else {
            throw ValidationError(
                "--behaviour needs hostile peers. Leave out --behaviour or --hostile 0."
            )
        }
    }

    private func validateAmounts() throws {
        guard (1...1_000_000).contains(seeds ?? 1), (0.02...1000).contains(hours ?? 1),
            (1...10_000).contains(minutes ?? 1), (2...2000).contains(peers ?? 2), (0...1000).contains(posts ?? 1)
        else {
            throw ValidationError(
                "Out of range. The limits are 1 to 1 000 000 seeds, 0.02 to 1000 hours, 1 to 10 000 minutes, "
                    + "2 to 2000 peers, 0 to 1000 posts."
            )
        }
        guard (0...100).contains(hostile ?? 0), (0...100).contains(copies ?? 0), (0...16).contains(relays ?? 0),
            (0...50).contains(phones ?? 0),
            (0...1000).contains(flips ?? 0)
        else {
            throw ValidationError(
                "Out of range. The limits are 100 hostile peers, 100 copies, 16 relays, 50 phones and 1000 flips."
            )
        }
    }

    private func validateScenario() throws {
        guard let scenario, scenario != Self.listing else { return }
        guard scenario == Self.allScenarios || Scenario.named(scenario) != nil else {
            throw ValidationError(
                "There is no scenario \(scenario). --scenario \(Self.listing) prints them."
            )
        }
        guard peers == nil, posts == nil, hours == nil, copies == nil, relays == nil, phones == nil, keepAuthor == nil,
            keepHourly == nil, flips == nil, hostile == nil, behaviour.isEmpty, without.isEmpty, !shrink
        else {
            throw ValidationError(
                "A scenario decides who takes part and what happens. Leave out --peers, --posts, --hours, --copies, "
                    + "--relays, --phones, --keep-author, --keep-hourly, --flips, --hostile, --behaviour, --without, --shrink."
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
            phones: phones,
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
        if let phones = options.phones { words.append("--phones \(phones)") }
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
