// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
import MingleDiscovery
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire
import Synchronization

/// A name under which this node says of an event that it is open, and where in the crowd it stands.
struct OpenName {
    var name: String
    /// From 0 to 1: how much of the longest pause this node waits before it says so.
    let place: Double
}

/// Events that are open to anyone nearby: what this node says of its own, and what others say of theirs.
extension Node {
    /// How long somebody waits who begins to look, so that answers have come.
    private static let firstLook = Duration.seconds(2)
    /// What names are called that are of no event of this node's.
    private static let elsewhere = "elsewhere"
    /// Nodes of an event that say so, besides the founder's.
    private static let speakers = 4

    /// Says what is open here, and listens to what others say; a relay can do neither.
    func discoverNearby() async {
        let discovery = configuration.makeDiscovery(
            "_mingle-open._tcp",
            .open,
            { [weak self] in self?.openEvent(named: $0) },
            { [weak self] in self?.renewOpen($0) ?? $0 }
        )
        opener.withLock { $0 = discovery }
        advertiseOpen()
        await discovery.run { [weak self] in self?.takeOpen($0) }
    }

    /// The open events on this network that this node does not take part in.
    package func nearby() async throws -> API.Envelope.Nearby {
        let hasBegun = state.withLock { $0.nearby.look(at: clock.uptime()) }
        // What was seen before nobody knew is looked at again.
        if hasBegun { advertiseOpen() }
        let (since, discovery) = state.withLock { ($0.nearby.since, $0.discovery) }
        let wait = (since ?? .zero) + Self.firstLook - clock.uptime()
        if case .running = discovery, wait > .zero { try await Task.sleep(for: min(wait, Self.firstLook)) }
        return state.withLock { state in
            API.Envelope.Nearby(
                nearby: state.nearby.list(except: Set(state.sessions.keys)),
                discovery: API.Status.Discovery(state.discovery)
            )
        }
    }

    /// Says which events are open to anyone nearby, and that no others are.
    func advertiseOpen() {
        // Under a lock, so that what was found out earlier is never said later; not the one that Avahi's thread takes.
        tellingOpen.withLock { _ in
            if let opener = opener.withLock({ $0 }) { opener.publish(openAdvertisements()) }
        }
    }

    private func openAdvertisements() -> [Advertisement] {
        let shown = configuration.tellsNearby ? state.withLock { $0.shown } : [:]
        let open = shown.sorted { $0.key < $1.key }.compactMap { event, session in
            openText(of: session).map { (event, $0, name(in: session)) }
        }
        let (port, names) = state.withLock { state in
            // A name that another took the place of meanwhile is not taken again.
            state.openNames = Dictionary(uniqueKeysWithValues: open.map { ($0.0, state.openNames[$0.0] ?? $0.2) })
            return (UInt16(state.port), state.openNames)
        }
        return open.compactMap { event, text, _ in
            names[event].map {
                Advertisement(name: $0.name, port: port, text: text.text, crowd: crowd(of: event, at: $0.place))
            }
        }
    }

    /// What was said of an event has led nowhere: those who said it may say something else by now.
    func doubtNearby(_ event: EventID) {
        let names = state.withLock { $0.nearby.doubt(event) }
        for name in names { opener.withLock { $0 }?.reject(name) }
    }

    /// About a second has passed.
    func tickNearby() {
        let news = state.withLock { $0.nearby.advance(to: clock.uptime()) }
        for name in news.asked { opener.withLock { $0 }?.reject(name) }
        if news.isChanged { changes.publish(kinds: ["nearby"]) }
        let due = state.withLock { Array($0.sessions.values) }.filter { $0.isOpennessDue(at: clock.uptime()) }
        // What ends by itself is a change that nobody tells of.
        for session in due where session.noteOpening() { changes.publish(kinds: ["status"]) }
        if !due.isEmpty || news.isOver { advertiseOpen() }
    }

    /// What is said of an event; nil where it is not open, or this person is not let in.
    private func openText(of session: EventSession) -> OpenText? {
        guard !session.isRelay, let seed = try? session.replica.nearbyOpening(at: clock.now())?.seed,
            (try? session.ownLevel()) != nil, let title = try? session.replica.title()
        else { return nil }
        let psk = session.secrets.withLock { $0.psk }
        // Without addresses, as who reads this knows from where it came.
        let link = InvitationLink(event: session.event, psk: psk, seed: seed, hints: []).text
        return OpenText(title: title, link: link)
            ?? OpenText(title: "event \(session.event.description.prefix(8))", link: link)
    }

    private func name(in session: EventSession) -> OpenName {
        state.withLock { $0.openNames[session.event] }
            ?? OpenName(name: Self.newName(session), place: .random(in: 0...1))
    }

    /// The founder's node always says so; nobody on the network can make that one silent by pretending to be enough.
    private func crowd(of event: EventID, at place: Double) -> Crowd {
        let session = state.withLock { $0.sessions[event] }
        let isFounder = (try? session?.ownLevel()) == .founder
        let people = session.flatMap { try? $0.counts.counts(of: $0.replica).people } ?? 0
        let longest = Double(min(people * 30, 30_000))
        return Crowd(
            event: event.description,
            most: isFounder ? .max : Self.speakers,
            pause: isFounder ? .zero : .milliseconds(Int(longest * place))
        )
    }

    private func takeOpen(_ event: DiscoveryEvent) {
        switch event {
        case .state: break
        case .found(let endpoint):
            // Told with the next tick, as strangers may say something else many times a second.
            let isTaken = state.withLock { $0.nearby.hear(endpoint, at: clock.uptime()) }
            if !isTaken { opener.withLock { $0 }?.reject(endpoint.name) }
        case .lost(let name): state.withLock { $0.nearby.lose(name) }
        case .renamed(let old, let new):
            state.withLock { state in
                if let event = state.openNames.first(where: { $0.value.name == old })?.key {
                    state.openNames[event]?.name = new
                }
            }
        }
    }

    /// Which event a name belongs to that says something open: one of this node's that it says so of as well, or elsewhere.
    private func openEvent(named name: String) -> String? {
        let (sessions, open, isLooking) = state.withLock { ($0.sessions, $0.openNames, $0.nearby.since != nil) }
        if let own = sessions.first(where: { InstanceName.matches(name, tag: Self.tag($0.value)) })?.key {
            return open[own] == nil ? nil : own.description
        }
        return isLooking ? Self.elsewhere : nil
    }

    private func renewOpen(_ name: String) -> String {
        state.withLock { state in
            guard let event = state.openNames.first(where: { $0.value.name == name })?.key,
                let session = state.sessions[event]
            else { return name }
            return Self.newName(session)
        }
    }
}
