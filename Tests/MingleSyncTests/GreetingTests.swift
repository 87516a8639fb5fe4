// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

struct GreetingTests {
    @Test func `a peer that is not admitted gets a greeting and a goodbye and nothing else`() {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.nodes[0].write([10, 10])
        world.nodes[0].judge = { _, _ in .refused("is not a member") }
        world.connect(1, 0)
        world.settle()
        // Its greeting showed who the member is, by the run that certifies it.
        let foreign = world.nodes[1].store.branches.keys.filter { $0.device != world.nodes[1].device }
        #expect(foreign.map(\.journal) == [.fabric])
        #expect(world.nodes[0].closed.map(\.1) == [Goodbye("is not a member", cause: .notLetIn)])
        #expect(world.directions.isEmpty)
    }

    @Test func `what a peer says in leaving comes through with its cause, and an unknown cause is none`() {
        for (cause, expected) in [(1, .notLetIn), (2, .linkedAlready), (3, .left), (99, .other)]
            as [(UInt32, Goodbye.Cause)]
        {
            var world = TestWorld(nodeCount: 2, seed: 3)
            world.connect(1, 0)
            var goodbye = ProtoGoodbye()
            goodbye.reason = String(repeating: "x", count: 1000)
            goodbye.cause = cause
            world.tell(0, .received(world.directions[0].receiver, .control, Self.bytes(.goodbye(goodbye))))
            let heard = Goodbye(String(repeating: "x", count: 200), cause: expected, isFromPeer: true)
            #expect(world.nodes[0].closed.map(\.1) == [heard])
        }
    }

    @Test(
        arguments: [
            (1, 4, .retired), (1, 5, .declined), (1, 0, .notLetIn), (1, 99, .notLetIn), (0, 4, .other),
            (2, 4, .linkedAlready),
            (4, 0, .other), (5, 0, .other), (0, 5, .other),
        ]
            as [(UInt32, UInt32, Goodbye.Cause)]
    )
    func `an exact cause counts beside the one that older versions know, and beside no other`(
        cause: UInt32,
        exact: UInt32,
        expected: Goodbye.Cause
    ) {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.connect(1, 0)
        var goodbye = ProtoGoodbye()
        (goodbye.cause, goodbye.exactCause) = (cause, exact)
        world.tell(0, .received(world.directions[0].receiver, .control, Self.bytes(.goodbye(goodbye))))
        #expect(world.nodes[0].closed.map(\.1) == [Goodbye("", cause: expected, isFromPeer: true)])
    }

    @Test(arguments: [(.retired, 4), (.declined("no"), 5)] as [(Verdict, UInt32)])
    func `who is retired or declined is refused in words that older versions understand, too`(
        verdict: Verdict,
        exact: UInt32
    ) {
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        engine.hearHello(from: PeerID(1), device: 1)
        let sent = engine.tell(.verdict(PeerID(1), verdict)).compactMap { action -> ProtoGoodbye? in
            if case (_, .goodbye(let goodbye))? = action.sent { goodbye } else { nil }
        }
        #expect(sent.map(\.cause) == [1] && sent.map(\.exactCause) == [exact])
    }

    @Test func `what a peer says in leaving is one line of words, however it spells them`() {
        for (words, expected) in [
            ("\u{1b}[2J\na\u{202e}b\r\u{7f}", " [2J a b  "), ("e" + String(repeating: "\u{301}", count: 1000), nil),
        ] {
            let reason = Goodbye(words, isFromPeer: true).reason
            #expect(reason.unicodeScalars.count <= 200 && (expected == nil || reason == expected))
        }
    }

    @Test func `whether a greeting with this device's own name is true is for the shell to say`() {
        for verdict in [Verdict.sameDevice, .refused("proves nothing")] {
            var world = TestWorld(nodeCount: 2, seed: 3)
            var asked: [DeviceName] = []
            world.nodes[0].judge = { _, hello in
                asked.append(hello.device)
                return verdict
            }
            world.connect(1, 0)
            var hello = ProtoHello()
            hello.version = SyncLimits.version
            hello.device = .init(world.nodes[0].device.bytes)
            world.tell(0, .received(world.directions[0].receiver, .control, Self.bytes(.hello(hello))))
            while !world.nodes[0].inbox.isEmpty { world.tell(0, world.nodes[0].inbox.removeFirst()) }
            #expect(asked == [world.nodes[0].device])
            #expect(world.nodes[0].closed.map(\.1.cause) == [verdict == .sameDevice ? .other : .notLetIn])
        }
    }

