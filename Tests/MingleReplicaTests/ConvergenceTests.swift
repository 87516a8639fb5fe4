// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica
import MingleWire
import Testing

/// State is a function of the set of headers, payloads and keys held.
struct ConvergenceTests {
    static let blocks = 40
    static let seedsPerBlock: UInt64 = 25

    @Test(arguments: 0..<blocks)
    func `any order, splitting and repetition gives what the reference replica gives`(block: Int) throws {
        let first = UInt64(block) * Self.seedsPerBlock
        for seed in first..<(first + Self.seedsPerBlock) {
            let trial = Trial(seed: seed)
            guard let difference = try trial.difference(after: trial.deltaCount) else { continue }
            let smallest = try trial.smallestFailure()
            let short = try smallest.flatMap { try trial.difference(after: $0) } ?? difference
            Issue.record("seed \(seed), the first \(smallest ?? trial.deltaCount) deltas: \(short)")
            // One small failure says more than many.
            return
        }
    }
}
