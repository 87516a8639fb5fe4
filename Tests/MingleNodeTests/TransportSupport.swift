// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleNode
import MingleWire
import NIOCore
import NIOPosix
import Testing

/// A node of these tests: a transport on a free port, and its events.
struct TransportNode {
    let transport: PeerTransport
    let events: TransportEvents.AsyncIterator

    init(serving events: [EventPSK] = [Self.event(1)], _ configuration: TransportConfiguration = .patient) throws {
        transport = PeerTransport(
            staticKey: AgreementKey(secret: Randomness.system.secret()),
            configuration: configuration
        )
        try transport.serve(events)
        self.events = transport.events.makeAsyncIterator()
    }

    static func event(_ number: UInt8, psk: UInt8? = nil) -> EventPSK {
        guard let raw = Bytes32([UInt8](repeating: number, count: 32)) else {
            preconditionFailure("these are 32 bytes")
        }
        return EventPSK(event: EventID(raw), psk: Secret([UInt8](repeating: psk ?? number, count: 32)))
    }

    /// Waits until so many strangers are inside: a client is connected before the node has taken it from the queue.
    func waitForStrangers(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while transport.counts.unauthenticated != count {
            guard ContinuousClock.now < deadline else { throw Unexpected(event: nil) }
            await Task.yield()
        }
    }

    /// So many messages are sent to nobody who does not take them.
    static let manyMessages = 1000

    /// Sends a message again and again until its lane is full and stays so; returns how often, at most ``manyMessages``.
    func fill(_ lane: Lane, of id: ConnectionID, with message: [UInt8]) async throws -> Int {
        var sent = 0
        while sent < Self.manyMessages {
            switch transport.send(message, on: lane, to: id) {
            case .accepted: sent += 1
            case .full: if try await waitsInVain(on: id) { return sent }
            case .refused, .closed: throw Unexpected(event: nil)
            }
        }
        return sent
    }

    /// Whether a full lane stays full while the other side goes on; a lane that drained is waited for.
    private func waitsInVain(on id: ConnectionID) async throws -> Bool {
        let before = transport.counters(of: id)
        // A round trip on another connection gives both event loops time to move whatever can be moved.
        let probe = try await ConnectedNodes()
        for _ in 0..<20 {
            _ = probe.dialler.transport.send([1], on: .control, to: probe.outgoing)
            _ = try await probe.listener.nextMessage()
        }
        await probe.shutDown()
        return transport.counters(of: id) == before
    }

    /// Takes the next event but notices of lanes that have drained, which may come at any time.
    func nextEvent() async -> TransportEvent? {
        while true {
            let event = await events.next()
            if let event { transport.settle(event) }
            if case .drained = event { continue }
            return event
        }
    }

    /// Takes the next event, which must be an opening.
    func nextOpening() async throws -> (ConnectionID, Opening) {
        let event = await nextEvent()
        guard case .opened(let id, let opening) = event else { throw Unexpected(event: event) }
        return (id, opening)
    }

    /// Takes the next event, which must be a message.
    func nextMessage() async throws -> (lane: Lane, bytes: [UInt8]) {
        let event = await nextEvent()
        guard case .message(_, let lane, let bytes) = event else { throw Unexpected(event: event) }
        return (lane, bytes)
    }

    /// Takes the next event, which must be an end.
    func nextClosing() async throws -> CloseReason {
        let event = await nextEvent()
        guard case .closed(_, let reason) = event else { throw Unexpected(event: event) }
        return reason
    }
}

/// An event that the test did not wait for.
struct Unexpected: Error {
    let event: TransportEvent?
}

/// Two nodes with an open connection.
struct ConnectedNodes {
    let dialler: TransportNode
    let listener: TransportNode
    let outgoing: ConnectionID
    let incoming: ConnectionID

    init(dialler: TransportConfiguration = .patient, listener: TransportConfiguration = .patient) async throws {
        self.dialler = try TransportNode(dialler)
        self.listener = try TransportNode(listener)
        let port = try await self.listener.transport.listen(on: 0)
        outgoing = try await self.dialler.transport.dial(host: "127.0.0.1", port: port, event: TransportNode.event(1))
        let (opened, _) = try await self.dialler.nextOpening()
        #expect(opened == outgoing)
        incoming = try await self.listener.nextOpening().0
        self.dialler.transport.admit(outgoing, as: nil, to: .all)
        self.listener.transport.admit(incoming, as: nil, to: .all)
    }

    func shutDown() async {
        await dialler.transport.shutDown()
        await listener.transport.shutDown()
    }
}

extension TransportNode {
    init(_ configuration: TransportConfiguration) throws {
        try self.init(serving: [Self.event(1)], configuration)
    }
}

/// A TCP client that says whatever a test wants.
struct RawClient {
    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    init(port: Int) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }

    /// Sends `bytes` and returns everything that comes until the other side closes.
    func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
        try await channel.executeThenClose { inbound, outbound in
            if !bytes.isEmpty { try await outbound.write(ByteBuffer(bytes: bytes)) }
            var received: [UInt8] = []
            do {
                for try await buffer in inbound { received += buffer.readableBytesView }
            } catch is IOError {
                // A node that closes before it has read everything resets the connection.
            }
            return received
        }
    }
}

extension TransportConfiguration {
    /// Limits for a machine on which hundreds of tests begin at once, so that a task may wait for its turn longer than a
    /// handshake may take.
    static var patient: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.handshakeTimeout = .seconds(60)
        return configuration
    }
}
