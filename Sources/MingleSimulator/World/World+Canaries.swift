// SPDX-License-Identifier: Apache-2.0

import MinglePeering
import MingleReplica

extension World {
    /// How long something new may take to be everywhere while nothing is wrong: less than until peers compare what they
    /// hold, which would hide that they were not told.
    private static let promptness = Duration.seconds(8)

    /// Shares something when all is well, and looks whether everybody has it soon.
    func sendCanaries() throws {
        // Who was let in by what every disk has lost is nobody until the next link.
        let able = try honest.filter { try !$0.isRetired && $0.replica.level(of: $0.secrets.person) != nil }
        guard plan.hasFaults, !able.isEmpty else { return }
        // The largest picture may go over one slow link after the other.
        let transport = Duration.microseconds((540 << 10) * 1_000_000 / plan.bandwidth) * 4
        for node in [dice.pick(able), dice.pick(able)] {
            try rename(node)
            try expectLevel(within: Self.promptness, "the words that node \(node.number) said")
            try sharePhoto(node)
            try expectLevel(within: Self.promptness + transport, "the picture that node \(node.number) shared")
        }
        // What was fetched last is still being told of.
        try run(until: now + .seconds(20))
    }

    private func expectLevel(within limit: Duration, _ what: String) throws {
        let end = now + limit
        while now < end {
            try run(until: now + .seconds(1))
            if try ConvergenceChecker.isInSync(self) { return }
        }
        report("promptness", "not all have \(what) when all was well")
    }
}
