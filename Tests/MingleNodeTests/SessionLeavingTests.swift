// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MingleSync
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode
@testable import MinglePeering
@testable import MingleReplica

/// What the session of one event does while its person leaves, without anybody near.
@Suite(.timeLimit(.minutes(5)))
struct SessionLeavingTests {
    private func withSession(_ body: (EventSession) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let node = try openNode(folder)
            _ = try await node.createEvent(title: "Party")
            try await body(try node.session(nil))
        }
    }

    /// Does what is next about leaving, and says whether the folder can go.
    private func isOver(_ session: EventSession) -> Bool {
        session.goOnLeaving()
        return session.merging.sync { session.isFarewellOver }
    }

    private func leave(_ session: EventSession) throws -> Authored {
        try session.replica.leave(at: session.clock.now(), randomness: .system)
    }

    @Test func `who leaves writes nothing more, also where that was begun before`() async throws {
        try await withSession { session in
            try session.service.rename(to: "Ben")
            try session.beginToLeave(erasing: false)
            let refusal = try await problem { try session.service.rename(to: "Benjamin") }
            #expect(refusal.name == .notAllowed && refusal.detail.contains("You have left"))
            #expect(try session.replica.people().map(\.name) == ["Ben"])
        }
    }

    @Test(arguments: [true, false])
    func `who leaves takes no further device along, by a link that was made before`(isLeaving: Bool) async throws {
        try await withSession { session in
            let (seed, secrets) = (Randomness.system.secret(), session.secrets.withLock { $0 })
            session.offer.withLock { $0 = DeviceOffer(seed: seed, at: session.clock.uptime()) }
            let new = Secrets(linking: secrets.person, psk: secrets.psk, hints: [], randomness: .system)
            let ends = [true, false].map { Session(handshakeHash: .zero, isInitiator: $0) }
            var arrival = DeviceArrival(seed: seed)
            let asked = arrival.request(of: new, in: session.event, to: PeerID(1), ends[0])
            if isLeaving { try session.beginToLeave(erasing: false) }
            session.certify(PeerID(1), try #require(asked), ends[1])
            #expect((session.offer.withLock { $0?.used } == nil) == isLeaving)
            #expect(session.secrets.withLock { $0.certified.isEmpty } == isLeaving)
        }
    }

    /// Else the word that the person has left goes out while nobody else holds what was shared last.
    @Test(arguments: [("comment", true), ("people", false), ("comment", false)])
    func `nobody is in sync any more once there is more to hand over`(kind: String, isOwn: Bool) async throws {
        try await withSession { session in
            let (peer, other) = (PeerID(1), Bytes32(at: 0, of: [UInt8](repeating: 7, count: 32).span))
            session.roster.open(peer, address: "127.0.0.1:1", isIncoming: true)
            session.roster.greet(peer, device: DeviceName(other), person: PersonID(other))
            let isInSync = {
                session.roster.note(.inSync(.all), of: peer)
                var outcome = MergeOutcome()
                outcome.changedKinds = [kind]
                session.noteForHandOver(outcome, isOwn: isOwn)
                session.loop.sync {}
                return session.roster.others(than: session.replica.own.person).map(\.isInSync)
            }
            #expect(isInSync() == [true])
            try session.beginToLeave(erasing: false)
            session.loop.sync {}
            #expect(isInSync() == [!isOwn && kind != "people"])
        }
    }

    @Test func `only who stays gives the word on which the folder of somebody who left goes`() async throws {
        try await withSession { session in
            #expect(try session.verdict(of: Judgement(verdict: .left)) == .left)
            try session.beginToLeave(erasing: false)
            #expect(try session.verdict(of: Judgement(verdict: .left)) == .unanswered)
            #expect(try session.verdict(of: Judgement(verdict: .admitted)) == .admitted)
        }
    }

    @Test func `who has said to have left waits for somebody to hear, until all others have left as well`() async throws
    {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/host") { host in
                _ = try await host.createEvent(title: "Party")
                try await withNode(folder + "/guest", peers: [host.loopback]) { guest in
                    _ = try await guest.join(link: host.link())
                    try await eventually("the host knows the guest", at: host) {
                        try host.people(event: nil).people.count == 2
                    }
                }
            }
            let (host, guest) = (try openNode(folder + "/host"), try openNode(folder + "/guest"))
            let (staying, leaving) = (try host.session(nil), try guest.session(nil))
            try leaving.beginToLeave(erasing: false)
            _ = try leave(leaving)
            #expect(!isOver(leaving))
            // Both said so at once.
            leaving.tell(try leaving.replica.merge(try leave(staying).runs))
            #expect(isOver(leaving))
        }
    }
}
