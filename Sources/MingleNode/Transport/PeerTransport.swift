// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleWire
package import NIOCore
import NIOPosix
import Synchronization

/// Connections to other nodes over TCP: listens, dials, and carries messages in lanes, encrypted.
///
/// Whatever decides is a value (``SecureChannel``, ``ConnectionGate``); this is the shell that owns sockets and times.
/// Sending never waits: ``send(_:on:to:)`` says whether the lane had room. Receiving is bounded: while the consumer of
/// ``events`` has not settled what came on a connection, nothing more is read from it.
package final class PeerTransport: Sendable {
    struct State {
        var events: [EventPSK] = []
        var gate: ConnectionGate
        var unfinished: UnfinishedMessages
        var connections: [ConnectionID: PeerConnection] = [:]
        var lastNumber: UInt64 = 0
        var listeners: [any Channel] = []
        var isShutDown = false

        mutating func nextID() -> ConnectionID {
            lastNumber += 1
            return ConnectionID(number: lastNumber)
        }

        /// Enters a connection; false if it comes too late.
        mutating func enter(_ connection: PeerConnection) -> Bool {
            guard !isShutDown else { return false }
            connections[connection.id] = connection
            unfinished.open(connection.id, from: connection.remoteAddress.host)
            return true
        }
    }

    /// Limits and times.
    package let configuration: TransportConfiguration
    let group: any EventLoopGroup
    private let staticKey: AgreementKey
    private let randomness: Randomness
    let inbox: TransportInbox
    let state: Mutex<State>
    let refused = Atomic(0)
    let failedHandshakes = Atomic(0)
    /// What went through connections that have ended.
    let endedTraffic = Mutex(LaneCounters())

    /// Makes a transport that does nothing yet; `staticKey` is its Noise key, which need not outlive the process.
    package init(
        staticKey: AgreementKey,
        randomness: Randomness = .system,
        configuration: TransportConfiguration = TransportConfiguration(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        (self.staticKey, self.randomness, self.configuration) = (staticKey, randomness, configuration)
        self.group = group
        inbox = TransportInbox(configuration)
        let unfinished = UnfinishedMessages(
            UnfinishedMessages.Limits(
                strangers: configuration.unfinishedBytesOfStrangers,
                payer: configuration.unfinishedBytesEach,
                all: configuration.unfinishedBytes
            )
        )
        state = Mutex(State(gate: ConnectionGate(configuration), unfinished: unfinished))
    }

    /// Replaces the events that incoming connections may mean; those that are open stay open.
    package func serve(_ events: [EventPSK]) throws(TransportError) {
        guard events.count <= ChannelLimits.events else { throw .tooManyEvents(limit: ChannelLimits.events) }
        state.withLock { $0.events = events }
    }

    /// What happens on the connections; one task takes it, and whoever has dealt with an event calls ``settle(_:)``.
    package var events: TransportEvents { TransportEvents(transport: self) }

    /// Queues `message` on the lane of a connection; `.closed` also for one that never was.
    package func send(_ message: [UInt8], on lane: Lane, to id: ConnectionID) -> EnqueueResult {
        connection(id)?.enqueue(message, on: lane) ?? .closed
    }

    /// Whether something waits to be sent on an open connection.
    package func isSending(to id: ConnectionID) -> Bool { connection(id)?.isSending ?? false }

    /// Closes a connection at once; what waits is lost.
    package func close(_ id: ConnectionID) { connection(id)?.close(.byUs) }

    /// Closes a connection after what waits was sent, but keeps it no longer for that than
    /// ``TransportConfiguration/drainTimeout``, however slowly the other side reads.
    package func finish(_ id: ConnectionID) { connection(id)?.finish() }

    /// What went through each lane of an open connection.
    package func counters(of id: ConnectionID) -> PerLane<LaneCounters>? { connection(id)?.counters }

    /// What went through all connections since the node started.
    package var traffic: LaneCounters {
        // In one look, as one that ends meanwhile would be counted twice.
        let (open, ended) = state.withLock { state in (Array(state.connections.values), endedTraffic.withLock { $0 }) }
        return open.reduce(ended) { $0 + $1.counters }
    }

    /// Bytes of messages that have not come whole, of all connections.
    var unfinishedByteCount: Int { state.withLock { $0.unfinished.byteCount } }

    /// How many connections there are and were turned away.
    package var counts: TransportCounts {
        let (connections, strangers) = state.withLock { ($0.gate.count, $0.gate.strangerCount) }
        return TransportCounts(
            connections: connections,
            unauthenticated: strangers,
            refused: refused.load(ordering: .relaxed),
            failedHandshakes: failedHandshakes.load(ordering: .relaxed)
        )
    }

    /// Closes everything and ends ``events``.
    package func shutDown() async {
        let (listeners, connections) = state.withLock { state in
            state.isShutDown = true
            return (state.listeners, state.connections.values.sorted { $0.id < $1.id })
        }
        for listener in listeners { try? await listener.close() }
        for connection in connections { await connection.closeAndWait() }
        inbox.finish()
    }

    // MARK: For the listener and the dialler

    /// Takes a socket that came in, or closes it.
    func accept(_ socket: any Channel) throws {
        guard let address = RemoteAddress(socket.remoteAddress), let connection = admit(socket, from: address) else {
            refused.add(1, ordering: .relaxed)
            socket.close(promise: nil)
            return
        }
        try socket.pipeline.syncOperations.addHandler(PeerHandler(connection, of: self))
    }

    /// Takes one of the places for a connection that this node dials.
    func reserve() throws(TransportError) -> ConnectionID {
        let (id, isShutDown) = state.withLock { state -> (ConnectionID?, Bool) in
            let id = state.nextID()
            return (state.gate.dial(id) ? id : nil, state.isShutDown)
        }
        guard !isShutDown else { throw .shutDown }
        guard let id else { throw .tooManyConnections(limit: configuration.connections) }
        return id
    }

    /// Gives back a place that was reserved in vain.
    func release(_ id: ConnectionID) { state.withLock { $0.gate.leave(id) } }

    /// Begins the handshake on a socket that this node dialled.
    func begin(_ id: ConnectionID, _ event: EventPSK, on socket: any Channel, _ opening: EventLoopPromise<Void>) throws
    {
        let channel = SecureChannel(
            initiating: event,
            staticKey: staticKey,
            randomness: randomness,
            limits: configuration.channel
        )
        let connection = PeerConnection(
            id: id,
            direction: .outgoing,
            remoteAddress: RemoteAddress(socket.remoteAddress) ?? RemoteAddress(host: "", port: 0),
            socket: socket,
            channel: channel
        )
        guard state.withLock({ $0.enter(connection) }) else { throw TransportError.shutDown }
        try socket.pipeline.syncOperations.addHandler(PeerHandler(connection, of: self, opening: opening))
    }

    /// Keeps a listening socket; false if the transport has been shut down meanwhile.
    func keep(_ listener: any Channel) -> Bool {
        state.withLock { state in
            if !state.isShutDown { state.listeners.append(listener) }
            return !state.isShutDown
        }
    }

    private func admit(_ socket: any Channel, from address: RemoteAddress) -> PeerConnection? {
        let (events, id, verdict) = state.withLock { state in
            let id = state.nextID()
            return (state.events, id, state.isShutDown ? .refused : state.gate.knock(id, from: address.host))
        }
        guard case .admitted(let displaced) = verdict else { return nil }
        if let displaced { connection(displaced)?.close(.displaced) }
        let channel = SecureChannel(
            respondingWith: events,
            staticKey: staticKey,
            randomness: randomness,
            limits: configuration.channel
        )
        let connection = PeerConnection(
            id: id,
            direction: .incoming,
            remoteAddress: address,
            socket: socket,
            channel: channel
        )
        return state.withLock { $0.enter(connection) } ? connection : nil
    }

    func connection(_ id: ConnectionID) -> PeerConnection? { state.withLock { $0.connections[id] } }
}

extension LaneCounters {
    /// The sum of these and those of all lanes of a connection.
    static func + (total: LaneCounters, lanes: PerLane<LaneCounters>) -> LaneCounters {
        Lane.allCases.reduce(into: total) { total, lane in
            total.bytesIn += lanes[lane].bytesIn
            total.bytesOut += lanes[lane].bytesOut
            total.messagesIn += lanes[lane].messagesIn
            total.messagesOut += lanes[lane].messagesOut
        }
    }
}