    @Test(arguments: [Lane.deltas, .thumbnails, .previews, .originals])
    func `before it is let in a peer is heard on the control lane only`(lane: Lane) {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.connect(1, 0)
        world.tell(0, .received(world.directions[0].receiver, lane, Self.bytes(.goodbye(ProtoGoodbye()))))
        #expect(world.nodes[0].closed.map(\.1.reason) == ["sent a message before it was welcomed"])
    }

    private static func bytes(_ content: ProtoMessage.OneOf_Content) -> [UInt8] { content.bytes }

    @Test func `a peer that speaks before it is welcome is dropped`() {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.nodes[0].judge = { _, _ in .refused("never") }
        world.connect(1, 0)
        for direction in world.directions where direction.from == 1 {
            world.tell(0, .received(direction.receiver, .control, Self.bytes(.digest(ProtoDigest()))))
        }
        #expect(world.nodes[0].closed.map(\.1.reason) == ["sent a message before it was welcomed"])
    }

    @Test func `another version is refused with both numbers`() {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.connect(1, 0)
        var hello = ProtoHello()
        hello.version = 7
        world.tell(0, .received(world.directions[0].receiver, .control, Self.bytes(.hello(hello))))
        #expect(world.nodes[0].closed.map(\.1.reason) == ["speaks version 7, this node 1"])
    }

    @Test(arguments: 0..<20)
    func `a newcomer gets the fabric, hands in its own, and then gets everything`(seed: UInt64) {
        var world = TestWorld(nodeCount: 3, seed: seed)
        let (member, other) = (world.nodes[0].device, world.nodes[1].device)
        let fabric = { (device: DeviceName) in JournalKey(device: device, journal: .fabric) }
        for node in 0..<2 { world.nodes[node].write([30, 2000, 30]) }
        world.connect(0, 1)
        world.settle()
        // Members admit whom they know; a newcomer lets everybody speak of the fabric until it knows them.
        let judge = { (store: TestStore, hello: Hello) -> Verdict in
            store.branches[fabric(hello.device)] == nil ? .fabricOnly : .admitted
        }
        for node in world.nodes.indices {
            world.nodes[node].judge = judge
            world.nodes[node].bringsFabric = false
        }
        world.connect(2, 0)
        var hadContentEarly = false
        while world.step() {
            let isAdmitted = world.nodes[0].store.branches[fabric(world.nodes[2].device)] != nil
            let hasContent = world.nodes[2].store.branches.keys.contains {
                $0.journal == .content && $0.device == member
            }
            if hasContent, !isAdmitted { hadContentEarly = true }
        }
        #expect(!hadContentEarly)
        world.settle()
        #expect(world.nodes[2].store.tips(of: fabric(other)).tips.count == 1)
        #expect(world.nodes[2].store.frontier == world.nodes[0].store.frontier)
        #expect(world.nodes[1].store.frontier == world.nodes[0].store.frontier)
        #expect(world.nodes.allSatisfy { $0.closed.isEmpty })
    }

    @Test func `a newcomer that is never admitted never gets content`() {
        var world = TestWorld(nodeCount: 2, seed: 5)
        world.nodes[0].write([30, 30])
        world.nodes[0].judge = { _, _ in .fabricOnly }
        world.connect(1, 0)
        world.settle()
        world.nodes[0].write([30])
        world.pass(seconds: 70)
        let devices = world.nodes[1].store.branches.keys.filter { $0.device == world.nodes[0].device }
        #expect(devices.map(\.journal) == [.fabric])
    }

    @Test(arguments: 0..<20)
    func `of two sessions dialled from both ends at once one is left`(seed: UInt64) {
        var world = TestWorld(nodeCount: 2, seed: seed)
        world.connect(0, 1)
        world.connect(1, 0)
        world.settle()
        #expect(world.directions.count == 2)
        #expect(world.nodes[0].store.frontier == world.nodes[1].store.frontier)
    }

    @Test func `a peer that says nothing is dropped`() {
        var world = TestWorld(nodeCount: 2, seed: 6)
        world.connect(0, 1)
        for index in world.directions.indices { world.directions[index].isBlocked = true }
        world.pass(seconds: 40)
        #expect(world.nodes[0].closed.map(\.1.reason) == ["does not greet"])
    }

    @Test func `admitted peers tell each other where nodes can be reached`() {
        var world = TestWorld(nodeCount: 2, seed: 7)
        world.nodes[0].inbox.append(.addresses(["192.0.2.1:7000", "[2001:db8::1]:7000"]))
        world.connect(0, 1)
        world.settle()
        #expect(world.nodes[1].learned == ["192.0.2.1:7000", "[2001:db8::1]:7000"])
        world.nodes[0].inbox.append(.addresses(["192.0.2.9:7000"]))
        world.settle()
        #expect(world.nodes[1].learned.last == "192.0.2.9:7000")
    }
}
