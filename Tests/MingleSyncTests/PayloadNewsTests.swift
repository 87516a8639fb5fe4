// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What becomes of payloads that come after they were asked for in vain.
struct PayloadNewsTests {
    @Test func `what has come to who was asked in vain is asked for again, once`() {
        var engine = LoneEngine()
        let (peer, other) = (engine.admit(1), engine.admit(2))
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(TestPayloads.say(.absent(true), of: [want]), from: peer)
        // The other is to answer yet.
        #expect(engine.hear(TestPayloads.say(.came(true), of: [want]), from: peer).wantedPayloads.isEmpty)
        #expect(
            engine.hear(TestPayloads.say(.absent(true), of: [want]), from: other).wantedPayloads.map(\.peer) == [peer]
        )
        #expect(engine.hear(TestPayloads.say(.came(true), of: [want]), from: peer).wantedPayloads.isEmpty)
        #expect(engine.hear(TestPayloads.say(.came(true), of: [want]), from: other).wantedPayloads.isEmpty)
        #expect(engine.hear(TestPayloads.answer(want), from: peer).mergedPayloads == [want.reference])
    }

    @Test func `who says again and again that something came is hung up on`() {
        var engine = LoneEngine { ($0.messageBurst, $0.messagesPerSecond) = (10, 1) }
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        var goodbyes: [Goodbye] = []
        for _ in 0..<20 where goodbyes.isEmpty {
            engine.hear(TestPayloads.say(.absent(true), of: [want]), from: peer)
            goodbyes += engine.hear(TestPayloads.say(.came(true), of: [want]), from: peer).goodbyes
        }
        #expect(goodbyes == [Goodbye("sends too many messages")])
    }

    @Test func `what comes while it is looked for is told of after the answer`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.hear(.wantPayloads(.with { $0.references = [.init(want.reference.bytes)] }), from: peer)
        #expect(engine.tell(.payloadsSettled([want.reference])).messages(to: peer).isEmpty)
        let absent = PayloadAnswer(reference: want.reference, content: .absent)
        #expect(
            engine.tell(.payloads(peer, [absent])).messages(to: peer)
                == [TestPayloads.say(.absent(true), of: [want]), TestPayloads.say(.came(true), of: [want])]
        )
    }

    @Test func `who has sent a payload is not told of it`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let want = TestPayloads.want(1)
        engine.tell(.payloadsWanted([want]))
        engine.hear(.wantPayloads(.with { $0.references = [.init(want.reference.bytes)] }), from: peer)
        engine.tell(.payloads(peer, [PayloadAnswer(reference: want.reference, content: .absent)]))
        engine.hear(TestPayloads.answer(want), from: peer)
        #expect(engine.tell(.payloadsMerged(peer, stored: [want.reference], refused: [])).isEmpty)
    }
}
