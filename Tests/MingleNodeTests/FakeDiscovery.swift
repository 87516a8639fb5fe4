// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleDiscovery
import MingleNode
import NodeTestSupport
import Synchronization

/// A network of nodes in one process, on which everybody sees what everybody publishes, and strangers say what they like.
final class FakeNetwork: Sendable {
    private struct State {
        var services: [String: [FakeDiscovery]] = [:]
        var published: [String: [String: Endpoint]] = [:]
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Makes a node's part of the network.
    var maker: DiscoveryMaker {
        { service, _, eventOf, _ in
            let discovery = FakeDiscovery(service: service, network: self, eventOf: eventOf)
            self.state.withLock { $0.services[service, default: []].append(discovery) }
            return discovery
        }
    }

    /// What is published of a service, by name.
    func services(_ service: String = open) -> [String: Endpoint] { state.withLock { $0.published[service] ?? [:] } }

    /// The names that nodes would not have, of a service.
    func rejected(_ service: String = open) -> [String] {
        state.withLock { $0.services[service] ?? [] }.flatMap(\.rejected)
    }

    /// With whom each node shares what it says.
    func crowds(_ service: String = open) -> [Crowd] {
        state.withLock { $0.services[service] ?? [] }.flatMap(\.crowds)
    }

    /// How many nodes listen to a service.
    func listeners(_ service: String = open) -> Int { state.withLock { $0.services[service]?.count ?? 0 } }

    /// The type of service that says what is open to anyone nearby.
    static let open = "_mingle-open._tcp"

    /// Waits until what is said to be open is so, looking whenever somebody says something.
    func eventually(_ what: String, until condition: ([OpenText]) async throws -> Bool) async throws {
        let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listeners.append(news.continuation) }
        news.continuation.yield()
        for await _ in news.stream {
            if try await condition(services().values.compactMap { OpenText($0.text) }) { return }
        }
        throw TooLate(what: what)
    }

    /// Somebody on the network says these things, and no more what was said under those names.
    func say(_ endpoints: [Endpoint], insteadOf names: Set<String> = [], _ service: String = FakeNetwork.open) {
        let (others, listeners) = state.withLock { state in
            for name in names { state.published[service, default: [:]][name] = nil }
            for endpoint in endpoints { state.published[service, default: [:]][endpoint.name] = endpoint }
            return (state.services[service] ?? [], state.listeners)
        }
        for other in others { other.look() }
        for listener in listeners { listener.yield() }
    }
}

/// One node's part of a network, which knows what ``MingleDiscovery/DiscoveryPlan`` would tell.
final class FakeDiscovery: PeerDiscovery {
    private struct State {
        var own: Set<String> = []
        var crowds: [Crowd] = []
        var told: [String: Endpoint] = [:]
        var rejected: [String] = []
        var onEvent: (@Sendable (DiscoveryEvent) -> Void)?
    }

    private let service: String
    private let network: FakeNetwork
    private let eventOf: @Sendable (String) -> String?
    private let queue = DispatchQueue(label: "fake.discovery")
    private let state = Mutex(State())

    init(service: String, network: FakeNetwork, eventOf: @escaping @Sendable (String) -> String?) {
        (self.service, self.network, self.eventOf) = (service, network, eventOf)
    }

    /// With whom the node shares what it says.
    var crowds: [Crowd] { state.withLock { $0.crowds } }

    /// The names that the node would not have.
    var rejected: [String] { state.withLock { $0.rejected } }

    func run(onEvent: @escaping @Sendable (DiscoveryEvent) -> Void) async {
        state.withLock { $0.onEvent = onEvent }
        onEvent(.state(.running))
        look()
        await untilCancelled()
        network.say([], insteadOf: state.withLock { $0.own }, service)
    }

    func publish(_ advertisements: [Advertisement]) {
        let endpoints = advertisements.map {
            Endpoint(name: $0.name, event: "", host: "127.0.0.1", port: $0.port, text: $0.text)
        }
        let former = state.withLock { state in
            state.crowds = advertisements.compactMap(\.crowd)
            defer { state.own = Set(endpoints.map(\.name)) }
            return state.own
        }
        network.say(endpoints, insteadOf: former, service)
    }

    func reject(_ name: String) {
        state.withLock { $0.rejected.append(name) }
        network.say([], service)
    }

    /// Tells the node what has become of the network since, never on the caller's thread.
    func look() { queue.async { self.tell() } }

    private func tell() {
        let published = network.services(service)
        // Before it runs nobody is told, and nothing counts as told.
        guard let onEvent = state.withLock({ $0.onEvent }) else { return }
        let events = state.withLock { state -> [DiscoveryEvent] in
            var seen: [String: Endpoint] = [:]
            for (name, endpoint) in published where !state.own.contains(name) {
                guard let event = eventOf(name) else { continue }
                seen[name] = endpoint
                seen[name]?.event = event
            }
            let lost = state.told.keys.filter { seen[$0] == nil }.sorted().map { DiscoveryEvent.lost(name: $0) }
            let found = seen.filter { state.told[$0.key] != $0.value }.values.map { DiscoveryEvent.found($0) }
            state.told = seen
            return lost + found
        }
        for event in events { onEvent(event) }
    }
}
