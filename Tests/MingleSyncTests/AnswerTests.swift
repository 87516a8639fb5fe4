// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What the engine makes of the shell's answers, early and late.
struct AnswerTests {
    private static let peer = PeerID(1)
    private static let key = JournalKey(device: TestAuthor(5).device, journal: .fabric)
    private static let name = TestBlob(1, size: 10, chunkLength: 10, lane: .previews).name
    private static let reference = Reference(device: 1, journal: .content, sequence: 1, hash: 1)

    /// One answer of each kind that is about a peer.
    static let answers: [SyncInput] = [
        .opened(peer, Session(handshakeHash: .zero, isInitiator: true)),
        .hello(peer, Hello(device: TestAuthor(0).device, certificates: [], signature: [])),
        .verdict(peer, .refused("x")),
        .runs(peer, [RunsAnswer(key: key, runs: [])]),
        .merged(peer, MergeAnswer(.forged)),
        .payloads(peer, [PayloadAnswer(reference: reference, content: .absent)]),
        .payloadsMerged(peer, stored: [], refused: [reference]),
        .payloadsNotMerged(peer, [reference]),
        .blobStates(peer, []),
        .chunk(peer, name, index: 0, nil),
        .chunkStored(peer, name, index: 0, .rejected),
        .drained(peer, .control),
        .closed(peer),
        .received(peer, .control, []),
    ]

    @Test(arguments: answers.indices.dropFirst())
    func `what is answered about a peer that is gone changes nothing`(number: Int) {
        var engine = LoneEngine()
        engine.admit(1)
        engine.tell(.closed(Self.peer))
        #expect(engine.tell(Self.answers[number]).isEmpty)
        // And nobody else is the worse for it.
        #expect(engine.wait(.seconds(1)).isEmpty)
    }

    @Test func `a link is opened once`() {
        var engine = LoneEngine()
        engine.admit(1)
        #expect(engine.tell(Self.answers[0]).isEmpty)
    }

    @Test func `an answer about a journal that nobody offers is passed over`() {
        var engine = LoneEngine()
        engine.admit(1)
        let points = [JournalPoint(sequence: 1, hash: 1)]
        #expect(engine.tell(.missing(Self.key, points)).isEmpty)
        #expect(engine.tell(.locator(Self.key, points)).isEmpty)
    }

    // MARK: - Journals that part

    /// A frontier that holds a fork: two headers at the same place.
    private static let fork = Frontier(
        [7, 9].map { FrontierEntry(device: key.device, journal: key.journal, sequence: 4, tip: $0) }
    )

    @Test func `both tips of a fork are known from the start`() {
        var engine = LoneEngine(frontier: Self.fork)
        let peer = engine.admit(1)
        for tip: UInt64 in [7, 9] { #expect(engine.hear(Self.offer(4, tip), from: peer).isEmpty) }
        // A third one at that place may be held further down, which the replica knows.
        let asked = engine.hear(Self.offer(4, 8), from: peer).compactMap { action in
            if case .findMissing(Self.key, let points) = action { points } else { nil }
        }
        #expect(asked == [[JournalPoint(sequence: 4, hash: 8)]])
    }

    private static func offer(_ sequence: UInt32, _ tip: UInt64) -> ProtoMessage.OneOf_Content {
        let entry = FrontierEntry(device: key.device, journal: key.journal, sequence: sequence, tip: tip)
        return .entries(.with { $0.entries = [Data(entry.bytes)] })
    }

    @Test func `runs that do not fit are asked for again with older headers, and after that no more`() {
        var author = TestAuthor(5)
        let deltas = author.write([10, 10, 10], behind: [], in: .fabric)
        let held = FrontierEntry(device: Self.key.device, journal: .fabric, sequence: 1, tip: 77)
        var engine = LoneEngine(frontier: Frontier([held]))
        let peer = engine.admit(1)
        let tip = deltas[2].hash.raw.prefix
        #expect(
            engine.hear(Self.offer(3, tip), from: peer).wantedHeaders == [[held.bytes.suffix(12)].map { Array($0) }]
        )
        let run = Data(Run(Array(deltas[1...])).encoded())
        for isLast in [false, true] {
            #expect(engine.hear(.run(run), from: peer).merges.count == 1)
            #expect(engine.tell(.merged(peer, MergeAnswer(.gap))).isEmpty)
            let actions = engine.hear(.runsEnd(.with { $0.device = Data(Self.key.device.bytes) }), from: peer)
            if isLast {
                #expect(actions.notes == [.gaveUp(Self.key)] && actions.wantedRuns.isEmpty)
                return
            }
            guard case .loadLocator(Self.key)? = actions.first else {
                Issue.record("no older headers are loaded")
                return
            }
            let points = [JournalPoint(sequence: 1, hash: 77)]
            #expect(engine.tell(.locator(Self.key, points)).wantedHeaders.map(\.count) == [1])
        }
    }

    @Test func `a run that is pushed and held is not merged again`() {
        var author = TestAuthor(5)
        let run = Run(author.write([10], behind: [], in: .fabric))
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.hear(.run(Data(run.encoded())), from: peer).merges.count == 1)
        engine.tell(.committed(Commit(journals: [JournalTips(key: run.key, tips: [run.tip])])))
        engine.tell(.merged(peer, MergeAnswer(.merged)))
        #expect(engine.hear(.run(Data(run.encoded())), from: peer).merges.isEmpty)
    }
}

extension [SyncAction] {
    /// The headers that requests for runs name.
    var wantedHeaders: [[[UInt8]]] {
        compactMap { action in
            guard case .wantRuns(let message)? = action.sent?.content else { return nil }
            return message.held.map { [UInt8]($0) }
        }
    }
}
