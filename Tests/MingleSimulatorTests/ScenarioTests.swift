// SPDX-License-Identifier: Apache-2.0

import MingleSimulator
import Testing

/// That each comes to its end is played by `scripts/simulate-short`.
struct ScenarioTests {
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
