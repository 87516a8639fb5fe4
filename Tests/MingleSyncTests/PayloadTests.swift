// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import MingleWire
import Testing

struct PayloadTests {
    @Test func `a payload that a peer withholds is fetched from another`() {
        var world = TestWorld(nodeCount: 3, seed: 1)
        world.nodes[0].write([5000, 6000])
        world.connect(0, 1)
        world.settle()
        world.cut(world.directions[0].link)
        world.nodes[1].misbehave = { _, action in
            if case .loadPayloads = action { return [] }
            return nil
        }
        world.connect(1, 2)
        world.settle()
        #expect(world.nodes[2].store.missingPayloads.count == 2)
        world.connect(0, 2)
        world.pass(seconds: 15)
        #expect(world.nodes[2].store.missingPayloads.isEmpty)
        #expect(world.nodes[2].notes.contains { $0.1 == .withheldPayloads(2) })
    }

    @Test func `what a peer says it does not have is asked once a session`() {
        // Counterexample 33: nobody has it, and nobody asks for ever.
        var world = TestWorld(nodeCount: 2, seed: 2)
        world.nodes[0].write([5000])
        world.nodes[0].misbehave = { _, action in
            guard case .loadPayloads(let peer, let references) = action else { return nil }
            return [.payloads(peer, references.map { PayloadAnswer(reference: $0, content: .absent) })]
        }
        let link = world.connect(0, 1)
        world.settle()
        let count = world.directions.map(\.messageCount)
        world.pass(seconds: 50)
        #expect(world.directions.map(\.messageCount) == count)
        world.nodes[0].misbehave = nil
        world.cut(link)
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[1].store.missingPayloads.isEmpty)
    }

    @Test func `a payload that does not fit its header ends the session`() {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.nodes[0].write([5000])
        world.nodes[0].misbehave = { _, action in
            guard case .loadPayloads(let peer, let references) = action else { return nil }
            let wrong = [UInt8](repeating: 0, count: 5000)
            return [.payloads(peer, references.map { PayloadAnswer(reference: $0, content: .payload(wrong)) })]
        }
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[1].closed.map(\.1.reason) == ["sent a payload that does not fit its header"])
        #expect(world.nodes[1].store.missingPayloads.count == 1)
    }

    @Test func `sixty-four payloads of 64 KiB are asked for a mebibyte at a time`() {
        // Counterexample 30.
        var world = TestWorld(nodeCount: 2, seed: 4)
        world.nodes[0].write([Int](repeating: 64 * 1024, count: 64))
        world.connect(0, 1)
        var most = 0
        while world.step() {
            let waiting = world.directions.filter { $0.from == 0 }.flatMap(\.messages)
            most = max(most, waiting.reduce(0) { $0 + $1.bytes.count })
        }
        #expect(world.nodes[1].store.missingPayloads.isEmpty)
        #expect(most < 1_300_000, "\(most)")
    }

    @Test func `a payload that was erased meanwhile is asked for no more`() {
        var world = TestWorld(nodeCount: 3, seed: 5)
        world.nodes[0].write([5000])
        world.nodes[0].misbehave = { _, action in
            guard case .loadPayloads(let peer, let references) = action else { return nil }
            return [.payloads(peer, references.map { PayloadAnswer(reference: $0, content: .erased) })]
        }
        world.connect(0, 1)
        world.settle()
        let missing = world.nodes[1].store.missingPayloads.map(\.reference)
        #expect(missing.count == 1)
        world.nodes[1].inbox.append(.payloadsSettled(missing))
        world.settle()
        world.nodes[0].misbehave = nil
        world.connect(1, 2)
        world.connect(0, 2)
        world.settle()
        #expect(world.nodes[2].store.missingPayloads.isEmpty)
        #expect(world.nodes[1].store.missingPayloads.count == 1)
    }
}
