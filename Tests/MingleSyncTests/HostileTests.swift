// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import TestSupport
import Testing

struct HostileTests {
    /// Two nodes that have greeted each other; what the second sends to the first from now on is made up.
    private func pair(_ seed: UInt64 = 1) -> (world: TestWorld, peer: PeerID) {
        var world = TestWorld(nodeCount: 2, seed: seed)
        world.nodes[0].write([20, 2000])
        world.nodes[1].write([20, 2000])
        let blobs = [TestBlob(1, size: 3000, chunkLength: 1000, lane: .previews)]
        world.nodes[0].know(blobs)
        world.nodes[1].know(blobs, holding: blobs)
        world.connect(0, 1)
        world.settle()
        return (world, world.directions.first { $0.from == 0 }?.sender ?? PeerID(0))
    }

    /// Valid messages of every kind.
    private static func samples(_ random: inout SplitMix) -> [[UInt8]] {
        var name: [UInt8] { (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } }
        var contents: [ProtoMessage.OneOf_Content] = []
        contents.append(.digest(.with { $0.whole = .init(name) }))
        contents.append(
            .digest(
                .with {
                    $0.whole = .init(name)
                    $0.buckets = [UInt64](repeating: 7, count: 64)
                }
            )
        )
        contents.append(.entries(.with { $0.entries = [.init(name + [1, 0, 0, 0, 9] + name.prefix(8))] }))
        contents.append(
            .wantRuns(
                .with {
                    $0.device = .init(name)
                    $0.journal = 1
                    $0.held = [.init([0, 0, 0, 1] + name.prefix(8))]
                    $0.bytes = .max
                }
            )
        )
        let request = RunsRequest(key: fabric, held: [], byteLimit: 1)
        contents.append(.run(.init(TestNode(3, keys: [:]).store.runs(for: request).runs[0].encoded())))
        contents.append(.runsEnd(.with { $0.device = .init(name) }))
        contents.append(.wantPayloads(.with { $0.references = [.init(name.prefix(8) + [1] + name.prefix(12))] }))
        contents.append(
            .payloads(
                .with {
                    $0.answers = [
                        .with {
                            $0.reference = .init(name.prefix(8) + [1] + name.prefix(12))
                            $0.payload = .init(name)
                        }
                    ]
                }
            )
        )
        contents.append(.wantBlobs(.with { $0.names = [.init(name), .init(name)] }))
        contents.append(
            .blobStatus(
                .with {
                    $0.states = [
                        .with {
                            $0.name = .init(name)
                            $0.size = .max
                            $0.root = .init(name)
                            $0.person = .init(name)
                            $0.chunks = .init(name)
                        }
                    ]
                }
            )
        )
        contents.append(
            .wantChunks(
                .with {
                    $0.name = .init(name)
                    $0.indexes = [0, .max]
                    $0.lane = UInt32.random(in: 0...6, using: &random)
                }
            )
        )
        contents.append(
            .chunk(
                .with {
                    $0.name = .init(name)
                    $0.index = .max
                    $0.proof = [.init(name)]
                    $0.data = .init(name)
                }
            )
        )
        contents.append(.peers(.with { $0.addresses = ["a", "\u{0}"] }))
        contents.append(.welcome(.with { $0.fabricOnly = true }))
        contents.append(.hello(.with { $0.version = 1 }))
        contents.append(.goodbye(.with { $0.reason = String(repeating: "x", count: 10_000) }))
        contents.append(
            .deviceRequest(
                .with {
                    $0.person = .init(name)
                    $0.signingKey = .init(name)
                    $0.agreementKey = .init(name)
                    $0.proof = .init(name)
                }
            )
        )
        contents.append(
            .deviceCertified(
                .with {
                    $0.signature = .init(name + name)
                    $0.device = .init(name)
                }
            )
        )
        return contents.map(\.bytes)
    }

    private static var fabric: JournalKey { JournalKey(device: TestAuthor(3).device, journal: .fabric) }

