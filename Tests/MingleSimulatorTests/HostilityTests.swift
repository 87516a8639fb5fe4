// SPDX-License-Identifier: Apache-2.0

import MingleSimulator
import Testing

struct HostilityTests {
    @Test(arguments: [UInt64(4), 5])
    func `a whole event with hostile peers and copied folders ends level`(seed: UInt64) throws {
        let result = try simulate(seed, peers: 5, hostile: 2, copies: 1)
        #expect(result.findings == [], "mingle simulate --seed \(seed) --peers 5 --hours 1 --copies 1 --hostile 2")
        #expect(result.healedAfter != nil)
    }

    @Test func `a way of doing harm that was drawn and never taken is named`() {
        var coverage = Coverage()
        coverage.mischief = ["forging": 0, "greed": 3]
        #expect(coverage.absent.contains("forging by a hostile peer"))
        #expect(!coverage.absent.contains("greed by a hostile peer"))
    }
}
