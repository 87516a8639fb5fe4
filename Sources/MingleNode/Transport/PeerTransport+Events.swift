// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleWire
import NIOCore
import Synchronization

extension PeerTransport {
    /// A handshake went through.
    func didOpen(_ connection: PeerConnection, _ opening: Opening) {
        let displaced = state.withLock { $0.gate.authenticate(connection.id) }
        if let displaced { self.connection(displaced)?.close(.displaced) }
        _ = post(.opened(connection.id, opening)) {}
    }

    /// The other side was let in as a device of `person`, and may send as much as `admittance` says.
    ///
    /// From now on its connection gives way to that person's others alone, and the person pays for what it holds.
    package func admit(_ id: ConnectionID, as person: PersonID?, to admittance: Admittance) {
        connection(id)?.admit(to: admittance)
        let displaced = state.withLock { state in
            if admittance == .all { state.unfinished.admit(id, as: person) }
            return state.gate.admit(id, as: person)
        }
        if let displaced { connection(displaced)?.close(.crowdedOut) }
    }

    /// A socket is gone.
    func didEnd(_ connection: PeerConnection, _ reason: CloseReason, wasOpen: Bool) {
        let counters = connection.counters
        state.withLock { state in
            if state.connections[connection.id] != nil { endedTraffic.withLock { $0 = $0 + counters } }
            state.connections[connection.id] = nil
            state.unfinished.leave(connection.id)
            // The place of one that opened is free once its end was taken, so that ends cannot pile up.
            if !wasOpen { state.gate.leave(connection.id) }
        }
        if wasOpen {
            _ = post(.closed(connection.id, reason)) {}
        } else {
            failedHandshakes.add(1, ordering: .relaxed)
        }
    }

    /// Hands an event to the consumer; true if its connection must pause until `resume` is called.
    func post(_ event: TransportEvent, resume: @escaping @Sendable () -> Void) -> Bool {
        inbox.post(event, resume: resume)
    }

    /// Nothing is read from a connection until it is told to go on.
    func pause(_ connection: PeerConnection, at now: Duration) {
        connection.pause(at: now)
        state.withLock { $0.unfinished.pause(connection.id, at: now) }
    }

    /// Notes what a connection holds of unfinished messages, and closes those that hold too much.
    func hold(_ load: UnfinishedMessages.Load, on id: ConnectionID, at now: Duration) {
        let closed = state.withLock { $0.unfinished.hold(load, on: id, at: now) }
        for id in closed { connection(id)?.close(.overloaded) }
    }

    /// Lets a connection bring more, as what it brought has been dealt with; each event that was taken is settled once.
    package func settle(_ event: TransportEvent) { inbox.settle(event) }

    /// What the consumer gets next.
    func nextEvent() async -> TransportEvent? {
        let event = await inbox.next()
        if case .closed(let id, _) = event { release(id) }
        return event
    }
}

extension RemoteAddress {
    /// Reads an IP address; nil for anything else.
    init?(_ address: SocketAddress?) {
        guard let host = address?.ipAddress, let port = address?.port else { return nil }
        let mapped = "::ffff:"
        let isMapped = host.lowercased().hasPrefix(mapped) && host.contains(".")
        self.init(host: isMapped ? String(host.dropFirst(mapped.count)) : host, port: port)
    }
}
