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
    flips: Int? = nil,
    scenario: Scenario? = nil
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
            flips: flips,
            scenario: scenario
        )
    )
}

/// What a simulation is; what it finds of the product is played by `scripts/simulate-short`, in a release build.
struct SimulationTests {
    @Test func `a seed gives the same run every time, and another seed another one`() throws {
        let results = try [7, 7, 8].map { try simulate($0, peers: 3) }
        #expect(results[0].trace == results[1].trace && results[0].events == results[1].events)
        #expect(results[0].coverage == results[1].coverage)
        #expect(results[0].trace != results[2].trace)
        #expect(results.allSatisfy { $0.findings.isEmpty && $0.healedAfter != nil })
    }

    @Test func `a seed flips the same bits every time, and no flips leave its world as it was`() throws {
        let results = try [nil, 6, 6].map { try simulate(9, peers: 3, hours: 0.3, hostile: 0, copies: 0, flips: $0) }
        #expect(results[1].trace == results[2].trace && results[0].trace != results[1].trace)
        #expect(results[0].coverage.flippedBits == 0 && results[1].coverage.flippedBits > 0)
        #expect(results.allSatisfy { $0.findings.isEmpty && $0.healedAfter != nil })
    }

    @Test func `a run in which nothing happened says so`() {
        #expect(Coverage().absent.contains("partitions"))
        #expect(Coverage().absent.contains("conflicting edits"))
    }

    @Test func `a kind of record that nobody said, changed or saw is named`() {
        var coverage = Coverage()
        #expect(["place", "changed place", "shown place"].allSatisfy(coverage.absent.contains))
        var kind = KindCoverage()
        (kind.said, kind.shown) = (2, 1)
        coverage.kinds = ["place": kind]
        #expect(coverage.absent.contains("changed place") && !coverage.absent.contains("shown place"))
        #expect(!coverage.absent.contains("changed deal_use") && !coverage.absent.contains("invite"))
    }

    @Test func `a way of doing harm that was drawn and never taken is named`() {
        var coverage = Coverage()
        coverage.mischief = ["forging": 0, "greed": 3]
        #expect(coverage.absent.contains("forging by a hostile peer"))
        #expect(!coverage.absent.contains("greed by a hostile peer"))
    }

    @Test func `what happened is counted by name`() {
        var coverage = Coverage()
        coverage.renewals = 3
        #expect(coverage.counts.contains { $0 == ("renewals", 3) } && coverage.counts.contains { $0 == ("letGo", 0) })
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