    @Test(arguments: 0..<100)
    func `random, truncated and altered messages never trap, whatever the phase`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var (world, peer) = pair(seed)
        for sample in Self.samples(&random) {
            var bytes = sample
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            case 1:
                for _ in 0..<3 where !bytes.isEmpty {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            case 2:
                bytes = (0..<Int.random(in: 0...100, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            default: break
            }
            world.tell(0, .received(peer, .control, bytes))
            world.run(steps: 20)
            if world.peer(of: 1, at: 0) == nil {
                world.connect(0, 1)
                if Bool.random(using: &random) { world.settle() }
                peer = world.peer(of: 1, at: 0) ?? peer
            }
        }
        world.settle()
        #expect(world.nodes[0].closed.allSatisfy { !$0.1.reason.isEmpty && $0.1.reason.count < 300 })
    }

    @Test func `a peer that sends too many messages is dropped`() {
        var (world, peer) = pair()
        let entries = ProtoMessage.OneOf_Content.entries(ProtoEntries()).bytes
        for _ in 0..<5000 { world.tell(0, .received(peer, .control, entries)) }
        #expect(world.nodes[0].closed.map(\.1.reason) == ["sends too many messages"])
    }

    @Test func `a peer that asks for more than it lets come is dropped`() {
        var (world, peer) = pair()
        let request = ProtoMessage.OneOf_Content.wantRuns(
            .with {
                $0.device = .init(TestAuthor(0).device.bytes)
                $0.bytes = 1000
            }
        ).bytes
        for _ in 0..<100 { world.tell(0, .received(peer, .control, request)) }
        #expect(world.nodes[0].closed.map(\.1.reason) == ["asks for too many journals at once"])
        (world, peer) = pair()
        let chunks = ProtoMessage.OneOf_Content.wantChunks(
            .with {
                $0.name = .init(TestBlob(1, size: 1, chunkLength: 1, lane: .previews).name.bytes)
                $0.indexes = [0, 1, 2]
                $0.lane = 3
            }
        ).bytes
        for _ in 0..<100 { world.tell(0, .received(peer, .control, chunks)) }
        #expect(world.nodes[0].closed.map(\.1.reason) == ["asks for too many chunks at once"])
    }

    @Test func `journals that nobody has are given up and do not hold back others`() {
        var (world, peer) = pair()
        let lies = (0..<1000).map { number in
            FrontierEntry(
                device: TestAuthor(1000 + number).device,
                journal: number % 2 == 0 ? .fabric : .content,
                sequence: 5,
                tip: 1
            )
        }
        let message = ProtoMessage.OneOf_Content.entries(.with { $0.entries = lies.map { .init($0.bytes) } })
        world.tell(0, .received(peer, .control, message.bytes))
        world.nodes[1].write([20])
        world.settle()
        let key = JournalKey(device: world.nodes[1].device, journal: .content)
        #expect(world.nodes[0].store.tips(of: key) == world.nodes[1].store.tips(of: key))
        #expect(world.nodes[0].closed.isEmpty)
        #expect(world.nodes[0].notes.contains { $0.1 == .gaveUp(lies[0].journalKey) })
    }

    @Test func `what is pushed faster than it can be proved is left to be pulled`() {
        var (world, peer) = pair()
        var author = TestAuthor(1)
        let chain = world.nodes[1].store.branches[JournalKey(device: author.device, journal: .content)]?.first ?? []
        author.diverge()
        let deltas = author.write([Int](repeating: 1000, count: 2000), behind: chain, in: .content)
        var merges = 0
        for delta in deltas {
            let actions = world.nodes[0].engine.receive(
                .received(peer, .deltas, ProtoMessage.OneOf_Content.run(.init(Run([delta]).encoded())).bytes),
                at: world.now
            )
            for action in actions {
                if case .merge = action { merges += 1 }
            }
        }
        #expect(merges < 600, "\(merges)")
    }
}

extension FrontierEntry {
    var journalKey: JournalKey { JournalKey(device: device, journal: journal) }
}
