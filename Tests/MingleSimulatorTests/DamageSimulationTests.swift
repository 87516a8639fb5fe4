// SPDX-License-Identifier: Apache-2.0

import MingleSimulator
import Testing

/// Bits that flip on disks, and repairs.
@Suite(.timeLimit(.minutes(10)))
struct DamageSimulationTests {
    @Test func `bits flip on everybody's disks again and again, and after repairs all agree`() throws {
        var coverage = Coverage()
        for seed in UInt64(1)...3 {
            let result = try simulate(seed, peers: 5, hours: 0.5, hostile: 0, copies: 0, flips: 30)
            let replay = "mingle simulate --seed \(seed) --peers 5 --hours 0.5 --hostile 0 --copies 0 --flips 30"
            #expect(result.findings.isEmpty, "\(replay): \(result.findings.first.map { "\($0)" } ?? "")")
            #expect(result.healedAfter != nil, "\(replay)")
            coverage.add(result.coverage)
        }
        #expect(coverage.flippedBits > 100 && coverage.rebuilds > 10 && coverage.damagedBlobs > 3)
        #expect(coverage.renewals > 0)
    }

    @Test func `a seed flips the same bits every time, and no flips leave its world as it was`() throws {
        let results = try [nil, 6, 6].map { try simulate(9, peers: 3, hours: 0.3, hostile: 0, copies: 0, flips: $0) }
        #expect(results[1].trace == results[2].trace && results[0].trace != results[1].trace)
        #expect(results[0].coverage.flippedBits == 0 && results[1].coverage.flippedBits > 0)
    }

    @Test func `a relay that certifies itself anew is not taken for somebody who came`() throws {
        let result = try simulate(13, peers: 3, hours: 0.5, hostile: 0, copies: 0, relays: 1, flips: 40)
        let replay = "mingle simulate --seed 13 --peers 3 --hours 0.5 --hostile 0 --copies 0 --relays 1 --flips 40"
        #expect(result.findings.isEmpty, "\(replay): \(result.findings.first.map { "\($0)" } ?? "")")
    }

    // That every disk has lost the key is a scenario of its own: every-key-lost.
    @Test func `a founder whose disk has lost every key makes another one, and all agree`() throws {
        #expect(try flipOften(42).freshBeginnings > 0)
    }

    @Test func `what was said under a key that every disk has lost is missed by nobody`() throws {
        #expect(try flipOften(91).lockedForEver > 0)
    }

    /// Plays three peers on whose disks bits flip all the time.
    private func flipOften(_ seed: UInt64) throws -> Coverage {
        let result = try simulate(seed, peers: 3, hours: 0.3, flips: 90)
        let replay = "mingle simulate --seed \(seed) --peers 3 --hours 0.3 --flips 90"
        #expect(result.findings.isEmpty, "\(replay): \(result.findings.first.map { "\($0)" } ?? "")")
        return result.coverage
    }
}
