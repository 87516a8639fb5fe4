// SPDX-License-Identifier: Apache-2.0

/// The names seen on the network, and which of them are worth resolving.
struct Candidates: Sendable {
    struct Candidate {
        enum Stage {
            case waiting(until: Duration)
            case resolving(Sighting, until: Duration)
            case resolved(Sighting, since: Duration)
        }

        var event: String
        var sightings: [Sighting]
        var stage: Stage
        var failures = 0
        // What was told last, until it was told to be lost or was rejected.
        var told: Endpoint?
        // While it is only looked at whether it is there: how often it was asked in vain.
        var vainChecks: Int?
        // Whether it was not there when that was looked at last.
        var isAbsent = false

        var isBusy: Bool {
            if case .waiting = stage { false } else { true }
        }

        func isReady(at now: Duration) -> Bool {
            if case .waiting(let until) = stage { until <= now } else { false }
        }

        // What is ready and still waits, waits for room: an input makes that.
        func deadline(after now: Duration) -> Duration? {
            switch stage {
            case .waiting(let until): until > now ? until : nil
            case .resolving(_, let until): until
            case .resolved: nil
            }
        }
    }

    /// A name of no event of ours, or of one that has no room for it now.
    struct Bystander {
        var event: String?
        var sightings: [Sighting] = []
        var failures = 0
        var isAbsent = false
    }

    let limits: DiscoveryLimits
    private let seed: UInt64
    var candidates: [String: Candidate] = [:]
    var bystanders: [String: Bystander] = [:]

    /// When `advance` has something to do next; nil if only an input can change that.
    private(set) var deadline: Duration?

    init(limits: DiscoveryLimits, seed: UInt64) {
        self.limits = limits
        self.seed = seed
    }

    // MARK: - What the network says

    mutating func see(_ name: String, on sighting: Sighting, event: String?, at now: Duration) {
        guard let event, candidates[name] != nil || makeRoom(for: event) else {
            return pass(by: name, of: event, on: sighting)
        }
        guard var candidate = candidates[name] else {
            let (known, settled) = (bystanders.removeValue(forKey: name), now + limits.settling)
            candidates[name] = Candidate(
                event: event,
                sightings: adding(sighting, to: known?.sightings ?? []),
                stage: .waiting(until: settled),
                failures: known?.failures ?? 0
            )
            return call(at: settled)
        }
        candidate.sightings = adding(sighting, to: candidate.sightings)
        // Who is announced is there.
        candidate.isAbsent = false
        candidates[name] = candidate
    }

    mutating func lose(_ name: String, on sighting: Sighting, at now: Duration) -> [DiscoveryPlan.Action] {
        bystanders[name]?.sightings.removeAll { $0 == sighting }
        if bystanders[name]?.sightings.isEmpty == true { bystanders[name] = nil }
        guard var candidate = candidates[name] else { return [] }
        call(at: now)
        candidate.sightings.removeAll { $0 == sighting }
        guard !candidate.sightings.isEmpty else {
            defer { takeNext(of: candidate.event, at: now) }
            return forget(name)
        }
        defer { candidates[name] = candidate }
        switch candidate.stage {
        case .resolving(sighting, _):
            (candidate.stage, candidate.vainChecks) = (.waiting(until: now), nil)
            return [.stopResolving(name)]
        case .resolved(sighting, _):
            candidate.stage = .waiting(until: now)
            return []
        default: return []
        }
    }

    mutating func resolve(
        _ name: String,
        on sighting: Sighting,
        to answer: Resolution?,
        at now: Duration
    ) -> [DiscoveryPlan.Action] {
        guard case .resolving(sighting, _) = candidates[name]?.stage else { return [] }
        call(at: now)
        let actions = [.stopResolving(name)] + settle(name, on: sighting, with: answer, at: now)
        giveWay(name, at: now)
        return actions
    }

    private mutating func settle(
        _ name: String,
        on sighting: Sighting,
        with answer: Resolution?,
        at now: Duration
    ) -> [DiscoveryPlan.Action] {
        guard var candidate = candidates[name] else { return [] }
        defer { candidates[name] = candidate }
        guard candidate.vainChecks == nil else {
            return goOn(checking: name, &candidate, isThere: answer != nil, at: now)
        }
        guard let endpoint = answer?.endpoint(name: name, event: candidate.event, sighting: sighting) else {
            let wasTold = candidate.told != nil
            fail(&candidate, at: now)
            return wasTold ? [.tell(.lost(name: name))] : []
        }
        candidate.stage = .resolved(sighting, since: now)
        guard candidate.told != endpoint else { return [] }
        candidate.told = endpoint
        return [.tell(.found(endpoint))]
    }

    // MARK: - What our side says

    mutating func reject(_ name: String, at now: Duration) {
        guard var candidate = candidates[name], case .resolved = candidate.stage else { return }
        fail(&candidate, at: now)
        candidates[name] = candidate
        call(at: now)
        giveWay(name, at: now)
    }

