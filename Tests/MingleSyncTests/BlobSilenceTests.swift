// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What peers that do not answer about blobs cost those that do.
struct BlobSilenceTests {
    private static let thumbnail = TestBlob(1, size: 1000, chunkLength: 1000, lane: .thumbnails)
    private static let preview = TestBlob(2, size: 1000, chunkLength: 1000, lane: .previews)

    @Test func `ten peers that never say what they hold delay no preview`() {
        var engine = LoneEngine()
        let honest = engine.admit(1)
        for silent in 2...11 { engine.admit(silent) }
        engine.tell(.blobsWanted([Self.thumbnail.want(), Self.preview.want()]))
        let asked = engine.hear(TestBlob.states([Self.thumbnail, Self.preview]), from: honest).wantedChunks
        #expect(asked.map(\.name) == [Self.thumbnail.name])
        let next = engine.deliver(Self.thumbnail, from: honest).wantedChunks
        #expect(next.map(\.name) == [Self.preview.name] && next.map(\.peer) == [honest])
    }

    @Test func `who has answered before and falls silent delays a preview for a moment only`() {
        var engine = LoneEngine()
        let (honest, silent) = (engine.admit(1), engine.admit(2))
        let first = TestBlob(3, size: 1000, chunkLength: 1000, lane: .thumbnails)
        engine.tell(.blobsWanted([first.want()]))
        engine.hear(TestBlob.states([first]) { $0.size = 0 }, from: silent)
        engine.hear(TestBlob.states([first]), from: honest)
        engine.deliver(first, from: honest)
        engine.tell(.blobsWanted([Self.thumbnail.want(), Self.preview.want()]))
        engine.hear(TestBlob.states([Self.thumbnail, Self.preview]), from: honest)
        // The silent one may yet name another thumbnail.
        #expect(engine.deliver(Self.thumbnail, from: honest).wantedChunks.isEmpty)
        #expect(engine.wait(.seconds(1)).wantedChunks.map(\.peer) == [honest])
        _ = silent
    }

    @Test func `a stall counts for all devices of a person`() {
        var engine = LoneEngine()
        let person = PersonID(Bytes32([UInt8](repeating: 7, count: 32)) ?? .zero)
        let first = engine.admit(1)
        engine.tell(.person(first, person))
        engine.tell(.blobsWanted([Self.thumbnail.want()]))
        engine.hear(TestBlob.states([Self.thumbnail]), from: first)
        #expect(engine.wait(.seconds(11)).notes == [.stalled])
        engine.tell(.closed(first))
        let (second, honest) = (engine.admit(2), engine.admit(3))
        engine.tell(.person(second, person))
        engine.tell(.blobsWanted([Self.preview.want()]))
        engine.hear(TestBlob.states([Self.thumbnail]), from: second)
        // Its thumbnail is asked for, and the preview does not wait for that.
        #expect(engine.hear(TestBlob.states([Self.preview]), from: honest).wantedChunks.map(\.peer) == [honest])
    }

    @Test func `who leaves each time before it counts as slow comes last at last`() {
        var engine = LoneEngine()
        let person = PersonID(Bytes32([UInt8](repeating: 7, count: 32)) ?? .zero)
        engine.tell(.blobsWanted([Self.thumbnail.want(), Self.preview.want()]))
        for number in 1...6 {
            let liar = engine.admit(number)
            engine.tell(.person(liar, person))
            engine.hear(TestBlob.states([Self.thumbnail]), from: liar)
            _ = engine.wait(.seconds(2))
            engine.tell(.closed(liar))
        }
        let (liar, honest) = (engine.admit(20), engine.admit(21))
        engine.tell(.person(liar, person))
        engine.hear(TestBlob.states([Self.thumbnail]), from: liar)
        engine.hear(TestBlob.states([Self.thumbnail]) { $0.size = 0 }, from: honest)
        #expect(engine.hear(TestBlob.states([Self.preview]), from: honest).wantedChunks.map(\.peer) == [honest])
    }
}
