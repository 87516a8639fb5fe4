// SPDX-License-Identifier: Apache-2.0

/// Looks for a smaller run of the same seed in which the same checker finds something: fewer kinds of faults, fewer peers,
/// a shorter event.
package struct Shrinking {
    /// Runs that are tried at the most.
    private static let attempts = 48
    private let checker: String
    private let run: (SimulationOptions) throws -> SimulationResult

    /// Shrinks what `checker` found in runs that `run` plays.
    package init(_ checker: String, run: @escaping (SimulationOptions) throws -> SimulationResult) {
        (self.checker, self.run) = (checker, run)
    }

    /// The smallest run that was found, and how many were tried.
    package func smallest(from options: SimulationOptions, peers: Int) throws -> (
        options: SimulationOptions, tried: Int
    ) {
        var best = options
        best.peers = peers
        best.trace = nil
        var tried = 0
        var hasShrunk = true
        while hasShrunk {
            hasShrunk = false
            for candidate in smaller(than: best) where tried < Self.attempts {
                tried += 1
                guard try run(candidate).findings.contains(where: { $0.checker == checker }) else { continue }
                (best, hasShrunk) = (candidate, true)
                break
            }
        }
        return (best, tried)
    }

    /// Runs that are a step smaller, the greatest steps first.
    private func smaller(than options: SimulationOptions) -> [SimulationOptions] {
        var candidates: [SimulationOptions] = []
        if options.hours > 0.05 { candidates.append(options.with { $0.hours /= 2 }) }
        let peers = options.peers ?? 2
        for fewer in [peers / 2, peers - 1] where (2..<peers).contains(fewer) {
            candidates.append(options.with { $0.peers = fewer })
        }
        if options.hostile != 0 { candidates.append(options.with { $0.hostile = 0 }) }
        if options.flips != nil { candidates.append(options.with { $0.flips = nil }) }
        if options.relays != 0 { candidates.append(options.with { $0.relays = 0 }) }
        if options.phones != 0 { candidates.append(options.with { $0.phones = 0 }) }
        if WorldPlan.keptWords(options) != nil { candidates.append(options.with { $0.keptWords = 0 }) }
        if WorldPlan.keptHourly(options) != nil { candidates.append(options.with { $0.keptHourly = 0 }) }
        if options.copies != 0 { candidates.append(options.with { $0.copies = 0 }) }
        for fault in Fault.allCases where !options.without.contains(fault) {
            candidates.append(options.with { $0.without.insert(fault) })
        }
        return candidates
    }
}

extension SimulationOptions {
    fileprivate func with(_ change: (inout SimulationOptions) -> Void) -> SimulationOptions {
        var options = self
        change(&options)
        return options
    }
}
