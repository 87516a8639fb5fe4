// SPDX-License-Identifier: Apache-2.0

import Logging
import MingleCrypto
import MingleDiscovery
import MingleModel
import MinglePeering
import MingleSync
import MingleWire
import Synchronization

extension Node: SessionHost {
    /// A link that ended sooner than this was of no use: its target is tried ever less often.
    private static let usefulTime = Duration.seconds(5)

    func send(_ message: [UInt8], on lane: Lane, to peer: PeerID) {
        guard let link = state.withLock({ $0.links[peer] }) else { return }
        switch transport.send(message, on: lane, to: link.connection) {
        case .accepted, .closed: break
        case .full, .refused:
            logger.warning(
                "closing a connection because its send queue is full",
                metadata: ["peer": "\(peer)", "lane": "\(lane)"]
            )
            transport.close(link.connection)
        }
    }

    func isSending(to peer: PeerID) -> Bool {
        state.withLock { $0.links[peer] }.map { transport.isSending(to: $0.connection) } ?? false
    }

    func close(_ peer: PeerID, _ goodbye: Goodbye) {
        guard let link = state.withLock({ $0.links[peer] }) else { return }
        let speaker = goodbye.isFromPeer ? "the peer" : "this node"
        logger.info(
            "closing a connection",
            metadata: ["peer": "\(peer)", "reason": "\(goodbye.reason)", "by": "\(speaker)"]
        )
        if goodbye.cause == .linkedAlready {
            state.withLock { state in
                let twin = goodbye.twin.flatMap { state.links[$0] == nil ? nil : $0 }
                state.dials.rest(peer, while: twin)
            }
        }
        if goodbye.isRefusal {
            let claimant = session(of: peer)?.roster.claimant(of: peer)
            state.withLock { $0.dials.refuse(peer, goodbye.isFromPeer ? .there : .here(claimant)) }
        }
        transport.finish(link.connection)
    }

    func metRelay(_ peer: PeerID, in event: EventID, address: String?) {
        let host = address.flatMap { LocalAddresses.split($0) }?.host
        state.withLock { state in
            state.dialling.meetRelay(by: peer, of: event, at: state.dials.target(of: peer), host: host)
        }
    }

    func doorsChanged(_ news: DoorNews, in event: EventID) {
        state.withLock { $0.dialling.doorsChanged(news, in: event, at: clock.uptime()) }
        wake.continuation.yield()
    }

    func admitted(_ peer: PeerID, as person: PersonID?, to scope: Scope) {
        guard let link = state.withLock({ $0.links[peer] }) else { return }
        transport.admit(link.connection, as: person, to: scope == .all ? .all : .fabric)
    }

    func learn(_ addresses: [String], of event: EventID) {
        state.withLock { state in
            for address in addresses {
                guard let (host, port) = LocalAddresses.split(address) else { continue }
                let target = DialTarget(event: event, host: host, port: port)
                state.dialling.learn(target, .hint, at: clock.uptime())
            }
        }
        wake.continuation.yield()
    }

    /// Takes what happens on the links, in order.
    ///
    /// While an event's engine is behind, nothing more is read from the links whose words wait for it; others go on.
    func takeEvents() async {
        for await event in transport.events {
            switch event {
            case .opened(let id, let opening):
                open(id, opening)
                transport.settle(event)
            case .message(let id, let lane, let bytes): feed(.received(PeerID(id.number), lane, bytes), from: event)
            case .drained(let id, let lane): feed(.drained(PeerID(id.number), lane), from: event)
            case .closed(let id, let reason):
                closed(PeerID(id.number), reason)
                transport.settle(event)
            }
        }
    }

    /// Hands what came on a link to its event's session, and settles it once the engine has heard it.
    private func feed(_ input: SyncInput, from event: TransportEvent) {
        guard let session = session(of: PeerID(event.connection.number)) else { return transport.settle(event) }
        session.feed(input) { [transport] in transport.settle(event) }
    }

    private func session(of peer: PeerID) -> EventSession? {
        state.withLock { state in state.links[peer].flatMap { state.sessions[$0.event] } }
    }

    private func open(_ id: ConnectionID, _ opening: Opening) {
        let peer = PeerID(id.number)
        let isSelf = opening.remoteStaticKey == staticKey.publicKey
        let session = state.withLock { state -> EventSession? in
            if opening.direction == .outgoing { state.dials.opened(peer, isSelf: isSelf) }
            guard !isSelf, let session = state.sessions[opening.event] else { return nil }
            state.links[peer] = Link(
                connection: id,
                event: opening.event,
                address: opening.remoteAddress,
                opened: clock.uptime()
            )
            return session
        }
        guard let session else { return transport.close(id) }
        session.roster.open(
            peer,
            address: "\(opening.remoteAddress)",
            isIncoming: opening.direction == .incoming
        )
        let isInitiator = opening.direction == .outgoing
        session.feed(.opened(peer, Session(handshakeHash: opening.handshakeHash, isInitiator: isInitiator)))
    }

    private func closed(_ peer: PeerID, _ reason: CloseReason) {
        let link = state.withLock { state in
            let link = state.links.removeValue(forKey: peer)
            let lasted = link.map { clock.uptime() - $0.opened } ?? .zero
            state.dials.ended(peer, wasUseful: lasted > Self.usefulTime, in: &state.dialling, at: clock.uptime())
            return link
        }
        logger.debug("connection closed", metadata: ["peer": "\(peer)", "reason": "\(reason)"])
        guard let link, let session = state.withLock({ $0.sessions[link.event] }) else { return }
        noteEnd(of: link, reason, session.roster.person(of: peer))
        session.roster.close(peer)
        session.feed(.closed(peer))
        changes.publish(kinds: ["peers", "people"])
        wake.continuation.yield()
    }

    /// Dials what is due, whenever something may be.
    func keepDialling() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(250))
                    self.wake.continuation.yield()
                }
            }
            for await _ in wake.stream {
                for target in state.withLock({ $0.dialling.due(at: clock.uptime()) }) {
                    group.addTask { await self.dial(target) }
                }
                if Task.isCancelled { break }
            }
            group.cancelAll()
        }
    }

    /// Dials for an event what the operator said.
    func learnConfigured(for event: EventID) {
        state.withLock { state in
            for (host, port) in state.peers.compactMap(LocalAddresses.split) {
                let target = DialTarget(event: event, host: host, port: port)
                state.dialling.learn(target, .configured, at: clock.uptime())
            }
        }
        wake.continuation.yield()
    }

    private func dial(_ target: DialTarget) async {
        guard let session = state.withLock({ $0.sessions[target.event] }) else {
            return state.withLock { $0.dialling.ended(target, wasUseful: false, at: clock.uptime()) }
        }
        let psk = session.secrets.withLock { $0.psk }
        do {
            let id = try await transport.dial(
                host: target.host,
                port: target.port,
                event: EventPSK(event: target.event, psk: psk)
            )
            state.withLock { state in
                state.dials.began(PeerID(id.number), target, in: &state.dialling, at: clock.uptime())
            }
        } catch {
            logger.debug("dialling failed", metadata: ["target": "\(target.host):\(target.port)", "error": "\(error)"])
            state.withLock { $0.dialling.ended(target, wasUseful: false, at: clock.uptime()) }
        }
    }
}
