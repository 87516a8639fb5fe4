// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
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

    @Test func `no payload is fetched onto a full disk, and at once when there is room`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let wants = (1...2).map { sequence in
            let reference = Reference(device: 1, journal: .content, sequence: UInt32(sequence), hash: 1)
            return PayloadWant(reference: reference, length: 5000)
        }
        engine.tell(.payloadsWanted([wants[0]]))
        engine.tell(.outOfRoom)
        engine.tell(.payloadsNotMerged(peer, [wants[0].reference]))
        engine.tell(.closed(peer))
        let (again, asked) = (engine.admit(2), engine.tell(.payloadsWanted([wants[1]])))
        #expect(asked.wantedPayloads(of: again).isEmpty)
        #expect(engine.wait(.seconds(90)).wantedPayloads(of: again).isEmpty)
        #expect(Set(engine.tell(.diskRoom).wantedPayloads(of: again)) == Set(wants.map(\.reference)))
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
        // They compare once more what came besides.
        world.pass(seconds: 8)
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

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a payload that comes after all have asked for it in vain crosses to each once`(seed: UInt64) {
        var world = TestWorld(nodeCount: 6, seed: seed)
        world.nodes[0].write([60_000])
        world.nodes[0].misbehave = { _, action in
            guard case .loadPayloads(let peer, let references) = action else { return nil }
            return [.payloads(peer, references.map { PayloadAnswer(reference: $0, content: .absent) })]
        }
        for left in 0..<6 { for right in 0..<left { world.connect(left, right) } }
        world.settle()
        let missing = world.nodes[1].store.missingPayloads.map(\.reference)
        #expect(missing.count == 1 && world.nodes.dropFirst().allSatisfy { $0.store.missingPayloads.count == 1 })
        world.nodes[0].misbehave = nil
        let before = world.directions.reduce(0) { $0 + $1.byteCount }
        world.nodes[0].inbox.append(.payloadsSettled(missing))
        world.settle()
        #expect(world.nodes.allSatisfy { $0.store.missingPayloads.isEmpty })
        let byteCount = world.directions.reduce(0) { $0 + $1.byteCount } - before
        #expect(byteCount < 5 * 60_000 + 10_000, "\(byteCount)")
    }

    // MARK: - One engine

    @Test func `a payload that could not be stored is asked for again after a while`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        #expect(engine.tell(.payloadsWanted([want])).wantedPayloads.map(\.references) == [[want.reference]])
        #expect(engine.hear(TestPayloads.answer(want), from: peer).mergedPayloads == [want.reference])
        #expect(engine.tell(.payloadsNotMerged(peer, [want.reference])).isEmpty)
        #expect(engine.wait(.seconds(29)).wantedPayloads.isEmpty)
        #expect(engine.wait(.seconds(1)).wantedPayloads.map(\.references) == [[want.reference]])
        #expect(engine.hear(TestPayloads.answer(want), from: peer).mergedPayloads == [want.reference])
        engine.tell(.payloadsMerged(peer, stored: [want.reference], refused: []))
        #expect(engine.wait(.seconds(40)).wantedPayloads.isEmpty)
    }

    @Test func `a payload that could not be stored and came by another way is not asked for again`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(TestPayloads.answer(want), from: peer)
        engine.tell(.payloadsNotMerged(peer, [want.reference]))
        engine.tell(.payloadsSettled([want.reference]))
        #expect(engine.wait(.seconds(31)).wantedPayloads.isEmpty)
    }

    @Test func `a payload that could not be stored is asked of who comes meanwhile`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(TestPayloads.answer(want), from: peer)
        engine.tell(.closed(peer))
        engine.tell(.payloadsNotMerged(peer, [want.reference]))
        let other = engine.admit(2)
        #expect(engine.hear(TestPayloads.answer(want), from: other).mergedPayloads == [want.reference])
        #expect(engine.wait(.seconds(5)).wantedPayloads.isEmpty)
    }

    @Test func `a payload of another length than its header says ends the session, and another is asked`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        let want = TestPayloads.want(1)
        #expect(engine.tell(.payloadsWanted([want])).wantedPayloads.map(\.peer) == [peer])
        let actions = engine.hear(TestPayloads.answer(want, [1]), from: peer)
        #expect(actions.goodbyes == [Goodbye("sent a payload of another length")])
        #expect(actions.wantedPayloads.map(\.peer) == [other])
    }

    @Test func `what came along with something malformed is asked of another`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        guard case .payloads(var message) = TestPayloads.answer(want) else { return }
        message.answers.append(ProtoPayloadAnswer())
        let actions = engine.hear(.payloads(message), from: peer)
        #expect(actions.goodbyes == [Goodbye("malformed payloads")] && actions.mergedPayloads.isEmpty)
        #expect(actions.wantedPayloads.map(\.peer) == [other])
        #expect(engine.hear(TestPayloads.answer(want), from: other).mergedPayloads == [want.reference])
    }

    @Test func `a payload that is being stored is not stored a second time`() {
        var engine = LoneEngine()
        let (slow, other) = (engine.admit(1), engine.admit(2))
        let want = TestPayloads.want(1)
        #expect(engine.tell(.payloadsWanted([want])).wantedPayloads.map(\.peer) == [slow])
        #expect(engine.wait(.seconds(10)).wantedPayloads.map(\.peer) == [other])
        #expect(engine.hear(TestPayloads.answer(want), from: other).mergedPayloads == [want.reference])
        #expect(engine.hear(TestPayloads.answer(want), from: slow).isEmpty)
    }

    @Test func `what nobody asked for is not stored`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.hear(TestPayloads.answer(TestPayloads.want(1)), from: peer).isEmpty)
    }

    @Test func `what could not be stored is asked again of who sent it, though another was to answer meanwhile`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(TestPayloads.answer(want), from: peer)
        engine.tell(.payloadsNotMerged(peer, [want.reference]))
        #expect(engine.wait(.seconds(25)).wantedPayloads.isEmpty)
        let other = engine.admit(2)
        #expect(engine.wait(.seconds(6)).wantedPayloads.isEmpty)
        let asked = engine.hear(TestPayloads.say(.absent(true), of: [want]), from: other).wantedPayloads
        #expect(asked.map(\.peer) == [peer])
    }
}
