// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MinglePeering
import MingleWire
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// What a node takes from its links.
@Suite(.timeLimit(.minutes(5)))
struct NodeLinkTests {
    @Test func `a link is not read while its event's engine is behind`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder) { node in
                _ = try await node.createEvent(title: "Party")
                let session = try node.session(nil)
                let event = EventPSK(event: session.event, psk: session.secrets.withLock { $0.psk })
                var configuration = TransportConfiguration.patient
                configuration.channel.queuedBytes = PerLane { _ in 1 << 20 }
                configuration.connectTimeout = .seconds(60)
                let member = try TransportNode(configuration)
                let id = try await member.transport.dial(host: "127.0.0.1", port: node.peerPort, event: event)
                session.loop.suspend()
                defer { session.loop.resume() }
                let sent = try await member.fill(.control, of: id, with: [UInt8](repeating: 1, count: 90_000))
                #expect(sent < TransportNode.manyMessages)
                await member.transport.shutDown()
            }
        }
    }
}
