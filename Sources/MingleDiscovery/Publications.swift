// SPDX-License-Identifier: Apache-2.0

/// The services that we publish, and what became of each.
struct Publications: Sendable {
    private struct Publication {
        enum Stage: Equatable {
            case waiting(until: Duration)
            // Enough others say the same.
            case resting
            case offered
            case established(since: Duration)
        }

        var advertisement: Advertisement
        var stage: Stage
        var failures = 0
        // When it is looked at who else says the same.
        var look = Duration.zero

        var isOut: Bool {
            switch stage {
            case .waiting, .resting: false
            case .offered, .established: true
            }
        }

        // Nobody else is counted where this is said in any case, nor before it is decided who says it.
        var looks: Bool {
            if case .waiting = stage { false } else { advertisement.crowd.map { $0.most < .max } ?? false }
        }

        // A new port needs a new service; a new text only an update.
        mutating func change(to new: Advertisement, at now: Duration) -> [DiscoveryPlan.Action] {
            let old = advertisement
            advertisement = new
            guard isOut else { return [] }
            guard new.port == old.port else {
                stage = .waiting(until: now)
                return [.withdraw(new.name)]
            }
            return new.text == old.text ? [] : [.update(new)]
        }

        // Whether others say the same and are enough: who says it already gives way to lower names only.
        func isSpare(beside others: (String) -> [String]) -> Bool {
            guard let crowd = advertisement.crowd else { return false }
            let others = others(crowd.event)
            return others.count { !isOut || $0 < advertisement.name } >= crowd.most
        }
    }

    private let limits: DiscoveryLimits
    private let newName: @Sendable (String) -> String
    private var publications: [Publication] = []
    // Names that were ours may be announced for a while by the network's memory.
    private var formerNames: [String] = []

    init(limits: DiscoveryLimits, newName: @escaping @Sendable (String) -> String) {
        self.limits = limits
        self.newName = newName
    }

    func isOurs(_ name: String) -> Bool {
        formerNames.contains(name) || publications.contains { $0.advertisement.name == name }
    }

    mutating func replace(with advertisements: [Advertisement], at now: Duration) -> [DiscoveryPlan.Action] {
        var old = publications
        var actions: [DiscoveryPlan.Action] = []
        publications = []
        for advertisement in advertisements.prefix(limits.advertisements) where !publishes(advertisement.name) {
            guard let index = old.firstIndex(where: { $0.advertisement.name == advertisement.name }) else {
                let begin = now + (advertisement.crowd?.pause ?? .zero)
                publications.append(Publication(advertisement: advertisement, stage: .waiting(until: begin)))
                continue
            }
            var publication = old.remove(at: index)
            actions += publication.change(to: advertisement, at: now)
            publications.append(publication)
        }
        for publication in old { actions += retire(publication) }
        return actions
    }

    /// The daemon forgot all groups, or must: they are offered again when it runs.
    mutating func suspend(at now: Duration) -> [DiscoveryPlan.Action] {
        var actions: [DiscoveryPlan.Action] = []
        for index in publications.indices {
            let (advertisement, wasOut) = (publications[index].advertisement, publications[index].isOut)
            guard wasOut || publications[index].stage == .resting else { continue }
            // Who else says the same is to be seen anew first.
            publications[index].stage = .waiting(until: now + (advertisement.crowd?.pause ?? .zero))
            if wasOut { actions.append(.withdraw(advertisement.name)) }
        }
        return actions
    }

    mutating func establish(_ name: String, at now: Duration) {
        guard let index = index(ofOut: name) else { return }
        publications[index].stage = .established(since: now)
    }

    mutating func collide(_ name: String, at now: Duration) -> [DiscoveryPlan.Action] {
        guard let index = index(ofOut: name) else { return [] }
        let replacement = newName(name)
        // The first collision is an accident and repaired at once; whoever repeats it is slowed down.
        let isFirst = fail(index, at: now) == 1
        if isFirst { publications[index].stage = .waiting(until: now) }
        publications[index].advertisement.name = replacement
        remember(name)
        return [.withdraw(name), .tell(.renamed(from: name, to: replacement))]
    }

    mutating func fail(_ name: String, at now: Duration) -> [DiscoveryPlan.Action] {
        guard let index = index(ofOut: name) else { return [] }
        fail(index, at: now)
        return [.withdraw(name)]
    }

    /// The events of which we say what others say, too.
    var crowds: Set<String> { Set(publications.compactMap(\.advertisement.crowd?.event)) }

    /// Offers what is due, and leaves to others what enough of them say; only while the daemon runs.
    ///
    /// - Parameter others: The names of others that belong to an event.
    mutating func advance(to now: Duration, others: (String) -> [String]) -> [DiscoveryPlan.Action] {
        publications.indices.compactMap { index -> DiscoveryPlan.Action? in
            let advertisement = publications[index].advertisement
            let isSpare = publications[index].isSpare(beside: others)
            switch publications[index].stage {
            case .waiting(let until):
                guard until <= now else { return nil }
                publications[index].stage = isSpare ? .resting : .offered
                publications[index].look = nextLook(after: now, advertisement)
                return isSpare ? nil : .publish(advertisement)
            case .resting:
                // One of the others went, and many may have seen it.
                if !isSpare { publications[index].stage = .waiting(until: now + (advertisement.crowd?.pause ?? .zero)) }
                return nil
            case .offered, .established:
                guard isSpare else { return nil }
                publications[index].stage = .resting
                return .withdraw(advertisement.name)
            }
        }
    }

    /// The events of which it is time to see whether those who say the same are there; each is named once, and then again later.
    ///
    /// Who leaves it to others looks, and who says it besides: others may be back.
    mutating func takeDoubted(at now: Duration) -> [String] {
        publications.indices.compactMap { index in
            guard publications[index].looks, publications[index].look <= now else { return nil }
            publications[index].look = nextLook(after: now, publications[index].advertisement)
            return publications[index].advertisement.crowd?.event
        }
    }

    // Not all look at the same time: the answer to one is heard by all.
    private func nextLook(after now: Duration, _ advertisement: Advertisement) -> Duration {
        now + limits.rest + (advertisement.crowd?.pause ?? .zero)
    }

    /// When something is to be done next.
    func deadline() -> Duration? {
        publications.compactMap { publication -> Duration? in
            if case .waiting(let until) = publication.stage { return until }
            return publication.looks ? publication.look : nil
        }.min()
    }
}

// MARK: - Bookkeeping

extension Publications {
    private func publishes(_ name: String) -> Bool {
        publications.contains { $0.advertisement.name == name }
    }

    private func index(ofOut name: String) -> Int? {
        publications.firstIndex { $0.advertisement.name == name && $0.isOut }
    }

    @discardableResult
    private mutating func fail(_ index: Int, at now: Duration) -> Int {
        if case .established(let since) = publications[index].stage, now - since >= limits.recovery {
            publications[index].failures = 0
        }
        publications[index].failures += 1
        let failures = publications[index].failures
        publications[index].stage = .waiting(until: now + limits.publishAgain.pause(after: failures))
        return failures
    }

    private mutating func retire(_ publication: Publication) -> [DiscoveryPlan.Action] {
        remember(publication.advertisement.name)
        return publication.isOut ? [.withdraw(publication.advertisement.name)] : []
    }

    private mutating func remember(_ name: String) {
        formerNames = formerNames.suffix(limits.advertisements - 1) + [name]
    }
}
