// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// Which peer is asked for a missing payload, and when another one is.
struct PayloadTurnTests {
    @Test func `payloads are asked of those who have least to answer`() {
        var engine = LoneEngine { ($0.payloadsPerRequest, $0.payloadsTogether) = (1, 1) }
        let peers = [engine.admit(1), engine.admit(2), engine.admit(3)]
        let wants = (1...9).map { TestPayloads.want($0) }
        let first = engine.tell(.payloadsWanted(wants)).wantedPayloads
        #expect(first.map(\.peer) == peers)
        // Whoever answers is asked for what stands in its own queue.
        var counts = peers.map { _ in 1 }
        var open = first
        while let next = open.popLast() {
            guard let want = wants.first(where: { [$0.reference] == next.references }) else { break }
            let actions = engine.hear(TestPayloads.answer(want), from: next.peer)
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
        let wants = (1...32).map { TestPayloads.want($0) }
        engine.tell(.payloadsWanted(wants))
        for other in 2...9 { engine.admit(other) }
        let asked = engine.hear(TestPayloads.say(.absent(true), of: wants), from: peer).wantedPayloads
        #expect(asked.map(\.references.count) == [16, 16] && Set(asked.map(\.peer)).count == 2)
    }

    @Test func `who wrote what is lacking is asked first, for some of it`() {
        var engine = LoneEngine()
        let (other, author) = (engine.admit(1), engine.admit(2))
        let asked = engine.tell(.payloadsWanted(TestPayloads.wants(of: 2, 20))).wantedPayloads
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
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        let asked = engine.hear(TestPayloads.say(.absent(true), of: [want, want, want]), from: liar).wantedPayloads
        #expect(asked.map(\.peer) == [holder])
        #expect(engine.hear(TestPayloads.answer(want), from: holder).mergedPayloads == [want.reference])
    }

    @Test func `what is lacking twice is asked for once`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        #expect(engine.tell(.payloadsWanted([want, want])).wantedPayloads.map(\.references) == [[want.reference]])
        #expect(engine.hear(TestPayloads.answer(want), from: peer).mergedPayloads == [want.reference])
    }

