// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleSimulator

struct ShrinkingTests {
    private let options = SimulationOptions(seed: 2, hours: 4, folder: "/nowhere")

    @Test func `a failure shrinks to the peers and faults that it needs`() throws {
        let shrinking = Shrinking("convergence") { options in
            result(options, fails: (options.peers ?? 0) >= 3 && !options.without.contains(.cut) && options.hours > 0.9)
        }
        let (smallest, _) = try shrinking.smallest(from: options, peers: 9)
        #expect(smallest.peers == 3)
        #expect(smallest.hours == 1)
        #expect(smallest.without == Set(Fault.allCases).subtracting([.cut]))
        #expect(smallest.hostile == 0 && smallest.copies == 0)
    }

    @Test func `what another checker finds is another failure`() throws {
        let shrinking = Shrinking("erasure") { result($0, fails: true) }
        let (smallest, tried) = try shrinking.smallest(from: options, peers: 9)
        #expect(smallest.peers == 9 && smallest.hours == 4 && smallest.without.isEmpty)
        #expect(tried > 0)
    }

    @Test func `no more than forty-eight runs are played`() throws {
        var runs = 0
        let shrinking = Shrinking("convergence") { options in
            runs += 1
            return result(options, fails: true)
        }
        let endless = SimulationOptions(seed: 2, hours: 1e12, folder: "/nowhere")
        let (_, tried) = try shrinking.smallest(from: endless, peers: 99)
        #expect(runs == 48 && tried == 48)
    }

    private func result(_ options: SimulationOptions, fails: Bool) -> SimulationResult {
        SimulationResult(
            seed: options.seed,
            scenario: nil,
            peers: options.peers ?? 0,
            hours: options.hours,
            peerHours: 0,
            trace: "",
            events: 0,
            healedAfter: nil,
            coverage: Coverage(),
            findings: fails ? [Finding(checker: "convergence", detail: "", seconds: 0)] : []
        )
    }
}
