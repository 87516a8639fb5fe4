// SPDX-License-Identifier: Apache-2.0

import MingleSimulator
import Testing

struct ScenarioTests {
    @Test(arguments: Scenario.all.map(\.name))
    func `a scenario comes to its end, and all is as it says`(name: String) throws {
        let result = try simulate(1, scenario: Scenario.named(name))
        #expect(result.findings == [], "mingle simulate --seed 1 --scenario \(name)")
        #expect(result.healedAfter != nil)
        #expect(result.coverage.absent == [])
    }

    @Test func `names of scenarios are unlike`() {
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    }

    @Test(arguments: [
        (PlantedFault.keepsBlobs, "delete-beats-edit", "erasure"), (.keepsKey, "restored-seen", "identity"),
        (.keepsKey, "copied-folder", "scenario"), (.disowns, "two-faces", "authorship"),
        (.blames, "two-faces", "blame"), (.leaksKey, "relay-awake", "relay"),
    ])
    func `a mistake that is built in is found in a scenario`(
        planted: PlantedFault,
        scenario: String,
        checker: String
    ) throws {
        let result = try simulate(1, planting: planted, scenario: Scenario.named(scenario))
        #expect(result.findings.contains { $0.checker == checker })
    }
}
