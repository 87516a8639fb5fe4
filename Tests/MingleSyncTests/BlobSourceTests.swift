// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// Whom chunks are asked of, and what becomes of what comes.
struct BlobSourceTests {
    private static let blob = TestBlob(1, size: 3000, chunkLength: 1000, lane: .previews)

    private static func chunk(_ index: Int, of blob: TestBlob = blob, isHeld: Bool = true) -> ProtoMessage.OneOf_Content
    {
        .chunk(
            .with {
                $0.name = Data(blob.name.bytes)
                $0.index = UInt32(index)
                if isHeld { $0.data = Data(blob.chunk(index)) }
            }
        )
    }

    private func asked(_ engine: inout LoneEngine, _ peer: PeerID) -> [[UInt32]] {
        engine.hear(TestBlob.states([Self.blob]), from: peer).wantedChunks.map(\.indexes)
    }

    @Test(
        arguments: [.with { $0.size = 2999 }, .with { $0.size = 0 }, .with { $0.root = Data(count: 32) }]
            as [ProtoBlobState]
    )
    func `nothing is asked of who says something else than the payload`(lie: ProtoBlobState) {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.blob.want()]))
        let told = TestBlob.states([Self.blob]) { state in
            if lie.root.isEmpty { state.size = lie.size } else { state.root = lie.root }
        }
        #expect(engine.hear(told, from: peer).isEmpty)
        #expect(asked(&engine, engine.admit(2)) == [[0, 1, 2]])
    }

    @Test func `a blob that is held already is asked of nobody`() {
        var engine = LoneEngine()
        engine.admit(1)
        #expect(engine.tell(.blobsWanted([Self.blob.want(held: [0, 1, 2])])).isEmpty)
    }

    @Test func `who does not hold a chunk after all is left for another`() {
        var engine = LoneEngine()
        let (one, other) = (engine.admit(1), engine.admit(2))
        engine.tell(.blobsWanted([Self.blob.want()]))
        #expect(asked(&engine, one) == [[0, 1, 2]])
        #expect(asked(&engine, other).isEmpty)
        let actions = engine.hear(Self.chunk(0, isHeld: false), from: one)
        #expect(actions.wantedChunks.map(\.peer) == [other] && actions.wantedChunks.map(\.indexes) == [[0, 1, 2]])
    }

    @Test func `a chunk that nobody asked for is not stored, and too many end the session`() {
        var engine = LoneEngine { $0.strayChunks = 3 }
        let peer = engine.admit(1)
        for index in 0..<3 { #expect(engine.hear(Self.chunk(index), from: peer).isEmpty) }
        #expect(engine.hear(Self.chunk(0), from: peer).goodbyes == [Goodbye("sends chunks that were not requested")])
    }

    @Test func `chunks that were asked for before the blob was erased are nobody's fault`() {
        var engine = LoneEngine { $0.strayChunks = 0 }
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.blob.want()]))
        #expect(asked(&engine, peer) == [[0, 1, 2]])
        engine.tell(.blobsUnwanted([Self.blob.name]))
        for index in 0..<3 { #expect(engine.hear(Self.chunk(index), from: peer).isEmpty) }
        #expect(engine.hear(Self.chunk(0), from: peer).goodbyes == [Goodbye("sends chunks that were not requested")])
    }

    @Test func `a chunk that is not written because its blob was erased does not hold up others`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let other = TestBlob(2, size: 10, chunkLength: 10, lane: .previews)
        engine.tell(.blobsWanted([Self.blob.want()]))
        #expect(asked(&engine, peer) == [[0, 1, 2]])
        engine.hear(Self.chunk(0), from: peer)
        engine.tell(.blobsUnwanted([Self.blob.name]))
        engine.tell(.chunkStored(peer, Self.blob.name, index: 0, .notWritten))
        engine.tell(.blobsWanted([other.want()]))
        #expect(engine.hear(TestBlob.states([other]), from: peer).wantedChunks.map(\.name) == [other.name])
    }

    @Test func `what could not be written is asked for again after a while`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.blob.want()]))
        #expect(asked(&engine, peer) == [[0, 1, 2]])
        for index in 0..<3 { engine.hear(Self.chunk(index), from: peer) }
        engine.tell(.chunkStored(peer, Self.blob.name, index: 0, .stored))
        let outcomes = (1...2).flatMap { index in
            engine.tell(.chunkStored(peer, Self.blob.name, index: UInt32(index), .notWritten))
        }
        #expect(outcomes.isEmpty)
        #expect(engine.wait(.seconds(29)).wantedChunks.isEmpty)
        #expect(engine.wait(.seconds(1)).wantedChunks.map(\.indexes) == [[1, 2]])
    }

    @Test func `a blob that is put off for a reason of its own keeps no other waiting, and is tried ever less often`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let later = TestBlob(2, size: 10, chunkLength: 10, lane: .originals)
        engine.tell(.blobsWanted([Self.blob.want(), later.want()]))
        var asked = engine.hear(TestBlob.states([Self.blob, later]), from: peer).wantedChunks
        #expect(asked.map(\.name) == [Self.blob.name])
        for (round, pause) in [30, 60, 120, 240, 240].enumerated() {
            for index in 0..<3 { engine.hear(Self.chunk(index), from: peer) }
            asked = (0..<3).flatMap { index in
                engine.tell(.chunkStored(peer, Self.blob.name, index: UInt32(index), .putOff)).wantedChunks
            }
            // The later lane waits for it no more.
            #expect(asked.map(\.name) == (round == 0 ? [later.name] : []))
            if round == 0 {
                engine.hear(Self.chunk(0, of: later), from: peer)
                engine.tell(.chunkStored(peer, later.name, index: 0, .stored))
            }
            #expect(engine.wait(.seconds(pause - 1)).wantedChunks.isEmpty)
            asked = engine.wait(.seconds(1)).wantedChunks
            #expect(asked.map(\.name) == [Self.blob.name] && asked.map(\.indexes) == [[0, 1, 2]])
        }
    }

    @Test func `a blob that was put off is tried at once when the disk has room, and once it is wanted anew`() {
        for attempt in [SyncInput.diskRoom, .blobsUnwanted([Self.blob.name])] {
            var engine = LoneEngine()
            let peer = engine.admit(1)
            engine.tell(.blobsWanted([Self.blob.want()]))
            _ = engine.hear(TestBlob.states([Self.blob]), from: peer)
            engine.hear(Self.chunk(0), from: peer)
            engine.tell(.chunkStored(peer, Self.blob.name, index: 0, .putOff))
            // Somebody else who holds it is not asked either.
            let other = engine.admit(2)
            #expect(engine.hear(TestBlob.states([Self.blob]), from: other).wantedChunks.isEmpty)
            var asked = engine.tell(attempt).wantedChunks
            asked += engine.tell(.blobsWanted([Self.blob.want()])).wantedChunks
            if asked.isEmpty { asked = engine.hear(TestBlob.states([Self.blob]), from: peer).wantedChunks }
            #expect(asked.map(\.indexes) == [[0, 1, 2]])
        }
    }

    @Test func `a full disk outlasts the while after which other failures are tried again`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.blob.want()]))
        engine.tell(.diskFull)
        #expect(asked(&engine, peer).isEmpty)
        #expect(engine.wait(.seconds(100)).wantedChunks.isEmpty)
        #expect(engine.tell(.diskRoom).wantedChunks.map(\.indexes) == [[0, 1, 2]])
    }

    @Test func `a peer that stalls is given twice as long each time, and rests twice as long, up to four minutes`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.tell(.blobsWanted([Self.blob.want()])).questions(to: peer) == 1)
        for factor in [1, 2, 4, 8, 8] {
            #expect(asked(&engine, peer) == [[0, 1, 2]])
            #expect(engine.wait(.seconds(10 * factor - 1)).notes.isEmpty)
            #expect(engine.wait(.seconds(1)).notes == [.stalled])
            #expect(engine.wait(.seconds(30 * factor - 1)).questions(to: peer) == 0)
            #expect(engine.wait(.seconds(1)).questions(to: peer) == 1)
        }
        // A new session is a new chance.
        engine.tell(.closed(peer))
        let again = engine.admit(2)
        #expect(asked(&engine, again) == [[0, 1, 2]])
    }

    @Test func `a peer that does not say what it holds stalls as well`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.tell(.blobsWanted([Self.blob.want()])).questions(to: peer) == 1)
        #expect(engine.wait(.seconds(10)).notes == [.stalled])
    }

    @Test func `blobs that are wanted no more are asked about no more`() {
        var engine = LoneEngine { $0.blobsPerQuestion = 300 }
        let peer = engine.admit(1)
        let blobs = (0..<1000).map { TestBlob($0, size: 10, chunkLength: 10, lane: .thumbnails) }
        #expect(engine.tell(.blobsWanted(blobs.map { $0.want() })).questions(to: peer) == 1)
        engine.tell(.blobsUnwanted(blobs.suffix(900).map(\.name)))
        engine.tell(.tick)
        let actions = engine.hear(TestBlob.states(Array(blobs.suffix(300))), from: peer)
        let names = actions.compactMap { action -> [BlobName?]? in
            guard case .wantBlobs(let message)? = action.sent?.content else { return nil }
            return message.names.map { BlobName(bytes: $0) }
        }
        #expect(names == [blobs.prefix(100).reversed().map(\.name)])
    }

    @Test(arguments: [true, false])
    func `what is wanted sooner overtakes what peers hold already`(isFetching: Bool) {
        var engine = LoneEngine { $0.chunksOnWire = isFetching ? 64 : 2 }
        let peer = engine.admit(1)
        let first = TestBlob(2, size: 2000, chunkLength: 1000, lane: .originals)
        let later = TestBlob(3, size: 2000, chunkLength: 1000, lane: .originals)
        engine.tell(.blobsWanted([first.want(), later.want()]))
        let names = engine.hear(TestBlob.states([first, later]), from: peer).wantedChunks.map(\.name)
        #expect(names == (isFetching ? [first.name, later.name] : [first.name]))
        let sooner = BlobWant(
            name: later.name,
            size: 2000,
            chunkLength: 1000,
            root: later.root,
            lane: .thumbnails
        )
        #expect(engine.tell(.blobsWanted([sooner, sooner])).wantedChunks.isEmpty)
        for index in 0..<2 {
            engine.hear(Self.chunk(index, of: first), from: peer)
            let actions = engine.tell(.chunkStored(peer, first.name, index: UInt32(index), .stored))
            #expect(actions.wantedChunks.allSatisfy { $0.name == later.name })
        }
        for index in 0..<2 {
            engine.hear(Self.chunk(index, of: later), from: peer)
            engine.tell(.chunkStored(peer, later.name, index: UInt32(index), .stored))
        }
        // Nothing is left on any lane: what is wanted next is fetched at once.
        engine.tell(.blobsWanted([Self.blob.want()]))
        #expect(asked(&engine, peer) == [isFetching ? [0, 1, 2] : [0, 1]])
    }

    @Test func `a peer that comes to hold more of a blob is asked for that`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.blob.want()]))
        let some = TestBlob.states([Self.blob]) { $0.chunks = Data([0b001]) }
        #expect(engine.hear(some, from: peer).wantedChunks.map(\.indexes) == [[0]])
        #expect(asked(&engine, peer) == [[1, 2]])
    }

    @Test func `who has sent all it holds of a blob is asked no more for that`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.blob.want()]))
        let some = TestBlob.states([Self.blob]) { $0.chunks = Data([0b101]) }
        #expect(engine.hear(some, from: peer).wantedChunks.map(\.indexes) == [[0, 2]])
        for index in [0, 2] {
            engine.hear(Self.chunk(index), from: peer)
            #expect(engine.tell(.chunkStored(peer, Self.blob.name, index: UInt32(index), .stored)).isEmpty)
        }
        let other = engine.admit(2)
        #expect(asked(&engine, other) == [[1]])
    }
}

extension [SyncAction] {
    /// How many questions about blobs go to a peer.
    func questions(to peer: PeerID) -> Int {
        count { action in
            if case (peer, .wantBlobs)? = action.sent { true } else { false }
        }
    }
}
