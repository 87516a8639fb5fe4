// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What is different where a peer is a relay, or lets go of things.
struct RelayTests {
    private static let blobs = (1...4).map { TestBlob($0, size: 3000, chunkLength: 1000, lane: .previews) }
    private static let wants = (1...2).map { sequence in
        let reference = Reference(device: 1, journal: .content, sequence: UInt32(sequence), hash: 1)
        return PayloadWant(reference: reference, length: 5000)
    }

    /// Engine, relay and phone, in the middle of an event.
    private func company() -> (LoneEngine, relay: PeerID, phone: PeerID) {
        var engine = LoneEngine()
        let (relay, phone) = (engine.admit(1), engine.admit(2))
        engine.tell(.relay(relay))
        return (engine, relay, phone)
    }

    /// What somebody says that has let go of blobs.
    private func evicted(_ blobs: [TestBlob]) -> ProtoMessage.OneOf_Content {
        .blobStatus(
            .with { status in
                status.states = blobs.map { blob in
                    .with {
                        $0.name = Data(blob.name.bytes)
                        $0.evicted = true
                    }
                }
            }
        )
    }

    private func answer(_ want: PayloadWant, _ content: ProtoPayloadAnswer.OneOf_Answer) -> ProtoMessage.OneOf_Content {
        .payloads(
            .with { payloads in
                payloads.answers = [
                    .with {
                        $0.reference = Data(want.reference.bytes)
                        $0.answer = content
                    }
                ]
            }
        )
    }

    // MARK: - Who is asked

    @Test func `what a relay holds is asked of no phone, whoever says first that it holds it`() {
        var (engine, relay, phone) = company()
        engine.tell(.blobsWanted(Self.blobs.map { $0.want() }))
        #expect(engine.hear(TestBlob.states(Self.blobs), from: phone).wantedChunks.isEmpty)
        let asked = engine.hear(TestBlob.states(Self.blobs), from: relay).wantedChunks
        #expect(Set(asked.map(\.peer)) == [relay] && asked.count == Self.blobs.count)
    }

    @Test func `what a relay does not hold, or not all of, is asked of phones`() {
        var (engine, relay, phone) = company()
        engine.tell(.blobsWanted([Self.blobs[0].want(), Self.blobs[1].want()]))
        #expect(engine.hear(TestBlob.states([Self.blobs[0], Self.blobs[1]]), from: phone).wantedChunks.isEmpty)
        let lacking = TestBlob.states([Self.blobs[0], Self.blobs[1]]) { state in
            if state.name == Data(Self.blobs[0].name.bytes) { state.size = 0 } else { state.chunks = Data([1]) }
        }
        let asked = engine.hear(lacking, from: relay).wantedChunks
        #expect(asked.contains { $0.peer == phone })
    }

    @Test func `a relay that stalls or goes leaves everything to phones`() {
        for isGone in [true, false] {
            var (engine, relay, phone) = company()
            engine.tell(.blobsWanted([Self.blobs[0].want()]))
            _ = engine.hear(TestBlob.states([Self.blobs[0]]), from: phone)
            #expect(engine.hear(TestBlob.states([Self.blobs[0]]), from: relay).wantedChunks.map(\.peer) == [relay])
            let asked = isGone ? engine.tell(.closed(relay)) : engine.wait(.seconds(30))
            #expect(asked.wantedChunks.map(\.peer) == [phone])
        }
    }

    @Test func `two relays share what is to be brought`() {
        var engine = LoneEngine { $0.chunksOnWire = 3 }
        let relays = [engine.admit(1), engine.admit(2)]
        for relay in relays { engine.tell(.relay(relay)) }
        engine.tell(.blobsWanted(Self.blobs.map { $0.want() }))
        let asked = relays.flatMap { engine.hear(TestBlob.states(Self.blobs), from: $0).wantedChunks }
        #expect(Set(asked.map(\.peer)) == Set(relays))
        #expect(Set(asked.map(\.name)).count == asked.count)
    }

    // MARK: - What only a listing tells

    /// A blob of a person's, by a name that commits to it.
    private func listed(size: UInt64, claiming claim: UInt64) -> (want: BlobWant, root: Bytes32, person: PersonID) {
        let (root, person) = (Bytes32(at: 0, of: [UInt8](repeating: 7, count: 32).span), PersonID(.zero))
        var bytes = root.bytes
        size.appendBigEndian(to: &bytes)
        let name = BlobName(Blake2b.hash(.blob, bytes + person.bytes))
        let length = 256 << 10
        return (BlobWant(name: name, size: claim, chunkLength: length, root: nil, lane: .previews), root, person)
    }

    private func status(_ name: BlobName, _ root: Bytes32, _ size: UInt64, _ person: PersonID)
        -> ProtoMessage.OneOf_Content
    {
        .blobStatus(
            .with { status in
                status.states = [
                    .with {
                        $0.name = Data(name.bytes)
                        $0.size = size
                        $0.root = Data(root.bytes)
                        $0.person = Data(person.bytes)
                    }
                ]
            }
        )
    }

