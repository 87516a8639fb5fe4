// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing

@testable import MingleReplica

/// What it costs to show a moment.
struct MomentPlanTests {
    @Test func `to show a moment nothing is gone through but what hangs on it`() throws {
        let reader = try Flood(seed: 985, times: [1]).reader(within: nil)
        let plan = try reader.view { viewer in
            try viewer.rows("EXPLAIN QUERY PLAN \(viewer.momentQuery)", [1, 1, viewer.own.column])
                .map { $0["detail"] as String }
        }
        // The moment with those that it continues, which moments continue others at all, and who is muted.
        let few = ["SCAN family", "SCAN lineage", "SCAN muted"]
        let scanned = plan.filter { step in step.hasPrefix("SCAN") && !few.contains(where: step.hasPrefix) }
        #expect(plan.contains { $0.hasPrefix("SEARCH photo") } && scanned.isEmpty, "\(plan)")
    }
}
