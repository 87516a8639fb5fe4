// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import Testing

/// Who is let in, who waits outside, and who is sent away.
struct DoorTests {
    private static let handshake = Bytes32(at: 0, of: [UInt8](repeating: 7, count: 32).span)

    /// Lends what answers for a replica, with an empty store of blobs.
    private func answering(for replica: Replica, _ body: (Responder) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/mingle-door-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(Responder(replica: replica, blobs: BlobStore(path: path)))
    }

    /// What a device says to one that it has dialled.
    private func hello(of guest: Replica) throws -> Hello {
        let session = Session(handshakeHash: Self.handshake, isInitiator: true)
        return try guest.own.hello(in: session, certificates: guest.ownFabric())
    }

    @Test(arguments: [true, false])
    func `who waits outside is sent away once it is heard that it was removed`(isRemoved: Bool) throws {
        var world = try TestEvent(seed: 131)
        let eve = try world.join()
        try world.founder.receiveAll(from: eve)
        let newcomer = try world.relay()
        try answering(for: newcomer) { responder in
            let session = Session(handshakeHash: Self.handshake, isInitiator: false)
            let now = Timestamp(milliseconds: 9000)
            // It knows of no invitation yet, so nobody can be told from anybody.
            #expect(try responder.judge(hello(of: eve), session, at: now).verdict == .fabricOnly)
            let waiting = [GreetedPeer(PeerID(1), device: eve.own.name, person: nil)]
            #expect(try responder.judgeAgain(waiting).isEmpty)
            if isRemoved {
                let removal = Draft.remove(eve.own.person, keepsLinks: true)
                try world.founder.say(removal, at: 9000, world.randomness)
            }
            try newcomer.receiveAll(from: world.founder)
            let verdict = try responder.judgeAgain(waiting).first?.judgement.verdict
            #expect(verdict == (isRemoved ? .refused("the founder removed you from the event") : .admitted))
        }
    }
}