    @Test func `what waits for a peer that stalls is asked of others, and it of nothing that they may have`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let author = engine.admit(2)
        let wants = TestPayloads.wants(of: 2, 3)
        engine.tell(.payloadsWanted(wants))
        let other = engine.admit(1)
        let asked = engine.wait(.seconds(10)).wantedPayloads
        #expect(asked.map(\.peer) == [other])
        let next = engine.hear(TestPayloads.answer(wants[0]), from: other).wantedPayloads
        #expect(next.map(\.peer) == [other] && next.map(\.references) == [[wants[1].reference]])
        // Nobody else has what is left, so it is asked all the same.
        let left = engine.tell(.closed(other)).wantedPayloads
        #expect(left.map(\.peer) == [author] && left.map(\.references) == [[wants[1].reference]])
        let last = engine.hear(TestPayloads.answer(wants[1]), from: author).wantedPayloads
        #expect(last.map(\.references) == [[wants[2].reference]])
    }

    @Test func `who stalled comes after those who did not, until it has sent something`() {
        var engine = LoneEngine()
        let (first, second, third) = (engine.admit(1), engine.admit(2), engine.admit(3))
        let wants = (1...4).map { TestPayloads.want($0) }
        #expect(engine.tell(.payloadsWanted([wants[0]])).wantedPayloads.map(\.peer) == [first])
        #expect(engine.wait(.seconds(10)).wantedPayloads.map(\.peer) == [second])
        #expect(engine.tell(.payloadsWanted([wants[1]])).wantedPayloads.map(\.peer) == [third])
        #expect(engine.tell(.payloadsWanted([wants[2]])).wantedPayloads.isEmpty)
        #expect(engine.hear(TestPayloads.answer(wants[0]), from: first).mergedPayloads == [wants[0].reference])
        engine.tell(.payloadsMerged(first, stored: [wants[0].reference], refused: []))
        #expect(engine.tell(.payloadsWanted([wants[3]])).wantedPayloads.map(\.peer) == [first])
    }

    @Test func `who owes an answer may not say that something came, and who said so four times is asked no more`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        _ = engine.wait(.seconds(10))
        #expect(engine.hear(TestPayloads.say(.came(true), of: [want]), from: peer).wantedPayloads.isEmpty)
        var askings = 1
        for _ in 0..<9 {
            engine.hear(TestPayloads.say(.absent(true), of: [want]), from: peer)
            askings += engine.hear(TestPayloads.say(.came(true), of: [want]), from: peer).wantedPayloads.count
        }
        #expect(askings == 4)
    }

    @Test(arguments: [true, false])
    func `who says that something is absent and sends it forged takes nobody else's turn`(isAbsentFirst: Bool) {
        var engine = LoneEngine()
        let (liar, holder) = (engine.admit(1), engine.admit(2))
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        var answers = [TestPayloads.say(.absent(true), of: [want]), TestPayloads.answer(want)].compactMap {
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
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        #expect(engine.wait(.seconds(10)).wantedPayloads.map(\.peer) == [holder])
        #expect(engine.hear(TestPayloads.answer(want), from: liar).mergedPayloads == [want.reference])
        #expect(engine.hear(TestPayloads.answer(want), from: holder).mergedPayloads.isEmpty)
        let actions = engine.tell(.payloadsMerged(liar, stored: [], refused: [want.reference]))
        #expect(actions.wantedPayloads.map(\.peer) == [holder])
    }

    @Test func `what has come to somebody is not left to a peer that was not asked yet`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let holder = engine.admit(1)
        let wants = (1...2).map { TestPayloads.want($0) }
        engine.tell(.payloadsWanted([wants[1]]))
        let slow = engine.admit(2)
        #expect(engine.tell(.payloadsWanted([wants[0]])).wantedPayloads.map(\.peer) == [slow])
        #expect(engine.hear(TestPayloads.say(.absent(true), of: [wants[1]]), from: holder).wantedPayloads.isEmpty)
        let asked = engine.hear(TestPayloads.say(.came(true), of: [wants[1]]), from: holder).wantedPayloads
        #expect(asked.map(\.peer) == [holder] && asked.map(\.references) == [[wants[1].reference]])
        #expect(engine.hear(TestPayloads.answer(wants[0]), from: slow).wantedPayloads.isEmpty)
    }

    @Test func `who answers one thing at a time for ever is not waited for`() {
        var engine = LoneEngine()
        let slow = engine.admit(1)
        let wants = (1...20).map { TestPayloads.want($0) }
        engine.tell(.payloadsWanted(wants))
        let other = engine.admit(2)
        var asked: [PeerID] = []
        for want in wants.prefix(9) {
            asked += engine.wait(.seconds(9)).wantedPayloads.map(\.peer)
            guard asked.isEmpty else { break }
            engine.hear(TestPayloads.answer(want), from: slow)
        }
        #expect(asked == [other])
    }

    @Test func `what was settled while it stood in a queue is not asked for`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let peer = engine.admit(1)
        let wants = (1...3).map { TestPayloads.want($0) }
        engine.tell(.payloadsWanted(wants))
        engine.tell(.payloadsSettled([wants[1].reference]))
        let actions = engine.hear(TestPayloads.answer(wants[0]), from: peer)
        #expect(actions.wantedPayloads.map(\.references) == [[wants[2].reference]])
    }

    @Test func `what stood in the queue of a peer that is gone is asked of others`() {
        var engine = LoneEngine { $0.payloadsPerRequest = 1 }
        let peer = engine.admit(1)
        let wants = (1...2).map { TestPayloads.want($0) }
        engine.tell(.payloadsWanted(wants))
        let other = engine.admit(2)
        let first = engine.tell(.closed(peer)).wantedPayloads
        #expect(first.map(\.peer) == [other] && first.map(\.references) == [[wants[0].reference]])
        let next = engine.hear(TestPayloads.answer(wants[0]), from: other).wantedPayloads
        #expect(next.map(\.references) == [[wants[1].reference]])
    }
}
