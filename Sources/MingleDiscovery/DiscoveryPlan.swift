// SPDX-License-Identifier: Apache-2.0

/// Decides what to ask of Avahi and what to tell of its answers; does nothing itself.
///
/// Time is any monotonic duration. Give it every input, carry out the actions in order, and give it
/// `.wake` when ``nextWake`` has come.
package struct DiscoveryPlan: Sendable {
    private enum Link: Equatable {
        case down(until: Duration)
        case connecting
        case connected(since: Duration)
    }

    private let limits: DiscoveryLimits
    private let eventOf: @Sendable (String) -> String?
    private var link = Link.down(until: .zero)
    private var connectFailures = 0
    private var isPublishing = false
    private var toldState: DiscoveryState?
    private var candidates: Candidates
    private var publications: Publications

    /// When the next `.wake` is due; nil if only another input can change anything.
    package private(set) var nextWake: Duration? = .zero

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - limits: What others can make us keep, ask or repeat.
    ///   - seed: Random, so that not all nodes choose the same eight.
    ///   - eventOf: Which of our events a name belongs to; nil if it is not ours.
    ///   - newName: A fresh name in place of one that somebody else has.
    package init(
        limits: DiscoveryLimits = DiscoveryLimits(),
        seed: UInt64,
        eventOf: @escaping @Sendable (String) -> String?,
        newName: @escaping @Sendable (String) -> String
    ) {
        self.limits = limits
        self.eventOf = eventOf
        candidates = Candidates(limits: limits, seed: seed)
        publications = Publications(limits: limits, newName: newName)
    }

    /// Takes one input and says what to do now.
    package mutating func receive(_ input: Input, at now: Duration) -> [Action] {
        let actions =
            switch input {
            case .wake: wake(at: now)
            case .publish(let advertisements):
                publications.replace(with: advertisements, at: now) + candidates.recognise(eventOf, at: now)
            case .reject(let name): reject(name, at: now)
            case .connecting: connecting()
            case .registering: connected(at: now) + stopPublishing(at: now)
            case .running: running(at: now)
            case .failed(let failure): fail(failure, at: now)
            case .network(let report): isConnected ? hear(report, at: now) : []
            }
        schedule()
        return actions
    }

    private mutating func wake(at now: Duration) -> [Action] {
        if case .down(let until) = link {
            guard until <= now else { return [] }
            link = .connecting
            return [.connect]
        }
        guard isConnected else { return [] }
        let resolving = candidates.advance(to: now, except: publications.crowds)
        guard isPublishing else { return resolving }
        let publishing = publications.advance(to: now, others: candidates.names)
        return resolving + publishing + publications.takeDoubted(at: now).flatMap { candidates.check($0, at: now) }
    }

    private mutating func reject(_ name: String, at now: Duration) -> [Action] {
        candidates.reject(name, at: now)
        return []
    }
}

// MARK: - The connection to the daemon

extension DiscoveryPlan {
    private var isConnected: Bool {
        if case .connected = link { true } else { false }
    }

    private mutating func connecting() -> [Action] {
        link = .connecting
        return tell(.absent(reason: Failure.noDaemon.reason))
    }

    private mutating func connected(at now: Duration) -> [Action] {
        guard !isConnected else { return [] }
        link = .connected(since: now)
        return [.browse] + tell(.running)
    }

    private mutating func running(at now: Duration) -> [Action] {
        isPublishing = true
        return connected(at: now)
    }

    // The daemon registers its host name anew: services must go and come again.
    private mutating func stopPublishing(at now: Duration) -> [Action] {
        isPublishing = false
        return publications.suspend(at: now)
    }

    private mutating func fail(_ failure: Failure, at now: Duration) -> [Action] {
        if case .down = link { return [] }
        if case .connected(let since) = link, now - since >= limits.connectAgain.most { connectFailures = 0 }
        connectFailures += 1
        link = .down(until: now + limits.connectAgain.pause(after: connectFailures))
        return stopPublishing(at: now) + candidates.forgetAll() + tell(.absent(reason: failure.reason))
    }

    private mutating func tell(_ state: DiscoveryState) -> [Action] {
        guard state != toldState else { return [] }
        toldState = state
        return [.tell(.state(state))]
    }

    private mutating func schedule() {
        switch link {
        case .down(let until): nextWake = until
        case .connecting: nextWake = nil
        case .connected:
            let publishing = isPublishing ? publications.deadline() : nil
            nextWake = [candidates.deadline, publishing].compactMap { $0 }.min()
        }
    }
}

// MARK: - What the network says

extension DiscoveryPlan {
    private mutating func hear(_ report: Report, at now: Duration) -> [Action] {
        switch report {
        case .seen(let name, let sighting):
            guard InstanceName.isWellFormed(name), !publications.isOurs(name) else { return [] }
            candidates.see(name, on: sighting, event: eventOf(name), at: now)
            return []
        case .gone(let name, let sighting): return candidates.lose(name, on: sighting, at: now)
        case .resolved(let name, let sighting, let answer):
            return candidates.resolve(name, on: sighting, to: answer, at: now)
        case .established(let name):
            publications.establish(name, at: now)
            return []
        case .collided(let name): return publications.collide(name, at: now)
        case .refused(let name): return publications.fail(name, at: now)
        }
    }
}
