// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// State is a function of the set of headers, payloads and keys held.
struct ConvergenceTests {
    static let blocks = 40

    @Test(arguments: 0..<blocks)
    func `any order, splitting and repetition gives what the reference replica gives`(block: Int) throws {
        let seeds = LawSeeds.first(1000)
        for seed in seeds where seed % UInt64(Self.blocks) == block {
            guard let failure = try LawFailure(of: .reference, .drawn(seed)) else { continue }
            Issue.record("\(failure.report(about: nil, test: "MingleReplicaTests.ConvergenceTests"))")
            // One small failure says more than many.
            return
        }
    }
}
