// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleNode
import MingleWire
import NIOCore
import NIOPosix
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TransportStrangerTests {
    @Test(arguments: [[0, 48], [0, 1], [0x16, 0x03], Array("GET / HTTP/1.1\r\n\r\n".utf8)] as [[UInt8]])
    func `a stranger gets not one byte`(_ beginning: [UInt8]) async throws {
        let node = try TransportNode()
        let port = try await node.transport.listen(on: 0)
        let received = try await RawClient(port: port).exchange(beginning + [UInt8](repeating: 0x41, count: 48))
        #expect(received == [])
        await node.transport.shutDown()
        #expect(node.transport.counts.failedHandshakes == 1)
    }

    @Test func `who says nothing is dropped at the deadline`() async throws {
        var configuration = TransportConfiguration()
        configuration.handshakeTimeout = .milliseconds(50)
        let node = try TransportNode(configuration)
        let port = try await node.transport.listen(on: 0)
        let received = try await RawClient(port: port).exchange([])
        #expect(received == [])
        await node.transport.shutDown()
    }

    @Test func `dialling somebody who says nothing ends at the deadline`() async throws {
        var configuration = TransportConfiguration()
        configuration.handshakeTimeout = .milliseconds(50)
        let node = try TransportNode(configuration)
        let mute = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(mute.localAddress?.port)
        await #expect(throws: TransportError.handshakeTimedOut(host: "127.0.0.1", port: port)) {
            _ = try await node.transport.dial(host: "127.0.0.1", port: port, event: TransportNode.event(1))
        }
        try await mute.close()
        await node.transport.shutDown()
    }

    @Test func `one address has only so many connections without a handshake`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.unauthenticatedPerAddress = 2
        let node = try TransportNode(configuration)
        let port = try await node.transport.listen(on: 0)
        let clients = [try await RawClient(port: port), try await RawClient(port: port)]
        try await node.waitForStrangers(2)
        // The third is closed at once; the deadline of the others is far.
        #expect(try await RawClient(port: port).exchange([]) == [])
        #expect(node.transport.counts.refused == 1)
        #expect(node.transport.counts.unauthenticated == 2)
        await node.transport.shutDown()
        for client in clients { #expect(try await client.exchange([]) == []) }
    }

    @Test func `when all places are taken the oldest stranger gives way`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.unauthenticated = 2
        let node = try TransportNode(configuration)
        let port = try await node.transport.listen(on: 0)
        let oldest = try await RawClient(port: port)
        try await node.waitForStrangers(1)
        let second = try await RawClient(port: port)
        try await node.waitForStrangers(2)
        let third = try await RawClient(port: port)
        #expect(try await oldest.exchange([]) == [])
        #expect(node.transport.counts.unauthenticated == 2)
        let member = try TransportNode()
        _ = try await member.transport.dial(host: "127.0.0.1", port: port, event: TransportNode.event(1))
        _ = try await node.nextOpening()
        #expect(try await second.exchange([]) == [])
        await node.transport.shutDown()
        await member.transport.shutDown()
        #expect(try await third.exchange([]) == [])
    }

    @Test func `a place is free again once the end of its connection was taken`() async throws {
        var configuration = TransportConfiguration.patient
        configuration.connections = 1
        let nodes = try await ConnectedNodes(dialler: configuration)
        await #expect(throws: TransportError.tooManyConnections(limit: 1)) {
            _ = try await nodes.dialler.transport.dial(host: "127.0.0.1", port: 1, event: TransportNode.event(1))
        }
        nodes.listener.transport.close(nodes.incoming)
        #expect(try await nodes.dialler.nextClosing() == .byPeer)
        let port = try await nodes.listener.transport.listen(on: 0)
        let event = TransportNode.event(1)
        _ = try await nodes.dialler.transport.dial(host: "127.0.0.1", port: port, event: event)
        await nodes.shutDown()
    }

    @Test func `a member that breaks the protocol is dropped with the reason`() async throws {
        let node = try TransportNode()
        let port = try await node.transport.listen(on: 0)
        let client = try await RawClient(port: port)
        var member = SecureChannel(
            initiating: TransportNode.event(1),
            staticKey: AgreementKey(secret: Randomness.system.secret()),
            randomness: .system
        )
        let first = Self.sent(member.begin())
        try await client.channel.executeThenClose { inbound, outbound in
            var incoming = inbound.makeAsyncIterator()
            try await outbound.write(ByteBuffer(bytes: first))
            while !member.isOpen, let answer = try await incoming.next() {
                let third = Self.sent(member.receive(Array(answer.readableBytesView)))
                try await outbound.write(ByteBuffer(bytes: third))
            }
            _ = try await node.nextOpening()
            #expect(member.enqueue([1, 2, 3], on: .control) == .accepted)
            let record = member.nextRecords(upTo: 1 << 16)
            try await outbound.write(ByteBuffer(bytes: record + record))
            #expect(try await node.nextMessage() == (.control, [1, 2, 3]))
            #expect(try await node.nextClosing() == .violation(.notAuthentic))
        }
        await node.transport.shutDown()
    }

    private static func sent(_ outputs: [ChannelOutput]) -> [UInt8] {
        outputs.reduce(into: []) { sent, output in if case .send(let bytes) = output { sent += bytes } }
    }
}
