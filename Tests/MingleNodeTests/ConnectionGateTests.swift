// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleNode

struct ConnectionGateTests {
    private var configuration: TransportConfiguration {
        var configuration = TransportConfiguration()
        (configuration.connections, configuration.unauthenticated) = (20, 8)
        (configuration.unadmitted, configuration.unadmittedPerAddress) = (6, 4)
        return configuration
    }

    private func id(_ number: Int) -> ConnectionID { ConnectionID(number: UInt64(number)) }

    /// Lets somebody in as far as showing the psk; returns who gave way to it.
    private func enter(_ gate: inout ConnectionGate, _ number: Int, from address: String) -> ConnectionID? {
        #expect(gate.knock(id(number), from: address) == .admitted(displacing: nil))
        return gate.authenticate(id(number))
    }

    @Test func `a guest too many displaces the oldest of its own address`() {
        var gate = ConnectionGate(configuration)
        #expect(enter(&gate, 1, from: "a") == nil)
        for number in 2...5 { #expect(enter(&gate, number, from: "b") == nil) }
        #expect(enter(&gate, 6, from: "b") == id(2))
        #expect(enter(&gate, 7, from: "c") == nil)
        #expect(enter(&gate, 8, from: "d") == id(1))
        #expect(gate.count == 6)
    }

    @Test func `who was let in gives way to nobody`() {
        var gate = ConnectionGate(configuration)
        #expect(enter(&gate, 1, from: "a") == nil)
        gate.admit(id(1))
        for number in 2...60 { _ = enter(&gate, number, from: "host \(number)") }
        #expect(gate.count == 7)
        gate.leave(id(1))
        #expect(gate.count == 6)
        // However many guests there are, this node can dial.
        #expect(gate.dial(id(100)))
    }

    @Test func `a link that this node dialled is no guest`() {
        var gate = ConnectionGate(configuration)
        #expect(gate.dial(id(1)) && gate.authenticate(id(1)) == nil)
        for number in 2...60 { #expect(enter(&gate, number, from: "host \(number)") != id(1)) }
        #expect(gate.count == 7)
    }
}
