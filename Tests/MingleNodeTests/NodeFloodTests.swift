// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MinglePeering
import MingleWire
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

/// Real connections that begin messages and do not finish them, while others share.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeFloodTests {
    /// Waits until Bob's photo is at the founder's node, preview included, and returns how long that took.
    private static func share(from bob: Node, to founder: Node, in folder: String) async throws -> Duration {
        let upload = try makePicture(in: folder)
        let begin = ContinuousClock.now
        let photo = try await bob.addPhoto(upload, event: nil)
        try await eventually("the preview is here", at: founder) {
            let photos = try founder.photos(of: nil, before: nil, limit: 10, event: nil).photos
            return photos.contains { $0.id == photo.id && $0.held.preview }
        }
        return ContinuousClock.now - begin
    }

    private static func psk(of node: Node) throws -> EventPSK {
        let session = try node.session(nil)
        return EventPSK(event: session.event, psk: session.secrets.withLock { $0.psk })
    }

    @Test func `fourteen connections of one person's devices keep nobody from sharing, and people learn who it is`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await withParty { party in
                let dora = try party.dora.session(nil)
                let psk = try Self.psk(of: party.founder)
                var flooders: [Flooder] = []
                for _ in 1...14 {
                    let flooder = try await Flooder(to: party.founder, psk: psk)
                    await flooder.hold(4 << 20, on: [.deltas, .thumbnails, .previews, .originals], as: dora)
                    flooders.append(flooder)
                }
                try await eventually("the node names who floods it", at: party.founder) {
                    try party.founder.status(event: nil).warnings.contains { $0.contains("hung up on") }
                }
                #expect(try await Self.share(from: party.bob, to: party.founder, in: folder) < .seconds(60))
                #expect(party.founder.transport.unfinishedByteCount <= 24 << 20)
                for flooder in flooders { await flooder.end() }
                try await eventually("all is let go of", at: party.founder) {
                    party.founder.transport.unfinishedByteCount < 1 << 20
                }
            }
        }
    }

    @Test func `the event's key alone holds no more than a greeting`() async throws {
        try await withTemporaryFolder { folder in
            try await withParty { party in
                let psk = try Self.psk(of: party.founder)
                var flooders: [Flooder] = []
                for lane in [Lane.control, .originals] {
                    for _ in 1...7 {
                        let flooder = try await Flooder(to: party.founder, psk: psk)
                        await flooder.hold(1 << 20, on: [lane])
                        flooders.append(flooder)
                    }
                }
                #expect(try await Self.share(from: party.bob, to: party.founder, in: folder) < .seconds(60))
                #expect(party.founder.transport.unfinishedByteCount <= 14 * ((96 + 64) << 10))
                for flooder in flooders { await flooder.end() }
            }
        }
    }
}