    mutating func recognise(_ eventOf: (String) -> String?, at now: Duration) -> [DiscoveryPlan.Action] {
        call(at: now)
        var actions: [DiscoveryPlan.Action] = []
        for name in candidates.keys.sorted() {
            guard let candidate = candidates[name], eventOf(name) != candidate.event else { continue }
            actions += forget(name)
            bystanders[name] = Bystander(sightings: candidate.sightings)
        }
        // In an order that nobody else knows: whose names come first has no more room than others.
        for name in bystanders.keys.sorted(by: { (shuffled($0), $0) < (shuffled($1), $1) }) {
            guard let event = eventOf(name), let bystander = bystanders.removeValue(forKey: name) else {
                bystanders[name]?.event = nil
                continue
            }
            for sighting in bystander.sightings { see(name, on: sighting, event: event, at: now) }
        }
        return actions
    }

    mutating func forgetAll() -> [DiscoveryPlan.Action] {
        let told = candidates.filter { $0.value.told != nil }.keys.sorted()
        candidates = [:]
        bystanders = [:]
        deadline = nil
        return told.map { .tell(.lost(name: $0)) }
    }

    // MARK: - Time

    /// The names that belong to an event of ours, without those that were not there when they were looked at.
    func names(of event: String) -> [String] {
        candidates.filter { $0.value.event == event && !$0.value.isAbsent }.map(\.key)
    }

    /// Gives up on what did not answer, then starts resolving as much as the limits allow.
    ///
    /// - Parameter known: Events of which nothing need be asked.
    mutating func advance(to now: Duration, except known: Set<String> = []) -> [DiscoveryPlan.Action] {
        guard let due = deadline, due <= now else { return [] }
        var actions = giveUp(at: now)
        var busy = candidates.values.filter(\.isBusy).reduce(into: [:]) { $0[$1.event, default: 0] += 1 }
        let ready = candidates.filter { _, candidate in
            candidate.isReady(at: now) && busy[candidate.event, default: 0] < limits.resolvedPerEvent
                && !known.contains(candidate.event)
        }
        for name in ready.keys.sorted(by: { isBetter($0, than: $1) }) {
            guard var candidate = candidates[name], busy[candidate.event, default: 0] < limits.resolvedPerEvent
            else { continue }
            busy[candidate.event, default: 0] += 1
            let sighting = candidate.sightings[candidate.failures % candidate.sightings.count]
            candidate.stage = .resolving(sighting, until: now + limits.resolution)
            candidates[name] = candidate
            actions.append(.resolve(name, on: sighting))
        }
        deadline = candidates.values.compactMap { $0.deadline(after: now) }.min()
        return actions
    }

    private mutating func giveUp(at now: Duration) -> [DiscoveryPlan.Action] {
        let late = candidates.filter { if case .resolving(_, let until) = $1.stage { until <= now } else { false } }
        return late.keys.sorted().flatMap { name -> [DiscoveryPlan.Action] in
            guard case .resolving(let sighting, _) = candidates[name]?.stage else { return [] }
            return resolve(name, on: sighting, to: nil, at: now)
        }
    }
}

// MARK: - Bookkeeping

extension Candidates {
    mutating func call(at time: Duration) {
        deadline = deadline.map { min($0, time) } ?? time
    }

    func adding(_ sighting: Sighting, to sightings: [Sighting]) -> [Sighting] {
        guard !sightings.contains(sighting), sightings.count < limits.sightingsPerName else { return sightings }
        return (sightings + [sighting]).sorted { ($0.rank, $0.interface) < ($1.rank, $1.interface) }
    }

    private mutating func forget(_ name: String) -> [DiscoveryPlan.Action] {
        guard let candidate = candidates.removeValue(forKey: name) else { return [] }
        var actions: [DiscoveryPlan.Action] = []
        if case .resolving = candidate.stage { actions.append(.stopResolving(name)) }
        if candidate.told != nil { actions.append(.tell(.lost(name: name))) }
        return actions
    }

    // The next path is tried at once; when all failed, there is a pause.
    private func fail(_ candidate: inout Candidate, at now: Duration) {
        if case .resolved(_, let since) = candidate.stage, now - since >= limits.recovery { candidate.failures = 0 }
        candidate.failures += 1
        candidate.told = nil
        let (rounds, path) = candidate.failures.quotientAndRemainder(dividingBy: candidate.sightings.count)
        candidate.stage = .waiting(until: path > 0 ? now : now + limits.resolveAgain.pause(after: rounds))
    }

    // Names already told come first, then those that failed least; else each node chooses differently.
    func isBetter(_ left: String, than right: String) -> Bool {
        guard let first = candidates[left], let second = candidates[right] else { return left < right }
        return (first.told == nil ? 1 : 0, first.failures, shuffled(left), left)
            < (second.told == nil ? 1 : 0, second.failures, shuffled(right), right)
    }

    // FNV-1a: nothing secret hangs on it.
    func shuffled(_ name: String) -> UInt64 {
        name.utf8.reduce(seed ^ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
