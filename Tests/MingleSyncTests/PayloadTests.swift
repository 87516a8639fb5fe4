// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
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

    private static func want(_ number: UInt64, length: Int = 3) -> PayloadWant {
        let reference = Reference(device: number, journal: .content, sequence: 1, hash: number)
        return PayloadWant(reference: reference, length: length)
    }

    /// Says of payloads that they are absent, or have come.
    private static func say(
        _ answer: ProtoPayloadAnswer.OneOf_Answer,
        of wants: [PayloadWant]
    ) -> ProtoMessage.OneOf_Content {
        .payloads(
            .with {
                $0.answers = wants.map { want in
                    .with { ($0.reference, $0.answer) = (.init(want.reference.bytes), answer) }
                }
            }
        )
    }

    private static func answer(_ want: PayloadWant, _ bytes: [UInt8] = [1, 2, 3]) -> ProtoMessage.OneOf_Content {
        .payloads(
            .with {
                $0.answers = [
                    .with {
                        $0.reference = .init(want.reference.bytes)
                        $0.payload = .init(bytes)
                    }
                ]
            }
        )
    }

    @Test func `a payload that could not be stored is asked for again after a while`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        #expect(engine.tell(.payloadsWanted([want])).wantedPayloads.map(\.references) == [[want.reference]])
        #expect(engine.hear(Self.answer(want), from: peer).mergedPayloads == [want.reference])
        #expect(engine.tell(.payloadsNotMerged(peer, [want.reference])).isEmpty)
        #expect(engine.wait(.seconds(29)).wantedPayloads.isEmpty)
        #expect(engine.wait(.seconds(1)).wantedPayloads.map(\.references) == [[want.reference]])
        #expect(engine.hear(Self.answer(want), from: peer).mergedPayloads == [want.reference])
        engine.tell(.payloadsMerged(peer, stored: [want.reference], refused: []))
        #expect(engine.wait(.seconds(40)).wantedPayloads.isEmpty)
    }

    @Test func `a payload that could not be stored and came by another way is not asked for again`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(Self.answer(want), from: peer)
        engine.tell(.payloadsNotMerged(peer, [want.reference]))
        engine.tell(.payloadsSettled([want.reference]))
        #expect(engine.wait(.seconds(31)).wantedPayloads.isEmpty)
    }

    @Test func `a payload that could not be stored is asked of who comes meanwhile`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(Self.answer(want), from: peer)
        engine.tell(.closed(peer))
        engine.tell(.payloadsNotMerged(peer, [want.reference]))
        let other = engine.admit(2)
        #expect(engine.hear(Self.answer(want), from: other).mergedPayloads == [want.reference])
        #expect(engine.wait(.seconds(5)).wantedPayloads.isEmpty)
    }

    @Test func `a payload of another length than its header says ends the session, and another is asked`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        let want = Self.want(1)
        #expect(engine.tell(.payloadsWanted([want])).wantedPayloads.map(\.peer) == [peer])
        let actions = engine.hear(Self.answer(want, [1]), from: peer)
        #expect(actions.goodbyes == [Goodbye("sent a payload of another length")])
        #expect(actions.wantedPayloads.map(\.peer) == [other])
    }

    @Test func `what came along with something malformed is asked of another`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        guard case .payloads(var message) = Self.answer(want) else { return }
        message.answers.append(ProtoPayloadAnswer())
        let actions = engine.hear(.payloads(message), from: peer)
        #expect(actions.goodbyes == [Goodbye("malformed payloads")] && actions.mergedPayloads.isEmpty)
        #expect(actions.wantedPayloads.map(\.peer) == [other])
        #expect(engine.hear(Self.answer(want), from: other).mergedPayloads == [want.reference])
    }

    @Test func `a payload that is being stored is not stored a second time`() {
        var engine = LoneEngine()
        let (slow, other) = (engine.admit(1), engine.admit(2))
        let want = Self.want(1)
        #expect(engine.tell(.payloadsWanted([want])).wantedPayloads.map(\.peer) == [slow])
        #expect(engine.wait(.seconds(10)).wantedPayloads.map(\.peer) == [other])
        #expect(engine.hear(Self.answer(want), from: other).mergedPayloads == [want.reference])
        #expect(engine.hear(Self.answer(want), from: slow).isEmpty)
    }

    @Test func `what nobody asked for is not stored`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.hear(Self.answer(Self.want(1)), from: peer).isEmpty)
    }

    @Test func `payloads are asked of those who have least to answer`() {
        var engine = LoneEngine { ($0.payloadsPerRequest, $0.payloadsTogether) = (1, 1) }
        let peers = [engine.admit(1), engine.admit(2), engine.admit(3)]
        let wants = (1...9).map { Self.want($0) }
        let first = engine.tell(.payloadsWanted(wants)).wantedPayloads
        #expect(first.map(\.peer) == peers)
        // Whoever answers is asked for what stands in its own queue.
        var counts = peers.map { _ in 1 }
        var open = first
        while let next = open.popLast() {
            guard let want = wants.first(where: { [$0.reference] == next.references }) else { break }
            let actions = engine.hear(Self.answer(want), from: next.peer)
            for request in actions.wantedPayloads {
                counts[Int(request.peer.number) - 1] += 1
                open.append(request)
            }
        }
        #expect(counts == [3, 3, 3])
    }

    @Test func `many that one lacks are asked of few others, in one message each`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let wants = (1...32).map { Self.want($0) }
        engine.tell(.payloadsWanted(wants))
        for other in 2...9 { engine.admit(other) }
        let asked = engine.hear(Self.say(.absent(true), of: wants), from: peer).wantedPayloads
        #expect(asked.map(\.references.count) == [16, 16] && Set(asked.map(\.peer)).count == 2)
    }

    /// Payloads of the device of a number.
    private static func wants(of author: Int, _ count: UInt8) -> [PayloadWant] {
        (1...count).map { sequence in
            let hash = HeaderHash(Blake2b.hash(.header, [sequence]))
            let device = TestAuthor(author).device
            let reference = Reference(device: device, journal: .content, sequence: UInt32(sequence), hash: hash)
            return PayloadWant(reference: reference, length: 3)
        }
    }

    @Test func `who wrote what is lacking is asked first, for some of it`() {
        var engine = LoneEngine()
        let (other, author) = (engine.admit(1), engine.admit(2))
        let asked = engine.tell(.payloadsWanted(Self.wants(of: 2, 20))).wantedPayloads
        #expect(asked.map(\.peer) == [other, author] && asked.map(\.references.count) == [4, 16])
    }

    @Test func `who brought a header is asked for its payload before who wrote it`() throws {
        var writer = TestAuthor(3)
        var engine = LoneEngine()
        engine.admit(3)
        let other = engine.admit(1)
        var delta = try #require(writer.write([5000], behind: [], in: .content).first)
        delta.payload = nil
        let want = PayloadWant(reference: delta.reference, length: 5000)
        engine.hear(.run(Data(Run([delta]).encoded())), from: other, on: .deltas)
        let asked = engine.tell(.merged(other, MergeAnswer(.merged, missing: [want]))).wantedPayloads
        #expect(asked.map(\.peer) == [other])
    }

    @Test func `who says again and again that something is absent takes nobody else's turn`() {
        var engine = LoneEngine()
        let (liar, holder) = (engine.admit(1), engine.admit(2))
        engine.admit(3)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        let asked = engine.hear(Self.say(.absent(true), of: [want, want, want]), from: liar).wantedPayloads
        #expect(asked.map(\.peer) == [holder])
        #expect(engine.hear(Self.answer(want), from: holder).mergedPayloads == [want.reference])
    }

    @Test func `what is lacking twice is asked for once`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        #expect(engine.tell(.payloadsWanted([want, want])).wantedPayloads.map(\.references) == [[want.reference]])
        #expect(engine.hear(Self.answer(want), from: peer).mergedPayloads == [want.reference])
    }

    @Test func `what waits for a peer that stalls is asked of others, and it of nothing that they may have`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let author = engine.admit(2)
        let wants = Self.wants(of: 2, 3)
        engine.tell(.payloadsWanted(wants))
        let other = engine.admit(1)
        let asked = engine.wait(.seconds(10)).wantedPayloads
        #expect(asked.map(\.peer) == [other])
        let next = engine.hear(Self.answer(wants[0]), from: other).wantedPayloads
        #expect(next.map(\.peer) == [other] && next.map(\.references) == [[wants[1].reference]])
        // Nobody else has what is left, so it is asked all the same.
        let left = engine.tell(.closed(other)).wantedPayloads
        #expect(left.map(\.peer) == [author] && left.map(\.references) == [[wants[1].reference]])
        let last = engine.hear(Self.answer(wants[1]), from: author).wantedPayloads
        #expect(last.map(\.references) == [[wants[2].reference]])
    }

    @Test func `who stalled comes after those who did not, until it has sent something`() {
        var engine = LoneEngine()
        let (first, second, third) = (engine.admit(1), engine.admit(2), engine.admit(3))
        let wants = (1...4).map { Self.want($0) }
        #expect(engine.tell(.payloadsWanted([wants[0]])).wantedPayloads.map(\.peer) == [first])
        #expect(engine.wait(.seconds(10)).wantedPayloads.map(\.peer) == [second])
        #expect(engine.tell(.payloadsWanted([wants[1]])).wantedPayloads.map(\.peer) == [third])
        #expect(engine.tell(.payloadsWanted([wants[2]])).wantedPayloads.isEmpty)
        #expect(engine.hear(Self.answer(wants[0]), from: first).mergedPayloads == [wants[0].reference])
        engine.tell(.payloadsMerged(first, stored: [wants[0].reference], refused: []))
        #expect(engine.tell(.payloadsWanted([wants[3]])).wantedPayloads.map(\.peer) == [first])
    }

    @Test func `who owes an answer may not say that something came, and who said so four times is asked no more`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        _ = engine.wait(.seconds(10))
        #expect(engine.hear(Self.say(.came(true), of: [want]), from: peer).wantedPayloads.isEmpty)
        var askings = 1
        for _ in 0..<9 {
            engine.hear(Self.say(.absent(true), of: [want]), from: peer)
            askings += engine.hear(Self.say(.came(true), of: [want]), from: peer).wantedPayloads.count
        }
        #expect(askings == 4)
    }

    @Test(arguments: [true, false])
    func `who says that something is absent and sends it forged takes nobody else's turn`(isAbsentFirst: Bool) {
        var engine = LoneEngine()
        let (liar, holder) = (engine.admit(1), engine.admit(2))
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        var answers = [Self.say(.absent(true), of: [want]), Self.answer(want)].compactMap {
            if case .payloads(let message) = $0 { message.answers.first } else { nil }
        }
        if !isAbsentFirst { answers.reverse() }
        #expect(engine.hear(.payloads(.with { $0.answers = answers }), from: liar).mergedPayloads == [want.reference])
        let actions = engine.tell(.payloadsMerged(liar, stored: [], refused: [want.reference]))
        #expect(actions.wantedPayloads.map(\.peer) == [holder])
    }

    @Test func `what was sent while a forged one was stored is asked for again`() {
        var engine = LoneEngine()
        let (liar, holder) = (engine.admit(1), engine.admit(2))
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        #expect(engine.wait(.seconds(10)).wantedPayloads.map(\.peer) == [holder])
        #expect(engine.hear(Self.answer(want), from: liar).mergedPayloads == [want.reference])
        #expect(engine.hear(Self.answer(want), from: holder).mergedPayloads.isEmpty)
        let actions = engine.tell(.payloadsMerged(liar, stored: [], refused: [want.reference]))
        #expect(actions.wantedPayloads.map(\.peer) == [holder])
    }

    @Test func `what has come to somebody is not left to a peer that was not asked yet`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let holder = engine.admit(1)
        let wants = (1...2).map { Self.want($0) }
        engine.tell(.payloadsWanted([wants[1]]))
        let slow = engine.admit(2)
        #expect(engine.tell(.payloadsWanted([wants[0]])).wantedPayloads.map(\.peer) == [slow])
        #expect(engine.hear(Self.say(.absent(true), of: [wants[1]]), from: holder).wantedPayloads.isEmpty)
        let asked = engine.hear(Self.say(.came(true), of: [wants[1]]), from: holder).wantedPayloads
        #expect(asked.map(\.peer) == [holder] && asked.map(\.references) == [[wants[1].reference]])
        #expect(engine.hear(Self.answer(wants[0]), from: slow).wantedPayloads.isEmpty)
    }

    @Test func `who answers one thing at a time for ever is not waited for`() {
        var engine = LoneEngine()
        let slow = engine.admit(1)
        let wants = (1...20).map { Self.want($0) }
        engine.tell(.payloadsWanted(wants))
        let other = engine.admit(2)
        var asked: [PeerID] = []
        for want in wants.prefix(9) {
            asked += engine.wait(.seconds(9)).wantedPayloads.map(\.peer)
            guard asked.isEmpty else { break }
            engine.hear(Self.answer(want), from: slow)
        }
        #expect(asked == [other])
    }

    @Test func `what could not be stored is asked again of who sent it, though another was to answer meanwhile`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(Self.answer(want), from: peer)
        engine.tell(.payloadsNotMerged(peer, [want.reference]))
        #expect(engine.wait(.seconds(25)).wantedPayloads.isEmpty)
        let other = engine.admit(2)
        #expect(engine.wait(.seconds(6)).wantedPayloads.isEmpty)
        let asked = engine.hear(Self.say(.absent(true), of: [want]), from: other).wantedPayloads
        #expect(asked.map(\.peer) == [peer])
    }

    @Test func `what has come to who was asked in vain is asked for again, once`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(Self.say(.absent(true), of: [want]), from: peer)
        // The other is to answer yet.
        #expect(engine.hear(Self.say(.came(true), of: [want]), from: peer).wantedPayloads.isEmpty)
        #expect(engine.hear(Self.say(.absent(true), of: [want]), from: other).wantedPayloads.map(\.peer) == [peer])
        #expect(engine.hear(Self.say(.came(true), of: [want]), from: peer).wantedPayloads.isEmpty)
        #expect(engine.hear(Self.say(.came(true), of: [want]), from: other).wantedPayloads.isEmpty)
        #expect(engine.hear(Self.answer(want), from: peer).mergedPayloads == [want.reference])
    }

    @Test func `who says again and again that something came is hung up on`() {
        var engine = LoneEngine { ($0.messageBurst, $0.messagesPerSecond) = (10, 1) }
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        var goodbyes: [Goodbye] = []
        for _ in 0..<20 where goodbyes.isEmpty {
            engine.hear(Self.say(.absent(true), of: [want]), from: peer)
            goodbyes += engine.hear(Self.say(.came(true), of: [want]), from: peer).goodbyes
        }
        #expect(goodbyes == [Goodbye("sends too many messages")])
    }

    @Test func `what comes while it is looked for is told of after the answer`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.hear(.wantPayloads(.with { $0.references = [.init(want.reference.bytes)] }), from: peer)
        #expect(engine.tell(.payloadsSettled([want.reference])).messages(to: peer).isEmpty)
        let absent = PayloadAnswer(reference: want.reference, content: .absent)
        #expect(
            engine.tell(.payloads(peer, [absent])).messages(to: peer)
                == [Self.say(.absent(true), of: [want]), Self.say(.came(true), of: [want])]
        )
    }

    @Test func `who has sent a payload is not told of it`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = Self.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(.wantPayloads(.with { $0.references = [.init(want.reference.bytes)] }), from: peer)
        engine.tell(.payloads(peer, [PayloadAnswer(reference: want.reference, content: .absent)]))
        engine.hear(Self.answer(want), from: peer)
        #expect(engine.tell(.payloadsMerged(peer, stored: [want.reference], refused: [])).isEmpty)
    }

    @Test func `what was settled while it stood in a queue is not asked for`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let peer = engine.admit(1)
        let wants = (1...3).map { Self.want($0) }
        engine.tell(.payloadsWanted(wants))
        engine.tell(.payloadsSettled([wants[1].reference]))
        let actions = engine.hear(Self.answer(wants[0]), from: peer)
        #expect(actions.wantedPayloads.map(\.references) == [[wants[2].reference]])
    }

    @Test func `what stood in the queue of a peer that is gone is asked of others`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let peer = engine.admit(1)
        let wants = (1...2).map { Self.want($0) }
        engine.tell(.payloadsWanted(wants))
        let other = engine.admit(2)
        let first = engine.tell(.closed(peer)).wantedPayloads
        #expect(first.map(\.peer) == [other] && first.map(\.references) == [[wants[0].reference]])
        let next = engine.hear(Self.answer(wants[0]), from: other).wantedPayloads
        #expect(next.map(\.references) == [[wants[1].reference]])
    }
}

extension [SyncAction] {
    /// The payloads that are handed to the shell to be stored.
    var mergedPayloads: [Reference] {
        flatMap { action -> [Reference] in
            if case .mergePayloads(_, let payloads) = action { payloads.map(\.reference) } else { [] }
        }
    }
}

extension [SyncAction] {
    /// The payloads that a peer is asked for.
    fileprivate func wantedPayloads(of peer: PeerID) -> [Reference] {
        flatMap { action -> [Reference] in
            guard case (peer, .wantPayloads(let message))? = action.sent else { return [] }
            return message.references.compactMap { Reference(bytes: [UInt8]($0)) }
        }
    }
}
