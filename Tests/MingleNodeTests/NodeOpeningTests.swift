// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleDiscovery
import MingleReplica
import NodeTestSupport
import Synchronization
import Testing

@testable import MingleNode

extension Node {
    /// Whether the current event is open to anyone nearby.
    fileprivate var isOpen: Bool { get throws { try status(event: nil).current?.nearby == true } }

    /// What became of each opening, oldest first: whether it is closed.
    fileprivate func openings() throws -> [Bool] { try invitations(event: nil).invitations.dropFirst().map(\.closed) }
}

/// How an event that is open to anyone nearby is closed to them again.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeOpeningTests {
    private static let hour: Int64 = 3600

    @Test func `an opening ends by itself after twelve hours, unless it is renewed`() async throws {
        let (network, clock) = (FakeNetwork(), TestClock())
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder", clock: clock.clock, discovery: network.maker) { founder in
                let id = try await founder.createEvent(title: "Party").id
                let until = try await #require(try founder.changeEvent(id, .init(nearby: true)).nearbyUntil)
                #expect(abs(until.timeIntervalSince(clock.now) - 12 * 3600) < 60)
                clock.pass(seconds: Self.hour / 2)
                #expect(try await founder.changeEvent(id, .init(nearby: true)).nearbyUntil == until, "it is new yet")
                clock.pass(seconds: Self.hour)
                let renewed = try await #require(try founder.changeEvent(id, .init(nearby: true)).nearbyUntil)
                #expect(abs(renewed.timeIntervalSince(until) - 1.5 * 3600) < 60)
                #expect(
                    try founder.openings() == [false, false],
                    "who came by the former stays, also whom nobody here knows yet"
                )
                clock.pass(seconds: 11 * Self.hour)
                try await network.eventually("it is still said") { $0.count == 1 }
                #expect(try founder.isOpen)
                let session = try founder.session(id)
                try await eventually("that is noted", at: founder) { session.isOpenToNearby.isSet }
                let news = founder.changes.changes()
                clock.pass(seconds: Self.hour)
                for await change in news where change.kinds == ["status"] { break }
                #expect(try !founder.isOpen, "who looks is told of it")
                try await network.eventually("nobody says so any more") { $0.isEmpty }
            }
        }
    }

    @Test func `off closes what another device of the founder's opened, whichever of them was heard of`() async throws {
        let networks = (FakeNetwork(), FakeNetwork())
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/old", discovery: networks.0.maker) { old in
                let id = try await old.createEvent(title: "Party").id
                _ = try old.makeMoment("Dinner")
                _ = try await old.backUp(BackupTerms(folder: folder + "/backup"))
                _ = try Restoring.restore(folder + "/backup", to: folder + "/new")
                #expect(try await old.changeEvent(id, .init(nearby: true)).nearby)
                var lost = ""
                try await networks.0.eventually("it is said") { said in
                    lost = said.first?.link ?? ""
                    return said.count == 1
                }
                try await withNode(folder + "/new", discovery: networks.1.maker) { new in
                    #expect(try !new.isOpen, "it has not heard of that")
                    #expect(try await new.changeEvent(id, .init(nearby: true)).nearby)
                    new.setPeers([old.loopback])
                    try await eventually("both openings are known", at: old, new) {
                        try old.openings() == [false, false] && new.openings() == [false, false]
                    }
                    // Invitations are fabric, and what names them is content: one comes before the other or after it.
                    try await eventually("both are known to be openings", at: old, new) {
                        try [old, new].allSatisfy { try $0.session(id).replica.namedOpenings().count == 2 }
                    }
                    #expect(try old.isOpen && new.isOpen)
                    #expect(try await !old.changeEvent(id, .init(nearby: false)).nearby)
                    #expect(try old.openings() == [true, true])
                    try await withNode(folder + "/carl", peers: [old.loopback]) { carl in
                        let refusal = try await problem { _ = try await carl.join(link: lost) }
                        #expect(refusal.name == .badInvitation)
                    }
                }
            }
        }
    }

    @Test func `off counts also where the opening was not known yet`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/old") { old in
                let id = try await old.createEvent(title: "Party").id
                _ = try await old.backUp(BackupTerms(folder: folder + "/backup"))
                _ = try Restoring.restore(folder + "/backup", to: folder + "/new")
                _ = try await old.changeEvent(id, .init(nearby: true))
                try await withNode(folder + "/new") { new in
                    #expect(try await !new.changeEvent(id, .init(nearby: false)).nearby)
                    new.setPeers([old.loopback])
                    try await eventually("both know of both", at: old, new) {
                        try !old.isOpen && new.openings().count == 1
                    }
                    #expect(try !new.isOpen)
                }
            }
        }
    }

    @Test func `an event is open to nobody nearby once its founder has left`() async throws {
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder") { founder in
                let id = try await founder.createEvent(title: "Party").id
                _ = try founder.makeMoment("Dinner")
                try await withGuests(["bob"], in: folder, by: [try founder.link()], at: founder) { guests in
                    let bob = guests[0]
                    _ = try await founder.changeEvent(id, .init(nearby: true))
                    try await eventually("Bob knows", at: bob) { try bob.isOpen }
                    _ = try await founder.leaveEvent(id, LeavingManner(isForced: true))
                    try await eventually("Bob says nothing of it", at: bob) { try !bob.isOpen }
                    #expect(try bob.openings() == [false], "nobody closed it: it runs out")
                }
            }
        }
    }

    @Test func `a node that is told to says nothing of what is open, and sees it all the same`() async throws {
        let network = FakeNetwork()
        try await withTemporaryFolder { folder in
            try await withNode(folder + "/founder", discovery: network.maker) { founder in
                let id = try await founder.createEvent(title: "Party").id
                _ = try founder.makeMoment("Dinner")
                _ = try await founder.changeEvent(id, .init(nearby: true))
                let peers = [founder.loopback]
                try await withNode(folder + "/bob", peers: peers, discovery: network.maker, tellsNearby: false) { bob in
                    _ = try await bob.join(link: try founder.link())
                    try await eventually("Bob knows", at: bob) { try bob.isOpen }
                    bob.advertiseOpen()
                    try await network.eventually("the founder alone says so") { $0.count == 1 }
                    #expect(network.crowds().map(\.most) == [.max])
                }
            }
        }
    }
}

/// What finds nobody, and tells whether a thread that tells of somebody would have to wait while it is told what to publish.
private final class WatchedDiscovery: PeerDiscovery {
    private let node = Mutex<Node?>(nil)
    let waits = Mutex<[Bool]>([])

    func watch(_ node: Node?) { self.node.withLock { $0 = node } }

    func run(onEvent: @escaping @Sendable (DiscoveryEvent) -> Void) async { await untilCancelled() }

    func publish(_ advertisements: [Advertisement]) {
        guard let node = node.withLock({ $0 }) else { return }
        let isFree = node.opener.withLockIfAvailable { _ in true } ?? false
        waits.withLock { $0.append(!isFree) }
    }

    func reject(_ name: String) {}
}

/// Threads of others while a node finds out what is open.
struct OpenerLockTests {
    @Test func `who tells of others never waits until it is found out what is open`() async throws {
        let discovery = WatchedDiscovery()
        try await withTemporaryFolder { folder in
            let founder = try openNode(folder + "/founder")
            founder.opener.withLock { $0 = discovery }
            discovery.watch(founder)
            founder.advertiseOpen()
            #expect(discovery.waits.withLock { $0 } == [false])
            discovery.watch(nil)
        }
    }
}
