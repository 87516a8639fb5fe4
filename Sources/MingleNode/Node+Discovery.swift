// SPDX-License-Identifier: Apache-2.0

import Logging
import MingleCrypto
import MingleDiscovery
import MingleModel
import MinglePeering
import MingleWire
import Synchronization

extension Node {
    /// How often instance names change, so that a device cannot be followed for long: drawn anew each time.
    private static let nameLifetime = 3600.0...10_800.0

    /// Looks for peers by mDNS and says where this node is.
    func discover() async {
        guard configuration.discovers else {
            noteDiscovery(.absent(reason: "switched off"))
            return await untilCancelled()
        }
        let discovery = configuration.makeDiscovery(
            "_mingle._tcp",
            DiscoveryLimits(),
            { [weak self] in self?.event(named: $0)?.description },
            { [weak self] in self?.renew($0) ?? $0 }
        )
        advertiser.withLock { $0 = discovery }
        advertise()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await discovery.run { [weak self] in self?.take($0) } }
            group.addTask { await self.keepRenewing() }
            if configuration.relay == nil { group.addTask { await self.discoverNearby() } }
            await group.waitForAll()
        }
    }

    /// Publishes one name for each event.
    func advertise() {
        let load = loadClass
        let text = configuration.relay == nil ? ["v": "1"] : ["v": "1", "relay": "\(load)"]
        let advertisements = state.withLock { state in
            state.advertisedLoad = load
            for event in state.sessions.keys where state.names[event] == nil {
                state.names[event] = state.sessions[event].map { Self.newName($0) }
            }
            state.names = state.names.filter { state.sessions[$0.key] != nil }
            return state.names.sorted { $0.key < $1.key }.map { _, name in
                Advertisement(name: name, port: UInt16(state.port), text: text)
            }
        }
        advertiser.withLock { $0 }?.publish(advertisements)
        advertiseOpen()
    }

    private func take(_ event: DiscoveryEvent) {
        switch event {
        case .state(let discovery): noteDiscovery(discovery)
        case .found(let endpoint):
            guard let event = EventID(text: endpoint.event) else { return }
            state.withLock { state in
                let target = DialTarget(event: event, host: endpoint.host, port: Int(endpoint.port))
                let load = endpoint.text["relay"].map { min(max(Int($0) ?? 0, 0), 2) }
                state.dialling.learn(target, .discovered, relayLoad: load, at: clock.uptime())
            }
            wake.continuation.yield()
        case .renamed(let old, let new):
            state.withLock { state in
                if let event = state.names.first(where: { $0.value == old })?.key { state.names[event] = new }
            }
        case .lost: break
        }
    }

    private func noteDiscovery(_ discovery: DiscoveryState) {
        state.withLock { $0.discovery = discovery }
        if case .absent(let reason) = discovery, configuration.discovers {
            logger.warning("nearby nodes cannot be discovered", metadata: ["reason": "\(reason)"])
        }
        changes.publish(kinds: ["status"])
    }

    private func keepRenewing() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Double.random(in: Self.nameLifetime)))
            state.withLock { $0.names = [:] }
            advertise()
        }
    }

    /// The event of this node that an instance name belongs to.
    private func event(named name: String) -> EventID? {
        let sessions = state.withLock { $0.sessions }
        return sessions.first { InstanceName.matches(name, tag: Self.tag($0.value)) }?.key
    }

    /// A new name in place of one that another service has.
    private func renew(_ name: String) -> String {
        state.withLock { state in
            guard let event = state.names.first(where: { $0.value == name })?.key, let session = state.sessions[event]
            else { return name }
            return Self.newName(session)
        }
    }

    static func newName(_ session: EventSession) -> String {
        InstanceName.make(random: UInt64.random(in: .min ... .max), tag: tag(session))
    }

    static func tag(_ session: EventSession) -> InstanceName.Tag {
        let psk = session.secrets.withLock { $0.psk }
        return { random in
            var hash = Blake2b(.discovery, key: psk)
            hash.update(random)
            return hash.finalize()
        }
    }
}
