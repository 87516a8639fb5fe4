// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What one peer that promises blobs and sends none costs this node and everybody else.
struct BlobPatienceTests {
    private static let thumbnail = TestBlob(1, size: 1000, chunkLength: 1000, lane: .thumbnails)
    private static let preview = TestBlob(2, size: 1000, chunkLength: 1000, lane: .previews)

    @Test func `a state that is said again and again is queued once`() throws {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.diskFull)
        engine.tell(.blobsWanted([Self.preview.want()]))
        for _ in 0..<1000 { engine.hear(TestBlob.states([Self.preview]), from: peer) }
        #expect(engine.gauge("blobs to ask for") == 1)
        #expect(engine.tell(.diskRoom).wantedChunks.map(\.name) == [Self.preview.name])
    }

    @Test func `a blob that one peer gives up again and again is queued once at another`() {
        var engine = LoneEngine { $0.chunksOnWire = 2 }
        let (busy, liar) = (engine.admit(1), engine.admit(2))
        let wanted = (3...5).map { TestBlob($0, size: 1000, chunkLength: 1000, lane: .previews) }
        engine.tell(.blobsWanted(wanted.map { $0.want() }))
        engine.hear(TestBlob.states(wanted), from: busy)
        for _ in 0..<100 {
            let asked = engine.hear(TestBlob.states(wanted), from: liar).wantedChunks
            for want in asked where want.peer == liar {
                engine.hear(.chunk(.with { $0.name = Data(want.name.bytes) }), from: liar)
            }
        }
        #expect(engine.gauge("blobs to ask for") <= 2 * wanted.count)
    }

    @Test func `who stalled keeps nobody waiting with what only it has`() {
        var engine = LoneEngine()
        let (liar, honest) = (engine.admit(1), engine.admit(2))
        let previews = (2...4).map { TestBlob($0, size: 1000, chunkLength: 1000, lane: .previews) }
        engine.tell(.blobsWanted([Self.thumbnail.want(), previews[0].want()]))
        // Only the liar claims to hold the thumbnail, and it never sends it.
        engine.hear(TestBlob.states([Self.thumbnail]) { $0.size = 0 }, from: honest)
        #expect(engine.hear(TestBlob.states([Self.thumbnail]), from: liar).wantedChunks.map(\.peer) == [liar])
        engine.hear(TestBlob.states([previews[0]]) { $0.size = 0 }, from: liar)
        #expect(engine.hear(TestBlob.states([previews[0]]), from: honest).wantedChunks.isEmpty)
        let later = engine.wait(.seconds(10))
        #expect(later.notes == [.stalled] && later.wantedChunks.map(\.peer) == [honest])
        engine.deliver(previews[0], from: honest)
        // In its pause its word counts for nothing, and after it does not for a while hold up others.
        engine.hear(TestBlob.states([Self.thumbnail]), from: liar)
        engine.tell(.blobsWanted([previews[1].want()]))
        #expect(engine.hear(TestBlob.states([previews[1]]), from: honest).wantedChunks.map(\.peer) == [honest])
        engine.deliver(previews[1], from: honest)
        _ = engine.wait(.seconds(30))
        #expect(engine.hear(TestBlob.states([Self.thumbnail]), from: liar).wantedChunks.map(\.peer) == [liar])
        engine.tell(.blobsWanted([previews[2].want()]))
        #expect(engine.hear(TestBlob.states([previews[2]]), from: honest).wantedChunks.map(\.peer) == [honest])
    }

    @Test func `who stalled is asked for what others have only once they are gone`() {
        var engine = LoneEngine()
        let (liar, honest) = (engine.admit(1), engine.admit(2))
        engine.tell(.blobsWanted([Self.thumbnail.want()]))
        engine.hear(TestBlob.states([Self.thumbnail]) { $0.size = 0 }, from: honest)
        #expect(engine.hear(TestBlob.states([Self.thumbnail]), from: liar).wantedChunks.map(\.peer) == [liar])
        #expect(engine.wait(.seconds(10)).notes == [.stalled])
        _ = engine.wait(.seconds(30))
        engine.tell(.blobsUnwanted([Self.thumbnail.name]))
        engine.tell(.blobsWanted([Self.preview.want()]))
        // The honest one is taken up with something else, so the picture would be the liar's to bring.
        engine.tell(.diskFull)
        for peer in [honest, liar] { engine.hear(TestBlob.states([Self.preview]), from: peer) }
        #expect(engine.tell(.diskRoom).wantedChunks.map(\.peer) == [honest])
        #expect(engine.tell(.closed(honest)).wantedChunks.map(\.peer) == [liar])
    }

    @Test func `who stalled and spoke first is left as soon as somebody else has the same`() {
        var engine = LoneEngine()
        let (liar, honest) = (engine.admit(1), engine.admit(2))
        engine.tell(.blobsWanted([Self.thumbnail.want()]))
        engine.hear(TestBlob.states([Self.thumbnail]) { $0.size = 0 }, from: honest)
        engine.hear(TestBlob.states([Self.thumbnail]), from: liar)
        #expect(engine.wait(.seconds(10)).notes == [.stalled])
        _ = engine.wait(.seconds(30))
        engine.tell(.blobsUnwanted([Self.thumbnail.name]))
        engine.tell(.blobsWanted([Self.preview.want()]))
        #expect(engine.hear(TestBlob.states([Self.preview]), from: liar).wantedChunks.map(\.peer) == [liar])
        #expect(engine.hear(TestBlob.states([Self.preview]), from: honest).wantedChunks.map(\.peer) == [honest])
        // What it sends late is no breach of the rules, and what the other sends counts.
        #expect(engine.hear(Self.preview.chunkMessage(0), from: liar).closed.isEmpty)
        engine.deliver(Self.preview, from: honest)
        #expect(engine.gauge("blobs wanted") == 0)
    }

    @Test func `what a liar had sent before it was left is asked of whom it is fetched from by then`() {
        var engine = LoneEngine()
        let (liar, honest) = (engine.admit(1), engine.admit(2))
        let blob = TestBlob(2, size: 2000, chunkLength: 1000, lane: .previews)
        engine.tell(.blobsWanted([blob.want()]))
        engine.hear(TestBlob.states([blob]) { $0.size = 0 }, from: honest)
        engine.hear(TestBlob.states([blob]), from: liar)
        engine.hear(blob.chunkMessage(0), from: liar)
        #expect(engine.wait(.seconds(10)).notes == [.stalled])
        #expect(engine.hear(TestBlob.states([blob]), from: honest).wantedChunks.map(\.indexes) == [[1]])
        engine.hear(blob.chunkMessage(1), from: honest)
        engine.tell(.chunkStored(honest, blob.name, index: 1, .stored))
        let asked = engine.tell(.chunkStored(liar, blob.name, index: 0, .rejected)).wantedChunks
        #expect(asked.map(\.peer) == [honest] && asked.map(\.indexes) == [[0]])
    }

    @Test func `a blob that was erased and wanted anew while a chunk was written is fetched`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.tell(.blobsWanted([Self.preview.want()]))
        #expect(engine.hear(TestBlob.states([Self.preview]), from: peer).wantedChunks.count == 1)
        engine.hear(Self.preview.chunkMessage(0), from: peer)
        engine.tell(.blobsUnwanted([Self.preview.name]))
        engine.tell(.blobsWanted([Self.preview.want()]))
        engine.tell(.chunkStored(peer, Self.preview.name, index: 0, .unwanted))
        #expect(engine.hear(TestBlob.states([Self.preview]), from: peer).wantedChunks.count == 1)
    }
}
