// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleSimulator
import Testing

/// Runs one event of a seed in a folder of its own.
func simulate(
    _ seed: UInt64,
    peers: Int? = nil,
    hours: Double = 1,
    without: Set<Fault> = [],
    planting planted: PlantedFault? = nil,
    hostile: Int? = nil,
    copies: Int? = nil,
    relays: Int? = nil,
    keptWords: Int? = nil,
    keptHourly: Int? = nil,
    flips: Int? = nil,
    scenario: Scenario? = nil,
    behaving behaviours: [Behaviour]? = nil
) throws -> SimulationResult {
    let folder = FileManager.default.temporaryDirectory.path + "/mingle-simulate-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try Simulation.run(
        SimulationOptions(
            seed: seed,
            peers: peers,
            hours: hours,
            without: without,
            folder: folder,
            planted: planted,
            hostile: hostile,
            copies: copies,
            relays: relays,
            keptWords: keptWords,
            keptHourly: keptHourly,
            flips: flips,
            scenario: scenario,
            behaviours: behaviours
        )
    )
}

struct SimulationTests {
    /// Seeds of which every one has to pass; those that have found something stay for ever.
    static let seeds: [UInt64] = [1, 2, 3]

    @Test func `all peers agree with what people were told, whatever goes wrong`() throws {
        var coverage = Coverage()
        for seed in Self.seeds {
            let result = try simulate(seed, peers: 6, hostile: 0, copies: 0)
            let replay = "mingle simulate --seed \(seed) --peers 6 --hours 1 --hostile 0 --copies 0"
            #expect(result.findings.isEmpty, "\(replay)")
            #expect(result.healedAfter != nil)
            coverage.add(result.coverage)
        }
        // Runs without these prove nothing; the longer runs of scripts/test ask for all of them.
        #expect(coverage.absent.filter { ["partitions", "restarts", "power cuts", "deletions"].contains($0) } == [])
    }

    @Test(arguments: [(words: 800, hourly: 0), (0, 6)])
    func `nodes that kept little of each person hold the same as soon as they keep more`(
        _ kept: (words: Int, hourly: Int)
    ) throws {
        var coverage = Coverage()
        for seed in UInt64(1)...2 {
            let result = try simulate(
                seed,
                peers: 6,
                hostile: 0,
                copies: 0,
                keptWords: kept.words,
                keptHourly: kept.hourly
            )
            #expect(
                result.findings.isEmpty,
                """
                mingle simulate --seed \(seed) --peers 6 --hours 1 --hostile 0 --copies 0 --keep-author \(kept.words) \
                --keep-hourly \(kept.hourly)
                """
            )
            #expect(result.healedAfter != nil)
            coverage.add(result.coverage)
        }
        #expect(coverage.letGo > 0)
    }

    @Test func `a seed gives the same run every time, and another seed another one`() throws {
        let results = try [7, 7, 8].map { try simulate($0, peers: 3) }
        #expect(results[0].trace == results[1].trace && results[0].events == results[1].events)
        #expect(results[0].coverage == results[1].coverage)
        #expect(results[0].trace != results[2].trace)
    }

    @Test func `a run in which nothing happened says so`() {
        #expect(Coverage().absent.contains("partitions"))
        #expect(Coverage().absent.contains("conflicting edits"))
    }

    @Test(arguments: [
        (PlantedFault.dropsRun, "convergence"), (.neverServes, "convergence"),
        (.losesWrite, "acknowledged writes"), (.keepsBlobs, "erasure"),
    ])
    func `a mistake that is built in is found`(planted: PlantedFault, checker: String) throws {
        for seed in UInt64(1)...5 {
            // A start looks at what is there, and so mends what a mistake left undone.
            let result = try simulate(seed, peers: 3, without: [.restart, .powerCut], planting: planted)
            if result.findings.contains(where: { $0.checker == checker }) { return }
        }
        Issue.record("no seed found it")
    }
}
