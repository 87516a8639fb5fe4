// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleSimulator
import Testing

/// Runs one event of a seed in a folder of its own.
func simulate(
    _ seed: UInt64,
    peers: Int? = nil,
    hours: Int = 1,
    planting planted: PlantedFault? = nil,
    hostile: Int? = nil,
    copies: Int? = nil,
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
            folder: folder,
            planted: planted,
            hostile: hostile,
            copies: copies,
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
            let result = try simulate(seed, peers: 6)
            #expect(result.findings.isEmpty, "mingle simulate --seed \(seed) --peers 6 --hours 1")
            #expect(result.healedAfter != nil)
            coverage.add(result.coverage)
        }
        // Runs that do not meet these prove nothing.
        #expect(coverage.absent == [])
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
            if try simulate(seed, peers: 3, planting: planted).findings.contains(where: { $0.checker == checker }) {
                return
            }
        }
        Issue.record("no seed found it")
    }
}
