// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What is kept in mind of journals that peers say they hold.
struct OfferTests {
    private static let tip = JournalPoint(sequence: 1, hash: 1)

    /// The name of a device of which nobody has the keys.
    private static func device(_ number: Int) -> DeviceName {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 < 4 ? number >> ($0 * 8) : 7) }
        return DeviceName(bytes: bytes) ?? LoneEngine.device
    }

    private static func entries(_ numbers: some Sequence<Int>, _ journal: Journal) -> ProtoMessage.OneOf_Content {
        .entries(
            .with {
                $0.entries = numbers.map {
                    Data(FrontierEntry(device: device($0), journal: journal, sequence: 1, tip: 1).bytes)
                }
            }
        )
    }

    private static func end(_ number: Int, _ journal: Journal) -> ProtoMessage.OneOf_Content {
        .runsEnd(.with { ($0.device, $0.journal) = (Data(device(number).bytes), UInt32(journal.rawValue)) })
    }

    private static func certify(_ numbers: some Sequence<Int>) -> SyncInput {
        let keys = numbers.map { JournalKey(device: device($0), journal: .fabric) }
        return .committed(Commit(journals: keys.map { JournalTips(key: $0, tips: [tip]) }))
    }

    @Test
    func `peers that tell of content of devices that nobody knows take little room, and nobody walks through it`() {
        var engine = LoneEngine()
        let peers = (1...8).map { engine.admit($0) }
        for (place, peer) in peers.enumerated() {
            for start in stride(from: place << 12, to: (place + 1) << 12, by: 1024) {
                engine.hear(Self.entries(start..<start + 1024, .content), from: peer)
            }
        }
        #expect(engine.gauge("peers") == 8 && engine.gauge("journals being pulled") == 0)
        #expect(engine.gauge("journals waiting") == 0 && engine.gauge("journals not proved") == 4096)
    }

    @Test func `content is asked for once its device's certificate is here, in the order in which it was told of`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.hear(Self.entries([3, 1, 2], .content), from: peer).wantedRuns.isEmpty)
        #expect(engine.engine.lag.deltas == 3)
        #expect(engine.tell(Self.certify([1, 3])).wantedRuns.map(\.device) == [Self.device(3), Self.device(1)])
        #expect(engine.tell(Self.certify([2])).wantedRuns.map(\.device) == [Self.device(2)])
    }

    @Test func `what a peer that is gone told of unknown devices is forgotten`() {
        var engine = LoneEngine { $0.unprovedJournals = 2 }
        let (gone, other) = (engine.admit(1), engine.admit(2))
        engine.hear(Self.entries([1, 2], .content), from: gone)
        engine.hear(Self.entries([2], .content), from: other)
        engine.tell(.closed(gone))
        #expect(engine.gauge("journals not proved") == 1)
        engine.hear(Self.entries([3], .content), from: other)
        #expect(engine.tell(Self.certify(1...3)).wantedRuns.map(\.device) == [Self.device(2), Self.device(3)])
    }

    @Test func `who has told of content of an unknown device is not caught up with`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        engine.hear(Self.entries([1], .content), from: peer)
        engine.hear(Self.entries([2], .fabric), from: peer)
        engine.tell(Self.certify([2]))
        #expect(engine.hear(Self.end(2, .fabric), from: peer).notes.isEmpty)
        engine.tell(Self.certify([1]))
        let tips = JournalTips(key: JournalKey(device: Self.device(1), journal: .content), tips: [Self.tip])
        #expect(engine.tell(.committed(Commit(journals: [tips]))).notes.isEmpty)
        #expect(engine.hear(Self.end(1, .content), from: peer).notes == [.caughtUp])
    }

    @Test func `however many journals some advertise, others may advertise some`() {
        var engine = LoneEngine { ($0.pulledJournals, $0.offersAtLeast) = (10, 3) }
        let (flooder, other) = (engine.admit(1), engine.admit(2))
        engine.hear(Self.entries(0..<100, .fabric), from: flooder)
        #expect(engine.gauge("journals being pulled") == 10)
        engine.hear(Self.entries(200..<300, .fabric), from: other)
        #expect(engine.gauge("journals being pulled") == 13 && engine.gauge("peers") == 2)
    }

    @Test(arguments: 0..<10)
    func `a newcomer gets all of an event that has more journals than it keeps in mind`(seed: UInt64) {
        var limits = SyncLimits()
        (limits.offers, limits.offersAtLeast, limits.pulledJournals) = (8, 3, 12)
        (limits.unprovedOffers, limits.unprovedJournals) = (4, 6)
        var world = TestWorld(nodeCount: 42, seed: seed)
        for author in 2..<42 {
            world.nodes[author].write([10, 10])
            for (key, chains) in world.nodes[author].store.branches { world.nodes[1].store.branches[key] = chains }
        }
        world.nodes[1].restart()
        world.nodes[0].restart(limits: limits)
        if seed % 2 == 0 { world.connect(0, 1) } else { world.connect(1, 0) }
        world.pass(seconds: 100)
        #expect(world.nodes[0].store.frontier.digest == world.nodes[1].store.frontier.digest)
        #expect(world.nodes[0].closed.isEmpty && world.nodes[0].notes.contains { $0.1 == .inSync(.all) })
    }
}
