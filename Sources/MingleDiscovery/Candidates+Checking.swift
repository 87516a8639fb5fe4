// SPDX-License-Identifier: Apache-2.0

/// Whether those are there who say what this node says or leaves to them: the network remembers them for long.
extension Candidates {
    /// Asks for the lowest names of an event, which stay out longest, and after them for those that were not there the last time.
    mutating func check(_ event: String, at now: Duration) -> [DiscoveryPlan.Action] {
        let names = candidates.filter { $0.value.event == event && !$0.value.isBusy }
            .sorted { ($0.value.isAbsent ? 1 : 0, $0.key) < ($1.value.isAbsent ? 1 : 0, $1.key) }
            .prefix(limits.checks).map(\.key)
        return names.compactMap { name in
            guard var candidate = candidates[name] else { return nil }
            let sighting = candidate.ask(after: 0, until: now + limits.resolution)
            candidates[name] = candidate
            call(at: now + limits.resolution)
            return .resolve(name, on: sighting)
        }
    }

    /// Takes the answer to a check, or that there is none; nobody is told of it.
    mutating func goOn(
        checking name: String,
        _ candidate: inout Candidate,
        isThere: Bool,
        at now: Duration
    ) -> [DiscoveryPlan.Action] {
        let vain = (candidate.vainChecks ?? 0) + 1
        if !isThere, vain < max(limits.checkTries, candidate.sightings.count) {
            call(at: now + limits.resolution)
            return [.resolve(name, on: candidate.ask(after: vain, until: now + limits.resolution))]
        }
        (candidate.vainChecks, candidate.isAbsent, candidate.stage) = (nil, !isThere, .waiting(until: now))
        // Where there is no room it gives way to others.
        candidate.failures = isThere ? 0 : candidate.failures + 1
        return []
    }
}

extension Candidates.Candidate {
    /// Asks on the next path; a candidate has at least one.
    fileprivate mutating func ask(after vain: Int, until end: Duration) -> Sighting {
        let sighting = sightings[vain % sightings.count]
        (vainChecks, stage) = (vain, .resolving(sighting, until: end))
        return sighting
    }
}
