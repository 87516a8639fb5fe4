// SPDX-License-Identifier: Apache-2.0

/// Whether those are still there who say what this node leaves to them: the network remembers them for long.
extension Candidates {
    /// Asks for the lowest names of an event, which stay out longest, and after them for those that were not there the last time.
    mutating func check(_ event: String, at now: Duration) -> [DiscoveryPlan.Action] {
        let names = candidates.filter { $0.value.event == event && !$0.value.isBusy }
            .sorted { ($0.value.isAbsent ? 1 : 0, $0.key) < ($1.value.isAbsent ? 1 : 0, $1.key) }
            .prefix(limits.checks).map(\.key)
        return names.compactMap { name in
            guard let sighting = candidates[name]?.startCheck(until: now + limits.resolution) else { return nil }
            call(at: now + limits.resolution)
            return .resolve(name, on: sighting)
        }
    }
}

extension Candidates.Candidate {
    fileprivate mutating func startCheck(until end: Duration) -> Sighting? {
        guard let sighting = sightings.first else { return nil }
        isChecked = true
        stage = .resolving(sighting, until: end)
        return sighting
    }

    /// Notes whether it is there, of which nobody is told.
    mutating func endCheck(isThere: Bool, at now: Duration) {
        (isChecked, isAbsent) = (false, !isThere)
        // Where there is no room it gives way to others.
        failures = isThere ? 0 : failures + 1
        stage = .waiting(until: now)
    }
}
