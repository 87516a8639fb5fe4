// SPDX-License-Identifier: Apache-2.0

/// Which names there is room for: strangers may say more than anybody keeps, and what leads nowhere is to keep out nothing that does.
extension Candidates {
    private func hasRoom(for event: String) -> Bool {
        guard candidates.count < limits.names, let most = limits.namesPerEvent else {
            return candidates.count < limits.names
        }
        return candidates.values.count { $0.event == event } < most
    }

    /// Whether there is room for one more name of an event; what has failed most gives way to what was never tried.
    mutating func makeRoom(for event: String) -> Bool {
        if hasRoom(for: event) { return true }
        let failed = candidates.filter { $0.value.event == event && $0.value.failures > 0 && !$0.value.isBusy }
        guard let name = failed.max(by: { isBetter($0.key, than: $1.key) })?.key else { return false }
        stepAside(name)
        return true
    }

    /// Lets another name of the same event be tried in place of one that led nowhere, if one waits for room.
    mutating func giveWay(_ name: String, at now: Duration) {
        guard let candidate = candidates[name], !candidate.isBusy, !hasRoom(for: candidate.event),
            let next = next(of: candidate.event), bystanders[next]?.failures ?? 0 < candidate.failures
        else { return }
        stepAside(name)
        takeNext(of: candidate.event, at: now)
    }

    private mutating func stepAside(_ name: String) {
        guard let candidate = candidates.removeValue(forKey: name) else { return }
        bystanders[name] = Bystander(
            event: candidate.event,
            sightings: candidate.sightings,
            failures: candidate.failures,
            isAbsent: candidate.isAbsent
        )
    }

    mutating func takeNext(of event: String, at now: Duration) {
        guard hasRoom(for: event), let name = next(of: event), let next = bystanders.removeValue(forKey: name) else {
            return
        }
        candidates[name] = Candidate(
            event: event,
            sightings: next.sightings,
            stage: .waiting(until: now),
            failures: next.failures,
            isAbsent: next.isAbsent
        )
        call(at: now)
    }

    /// What waits for room in an event and failed least.
    private func next(of event: String) -> String? {
        bystanders.filter { $0.value.event == event }
            .min { ($0.value.failures, shuffled($0.key), $0.key) < ($1.value.failures, shuffled($1.key), $1.key) }?.key
    }

    mutating func pass(by name: String, of event: String?, on sighting: Sighting) {
        if bystanders[name] == nil, bystanders.count >= limits.names {
            let failed = bystanders.filter { $0.value.failures > 0 }
            guard let most = failed.max(by: { ($0.value.failures, $0.key) < ($1.value.failures, $1.key) }) else {
                return
            }
            bystanders[most.key] = nil
        }
        var bystander = bystanders[name] ?? Bystander()
        bystander.event = event
        bystander.sightings = adding(sighting, to: bystander.sightings)
        bystanders[name] = bystander
    }
}
