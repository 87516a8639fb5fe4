// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

@testable import MingleNode

struct ConnectionGateTests {
    /// A gate and what became of those who came.
    private struct Door {
        var gate: ConnectionGate

        init() {
            var configuration = TransportConfiguration()
            (configuration.connections, configuration.unauthenticated) = (20, 8)
            (configuration.unadmitted, configuration.unadmittedPerAddress) = (6, 4)
            configuration.connectionsPerPerson = 3
            gate = ConnectionGate(configuration)
        }

        /// Lets somebody come as far as showing the psk; returns the number of who gave way.
        mutating func enter(_ number: Int, from address: String) -> Int? {
            let id = ConnectionID(number: UInt64(number))
            guard case .admitted(nil) = gate.knock(id, from: address) else { return -1 }
            return gate.authenticate(id).map { Int($0.number) }
        }
    }

    @Test func `a guest too many displaces the oldest of its own address, or else the oldest of all`() {
        var door = Door()
        let addresses = ["a", "b", "b", "b", "b", "b", "c", "d"]
        let displaced = addresses.enumerated().map { door.enter($0 + 1, from: $1) }
        #expect(displaced == [nil, nil, nil, nil, nil, 2, nil, 1])
        #expect(door.gate.count == 6)
    }

    @Test func `who was let in gives way to nobody, and this node can always dial`() {
        var door = Door()
        var displaced = [door.enter(1, from: "a")]
        let givesWay = door.gate.admit(ConnectionID(number: 1), as: Self.person(1))
        #expect(givesWay == nil)
        for number in 2...60 { displaced.append(door.enter(number, from: "host \(number)")) }
        #expect(!displaced.contains(1) && !displaced.contains(-1) && door.gate.count == 7)
        let canDial = door.gate.dial(ConnectionID(number: 100))
        #expect(canDial)
        door.gate.leave(ConnectionID(number: 1))
        #expect(door.gate.count == 7)
    }

    static func person(_ number: UInt8) -> PersonID { PersonID(Blake2b.hash(.identity, [number])) }

    @Test func `of one person's connections the oldest gives way, and nobody else's`() {
        var door = Door()
        func admit(_ number: Int, _ person: UInt8?) -> Int? {
            _ = door.enter(number, from: "host \(number)")
            let displaced = door.gate.admit(ConnectionID(number: UInt64(number)), as: person.map { Self.person($0) })
            if let displaced { door.gate.leave(displaced) }
            return displaced.map { Int($0.number) }
        }
        #expect([admit(1, 1), admit(2, 2), admit(3, 1), admit(4, 1)] == [nil, nil, nil, nil])
        #expect([admit(5, 1), admit(6, 1), admit(7, 2), admit(8, nil)] == [1, 3, nil, nil])
        door.gate.leave(ConnectionID(number: 4))
        #expect([admit(9, 1), admit(10, 1)] == [nil, 5])
        #expect(door.gate.count == 6)
    }

    @Test func `a link that this node dialled is no guest`() {
        var door = Door()
        let isPlaced = door.gate.dial(ConnectionID(number: 1))
        #expect(isPlaced)
        let displaced = door.gate.authenticate(ConnectionID(number: 1))
        #expect(displaced == nil)
        #expect(!(2...60).map { door.enter($0, from: "host \($0)") }.contains(1))
    }
}
