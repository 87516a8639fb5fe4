// SPDX-License-Identifier: Apache-2.0

import MingleSimulator
import Testing

struct HostilityTests {
    @Test(arguments: Behaviour.allCases)
    func `one hostile peer does honest ones no harm`(behaviour: Behaviour) throws {
        let scenario = try #require(Scenario.named("company"))
        let result = try simulate(1, hostile: 1, scenario: scenario, behaving: [behaviour])
        let way = behaviour.rawValue
        #expect(result.findings == [], "mingle simulate --seed 1 --scenario company --hostile 1 --behaviour \(way)")
        #expect(result.coverage.mischief[way, default: 0] > 0)
        #expect(result.coverage.absent == [])
    }

    // Seed 7: a fork hid a photo, and its pictures were waited for until the next start.
    @Test(arguments: [UInt64(7)])
    func `three hostile peers among four others leave nothing behind`(seed: UInt64) throws {
        let scenario = try #require(Scenario.named("bad-company"))
        let result = try simulate(seed, scenario: scenario)
        #expect(result.findings == [], "mingle simulate --seed \(seed) --scenario bad-company")
    }

    @Test(arguments: [UInt64(4)])
    func `a whole event with hostile peers and copied folders ends level`(seed: UInt64) throws {
        let result = try simulate(seed, peers: 4, hostile: 2, copies: 1)
        #expect(result.findings == [], "mingle simulate --seed \(seed) --peers 4 --hours 1 --copies 1 --hostile 2")
        #expect(result.healedAfter != nil)
    }

    @Test func `a way of doing harm that was drawn and never taken is named`() {
        var coverage = Coverage()
        coverage.mischief = ["forging": 0, "greed": 3]
        #expect(coverage.absent.contains("forging by a hostile peer"))
        #expect(!coverage.absent.contains("greed by a hostile peer"))
    }
}