    @Test(arguments: [3000, 1, 1 << 32] as [UInt64])
    func `what a blob is its name proves, and no listing`(claim: UInt64) {
        var engine = LoneEngine()
        let (liar, honest) = (engine.admit(1), engine.admit(2))
        let (want, root, person) = listed(size: 600_000, claiming: claim)
        engine.tell(.blobsWanted([want]))
        // Another root, size or person is nobody's word.
        #expect(engine.hear(status(want.name, .zero, 600_000, person), from: liar).wantedChunks.isEmpty)
        let asked = engine.hear(status(want.name, root, 600_000, person), from: honest).wantedChunks
        #expect(asked.map(\.peer) == [honest] && asked.map(\.indexes) == [[0, 1, 2]])
        // Whoever lists it afterwards with another size changes nothing.
        let again = BlobWant(name: want.name, size: 5, chunkLength: 5, root: nil, lane: .originals)
        engine.tell(.blobsWanted([again]))
        let chunk = ProtoChunk.with {
            $0.name = Data(want.name.bytes)
            $0.index = 2
            $0.data = Data(count: 600_000 - 2 * (256 << 10))
        }
        let stored = engine.hear(.chunk(chunk), from: honest, on: .previews)
        #expect(stored.goodbyes.isEmpty && stored.contains { if case .storeChunk = $0 { true } else { false } })
    }

    // MARK: - What is not there any more

    /// Counterexample 33.
    @Test func `what a relay has let go of is asked once, also after it comes again, and told as what nobody has`() {
        var (engine, relay, phone) = company()
        let asked = engine.tell(.payloadsWanted(Self.wants))
        #expect(
            Set(asked.wantedPayloads(of: relay) + asked.wantedPayloads(of: phone)) == Set(Self.wants.map(\.reference))
        )
        engine.tell(.closed(phone))
        for want in Self.wants { engine.hear(answer(want, .evicted(true)), from: relay) }
        #expect(engine.engine.shortage.payloads == 2 && engine.engine.shortage.evictedPayloads == 2)
        #expect(engine.wait(.seconds(90)).wantedPayloads(of: relay).isEmpty)
        engine.tell(.closed(relay))
        // It comes again as the same device: nothing is asked of it, and all is of somebody new.
        let again = engine.admit(3, device: 1)
        #expect(engine.wait(.seconds(90)).wantedPayloads(of: again).isEmpty)
        #expect(engine.engine.shortage.payloads == 2)
        let other = engine.admitAsking(5)
        #expect(Set(other.wantedPayloads(of: PeerID(5))) == Set(Self.wants.map(\.reference)))
    }

    @Test func `what is absent may come yet, and is asked again when the peer comes again`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.payloadsWanted([Self.wants[0]]))
        engine.hear(answer(Self.wants[0], .absent(true)), from: peer)
        #expect(engine.engine.shortage.payloads == 1 && engine.engine.shortage.evictedPayloads == 0)
        engine.tell(.closed(peer))
        let again = engine.admitAsking(2, device: 1)
        #expect(again.wantedPayloads(of: PeerID(2)) == [Self.wants[0].reference])
    }

    @Test func `who has let go of a payload or a blob says so, and owes nothing`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(.wantPayloads(.with { $0.references = [Data(Self.wants[0].reference.bytes)] }), from: peer)
        let answers = [PayloadAnswer(reference: Self.wants[0].reference, content: .evicted)]
        let sent = engine.tell(.payloads(peer, answers))
        #expect(sent.messages(to: peer).contains(answer(Self.wants[0], .evicted(true))))
        #expect(engine.gauge("payloads owed") == 0)
        engine.hear(.wantBlobs(.with { $0.names = [Data(Self.blobs[0].name.bytes)] }), from: peer)
        let states = engine.tell(.blobStates(peer, [BlobStatus(evicted: Self.blobs[0].name)]))
        #expect(states.messages(to: peer).contains(evicted([Self.blobs[0]])))
        #expect(engine.gauge("interesting blobs") == 0)
    }

    @Test func `a blob that a relay has let go of is told as what nobody has until somebody has it`() {
        var engine = LoneEngine()
        let relay = engine.admit(1)
        engine.tell(.blobsWanted([Self.blobs[0].want(), Self.blobs[1].want()]))
        #expect(engine.engine.shortage.blobs == 0)
        engine.hear(evicted([Self.blobs[0]]), from: relay)
        engine.hear(TestBlob.states([Self.blobs[1]]) { $0.size = 0 }, from: relay)
        #expect(engine.engine.shortage.blobs == 2 && engine.engine.shortage.evictedBlobs == 1)
        let phone = engine.admit(2)
        #expect(engine.hear(TestBlob.states([Self.blobs[0]]), from: phone).wantedChunks.map(\.peer) == [phone])
        #expect(engine.engine.shortage.evictedBlobs == 0)
    }
}

extension LoneEngine {
    /// Lets a device in, and returns what the engine asks for at the last step.
    fileprivate mutating func admitAsking(_ number: Int, device: Int? = nil) -> [SyncAction] {
        let peer = PeerID(UInt64(number))
        connect(peer)
        hearHello(from: peer, device: device ?? number)
        tell(.verdict(peer, .admitted))
        hear(.welcome(.with { _ in }), from: peer)
        let digest = ProtoDigest.with {
            $0.whole = .init(Frontier([]).digest.bytes)
            $0.isAnswer = true
        }
        return hear(.digest(digest), from: peer)
    }
}

extension [SyncAction] {
    /// What is said to one peer.
    func messages(to peer: PeerID) -> [ProtoMessage.OneOf_Content] {
        compactMap { $0.sent.flatMap { $0.peer == peer ? $0.content : nil } }
    }
}
