// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleSimulator

/// What has to have happened in all runs together, and how often at least.
struct RequiredCount: ExpressibleByArgument, CustomStringConvertible {
    let name: String
    let least: Int

    /// A counter's name, and behind a = the number unless that is 1; nil for another name or no number above 0.
    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let least = parts.count > 1 ? Int(parts[1]) : 1, least > 0,
            Coverage().counts.contains(where: { $0.name == parts[0] })
        else { return nil }
        (name, self.least) = (parts[0], least)
    }

    var description: String { least == 1 ? name : "\(name) \(least) times" }

    func isMet(by coverage: Coverage) -> Bool { coverage.counts.contains { $0.name == name && $0.count >= least } }
}
