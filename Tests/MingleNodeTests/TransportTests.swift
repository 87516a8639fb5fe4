// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleNode
import MingleWire
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TransportTests {
    @Test(arguments: ["127.0.0.1", "::1"])
    func `two nodes open a connection and exchange messages on every lane`(_ host: String) async throws {
        let (dialler, listener) = (try TransportNode(), try TransportNode())
        let port = try await listener.transport.listen(on: 0)
        let outgoing = try await dialler.transport.dial(host: host, port: port, event: TransportNode.event(1))
        let (_, one) = try await dialler.nextOpening()
        let (incoming, other) = try await listener.nextOpening()
        dialler.transport.admit(outgoing, as: nil, to: .all)
        listener.transport.admit(incoming, as: nil, to: .all)
        #expect((one.event, one.handshakeHash) == (other.event, other.handshakeHash))
        #expect((one.direction, other.direction) == (.outgoing, .incoming))
        #expect((one.remoteAddress.host, one.remoteAddress.port, other.remoteAddress.host) == (host, port, host))
        for lane in Lane.allCases {
            let message = [UInt8](repeating: lane.rawValue, count: 300_000)
            #expect(dialler.transport.send(message, on: lane, to: outgoing) == .accepted)
            #expect(try await listener.nextMessage() == (lane, message))
            #expect(listener.transport.send([lane.rawValue], on: lane, to: incoming) == .accepted)
            #expect(try await dialler.nextMessage() == (lane, [lane.rawValue]))
        }
        let counters = try #require(dialler.transport.counters(of: outgoing))
        #expect(counters[.deltas] == LaneCounters(bytesIn: 1, bytesOut: 300_000, messagesIn: 1, messagesOut: 1))
        dialler.transport.close(outgoing)
        #expect(try await dialler.nextClosing() == .byUs)
        #expect(try await listener.nextClosing() == .byPeer)
        #expect(dialler.transport.send([1], on: .control, to: outgoing) == .closed)
        await dialler.transport.shutDown()
        await listener.transport.shutDown()
    }

    @Test func `a port that is taken is named, with what to do about it`() async throws {
        let (one, other) = (try TransportNode(), try TransportNode())
        let port = try await one.transport.listen(on: 0)
        let error = await #expect(throws: TransportError.portInUse(port)) {
            _ = try await other.transport.listen(on: port)
        }
        #expect("\(try #require(error))".contains("TCP port \(port) is in use: stop the program"))
        await one.transport.shutDown()
        await other.transport.shutDown()
    }

    @Test func `dialling nobody, or a node without the event, fails with the reason`() async throws {
        let (dialler, listener) = (try TransportNode(), try TransportNode())
        let port = try await listener.transport.listen(on: 0)
        await #expect(throws: TransportError.handshakeRefused(host: "127.0.0.1", port: port)) {
            let stranger = TransportNode.event(1, psk: 9)
            _ = try await dialler.transport.dial(host: "127.0.0.1", port: port, event: stranger)
        }
        await listener.transport.shutDown()
        let error = await #expect(throws: TransportError.self) {
            _ = try await dialler.transport.dial(host: "127.0.0.1", port: port, event: TransportNode.event(1))
        }
        guard case .unreachable("127.0.0.1", port, _) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(dialler.transport.counts.connections == 0)
        await dialler.transport.shutDown()
    }

    @Test func `the events that are served can be changed while listening`() async throws {
        let (dialler, listener) = (try TransportNode(), try TransportNode(serving: []))
        let port = try await listener.transport.listen(on: 0)
        let event = TransportNode.event(2)
        await #expect(throws: TransportError.handshakeRefused(host: "127.0.0.1", port: port)) {
            _ = try await dialler.transport.dial(host: "127.0.0.1", port: port, event: event)
        }
        try listener.transport.serve([TransportNode.event(1), event])
        _ = try await dialler.transport.dial(host: "127.0.0.1", port: port, event: event)
        #expect(try await listener.nextOpening().1.event == event.event)
        #expect(throws: TransportError.tooManyEvents(limit: 64)) {
            try listener.transport.serve((0..<65).map { TransportNode.event($0) })
        }
        await dialler.transport.shutDown()
        await listener.transport.shutDown()
    }

    @Test func `what was queued before finishing still arrives`() async throws {
        let nodes = try await ConnectedNodes()
        let chunk = [UInt8](repeating: 5, count: 4 << 20)
        #expect(nodes.listener.transport.send(chunk, on: .originals, to: nodes.incoming) == .accepted)
        #expect(nodes.listener.transport.send([7], on: .control, to: nodes.incoming) == .accepted)
        nodes.listener.transport.finish(nodes.incoming)
        #expect(nodes.listener.transport.send([8], on: .control, to: nodes.incoming) == .closed)
        #expect(try await nodes.dialler.nextMessage() == (.control, [7]))
        #expect(try await nodes.dialler.nextMessage() == (.originals, chunk))
        #expect(try await nodes.dialler.nextClosing() == .byPeer)
        #expect(try await nodes.listener.nextClosing() == .byUs)
        await nodes.shutDown()
    }

    @Test func `a consumer that is behind stops the sender, and gets everything in the end`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.channel.queuedBytes = PerLane { _ in 1 << 20 }
        let nodes = try await ConnectedNodes(dialler: configuration)
        let message = [UInt8](repeating: 1, count: 100_000)
        // The listener's events are not taken: what the sockets and the inbox hold is bounded, so the lane fills.
        let sent = try await nodes.dialler.fill(.deltas, of: nodes.outgoing, with: message)
        #expect(sent < TransportNode.manyMessages)
        for _ in 0..<sent { #expect(try await nodes.listener.nextMessage().bytes.count == message.count) }
        guard case .drained(nodes.outgoing, .deltas) = await nodes.dialler.events.next() else {
            Issue.record("nobody said that there is room again")
            return
        }
        #expect(nodes.dialler.transport.send([2], on: .deltas, to: nodes.outgoing) == .accepted)
        #expect(try await nodes.listener.nextMessage() == (.deltas, [2]))
        await nodes.shutDown()
    }

    @Test func `what was taken and not dealt with stops the sender as well`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.channel.queuedBytes = PerLane { _ in 1 << 20 }
        let nodes = try await ConnectedNodes(dialler: configuration)
        let taking = Task {
            var events: [TransportEvent] = []
            while let event = await nodes.listener.events.next() { events.append(event) }
            return events
        }
        let message = [UInt8](repeating: 1, count: 100_000)
        let sent = try await nodes.dialler.fill(.deltas, of: nodes.outgoing, with: message)
        #expect(sent < TransportNode.manyMessages)
        taking.cancel()
        let taken = await taking.value
        // What is dealt with makes room for the rest.
        for event in taken { nodes.listener.transport.settle(event) }
        let messageCount = taken.count { if case .message = $0 { true } else { false } }
        for _ in messageCount..<sent { #expect(try await nodes.listener.nextMessage().bytes.count == message.count) }
        await nodes.shutDown()
    }

    @Test func `a connection that is to end does so though the other side reads nothing`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.channel.queuedBytes = PerLane { _ in 1 << 20 }
        configuration.drainTimeout = .milliseconds(100)
        let nodes = try await ConnectedNodes(dialler: configuration)
        _ = try await nodes.dialler.fill(.deltas, of: nodes.outgoing, with: [UInt8](repeating: 1, count: 100_000))
        nodes.dialler.transport.finish(nodes.outgoing)
        #expect(try await nodes.dialler.nextClosing() == .byUs)
        await nodes.shutDown()
    }

    @Test func `unfinished messages on all connections are bounded together`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.unfinishedBytes = 100_000
        let nodes = try await ConnectedNodes(listener: configuration)
        let chunk = [UInt8](repeating: 0, count: 1 << 20)
        #expect(nodes.dialler.transport.send(chunk, on: .originals, to: nodes.outgoing) == .accepted)
        #expect(try await nodes.listener.nextClosing() == .overloaded)
        await nodes.shutDown()
    }

    @Test func `who is not let in may send a greeting and nothing longer`() async throws {
        let (dialler, listener) = (try TransportNode(.patient), try TransportNode(.patient))
        let port = try await listener.transport.listen(on: 0)
        let id = try await dialler.transport.dial(host: "127.0.0.1", port: port, event: TransportNode.event(1))
        _ = try await dialler.nextOpening()
        _ = try await listener.nextOpening()
        let greeting = [UInt8](repeating: 1, count: ChannelLimits.greetingLength)
        #expect(dialler.transport.send(greeting, on: .control, to: id) == .accepted)
        #expect(try await listener.nextMessage().bytes == greeting)
        #expect(dialler.transport.send(greeting + [1], on: .control, to: id) == .accepted)
        #expect(try await listener.nextClosing() == .violation(.messageTooLong(.control)))
        await dialler.transport.shutDown()
        await listener.transport.shutDown()
    }

    @Test func `shutting down closes every connection and ends the events`() async throws {
        let nodes = try await ConnectedNodes()
        await nodes.listener.transport.shutDown()
        #expect(try await nodes.listener.nextClosing() == .byUs)
        let event = await nodes.listener.events.next()
        #expect(event == nil)
        #expect(try await nodes.dialler.nextClosing() == .byPeer)
        await #expect(throws: TransportError.shutDown) {
            _ = try await nodes.listener.transport.dial(host: "127.0.0.1", port: 1, event: TransportNode.event(1))
        }
        await #expect(throws: TransportError.shutDown) { _ = try await nodes.listener.transport.listen(on: 0) }
        await nodes.dialler.transport.shutDown()
    }

    @Test func `a task that waits for events can be cancelled`() async throws {
        let node = try TransportNode()
        let waiting = Task { await node.events.next() == nil }
        waiting.cancel()
        #expect(await waiting.value)
        await node.transport.shutDown()
    }
}
