// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What one peer may ask for, offer or leave undone before it is dropped or passed over.
struct LimitTests {
    private static func reference(_ number: UInt64) -> Reference {
        Reference(device: number, journal: .content, sequence: 1, hash: number)
    }

    private static func wish(_ numbers: UInt64...) -> ProtoMessage.OneOf_Content {
        .wantPayloads(.with { $0.references = numbers.map { Data(reference($0).bytes) } })
    }

    /// Says that payloads have come that were absent.
    private static func came(_ numbers: UInt64...) -> ProtoMessage.OneOf_Content {
        .payloads(
            .with {
                $0.answers = numbers.map { number in
                    .with { ($0.reference, $0.came) = (Data(reference(number).bytes), true) }
                }
            }
        )
    }

    private static func offer(_ device: Int, _ sequences: UInt32...) -> ProtoMessage.OneOf_Content {
        .entries(
            .with {
                $0.entries = sequences.map { sequence in
                    let device = TestAuthor(device).device
                    return Data(FrontierEntry(device: device, journal: .fabric, sequence: sequence, tip: 1).bytes)
                }
            }
        )
    }

    private static func end(_ device: Int, needsOlder: Bool = false) -> ProtoMessage.OneOf_Content {
        .runsEnd(
            .with {
                $0.device = Data(TestAuthor(device).device.bytes)
                $0.needsOlder = needsOlder
            }
        )
    }

    // MARK: - Asking

    /// A kind of request, how many may be made, and how many of these the shell gets at once.
    struct Flood: Sendable, CustomTestStringConvertible {
        let request: ProtoMessage.OneOf_Content
        let reason: String
        let taken: Int
        let loads: Int

        var testDescription: String { reason }
    }

    static let floods = [
        Flood(request: wish(1), reason: "asks for too many payloads at once", taken: 3, loads: 1),
        Flood(
            request: .wantRuns(.with { $0.device = Data(TestAuthor(5).device.bytes) }),
            reason: "asks for too many journals at once",
            taken: 3,
            loads: 1
        ),
        Flood(
            request: .wantBlobs(.with { $0.names = [Data(count: 32)] }),
            reason: "asks about too many blobs at once",
            taken: 3,
            loads: 1
        ),
        Flood(
            request: .wantChunks(
                .with {
                    $0.name = Data(count: 32)
                    $0.indexes = [1, 2, 3]
                    $0.lane = 2
                }
            ),
            reason: "asks for too many chunks at once",
            taken: 2,
            loads: 2
        ),
    ]

    @Test(arguments: floods)
    func `a peer may have so many requests waiting, and little of it is loaded at a time`(flood: Flood) {
        var engine = LoneEngine { limits in
            (limits.waitingRequests, limits.waitingQuestions, limits.waitingChunks) = (2, 2, 6)
        }
        let peer = engine.admit(1)
        let actions = (0..<flood.taken).flatMap { _ in engine.hear(flood.request, from: peer) }
        #expect(actions.count == flood.loads && actions.allSatisfy(\.isLoad))
        #expect(engine.hear(flood.request, from: peer).goodbyes == [Goodbye(flood.reason)])
    }

    @Test func `who does not read is served no more until it has`() {
        var engine = LoneEngine { $0.laneMessages = 1 }
        let peer = engine.admit(1)
        #expect(engine.hear(Self.wish(1), from: peer).contains { $0.isLoad })
        #expect(engine.hear(Self.wish(2), from: peer).isEmpty)
        let answer = PayloadAnswer(reference: Self.reference(1), content: .payload([1]))
        #expect(engine.tell(.payloads(peer, [answer])).count == 1)
        #expect(engine.tell(.drained(peer, .control)).isEmpty)
        #expect(engine.tell(.drained(peer, .deltas)).contains { $0.isLoad })
    }

    @Test func `a peer hears later of what was absent, of so much at least`() {
        var engine = LoneEngine { $0.owedPayloads = 2 }
        let peer = engine.admit(1)
        engine.hear(Self.wish(1, 2, 3), from: peer)
        let absent = (1...3).map { PayloadAnswer(reference: Self.reference($0), content: .absent) }
        engine.tell(.payloads(peer, absent))
        let settled = engine.tell(.payloadsSettled((1...3).map(Self.reference)))
        #expect(settled.messages(to: peer) == [Self.came(1, 2)])
        #expect(engine.tell(.payloadsSettled((1...3).map(Self.reference))).isEmpty)
    }

    @Test func `what a peer is told of is none of its requests, and waits until it reads`() {
        var engine = LoneEngine { ($0.waitingRequests, $0.laneMessages) = (4, 2) }
        let peer = engine.admit(1)
        engine.hear(Self.wish(1, 2, 3, 4, 5, 6), from: peer)
        engine.tell(
            .payloads(peer, (UInt64(1)...6).map { PayloadAnswer(reference: Self.reference($0), content: .absent) })
        )
        let told = (UInt64(1)...6).flatMap { engine.tell(.payloadsSettled([Self.reference($0)])).messages(to: peer) }
        #expect(told == [Self.came(1)])
        #expect(engine.hear(Self.wish(7), from: peer).isEmpty)
        let drained = engine.tell(.drained(peer, .deltas))
        #expect(
            drained.messages(to: peer) == [Self.came(2, 3, 4, 5, 6)] && drained.loadedPayloads == [[Self.reference(7)]]
        )
        #expect(engine.gauge("payloads owed") == 1)
    }

    @Test func `a peer hears of blobs that it asked for once they are held, and of each once`() {
        var engine = LoneEngine { ($0.interestingBlobs, $0.blobsPerQuestion) = (2, 3) }
        let peer = engine.admit(1)
        let blobs = (0..<3).map { TestBlob($0, size: 10, chunkLength: 10, lane: .thumbnails) }
        engine.hear(.wantBlobs(.with { $0.names = blobs.map { Data($0.name.bytes) } }), from: peer)
        engine.tell(.blobStates(peer, []))
        #expect(engine.tell(.blobsHeld([blobs[2].name])).isEmpty)
        let actions = engine.tell(.blobsHeld(blobs.map(\.name)))
        #expect(actions.loadedStates == [[blobs[0].name, blobs[1].name]])
        let told = engine.tell(.blobStates(peer, blobs.prefix(2).compactMap { $0.status(held: [0]) }))
        guard case .blobStatus(let status)? = told.first?.sent?.content else {
            Issue.record("nothing was told")
            return
        }
        #expect(status.states.map { BlobName(bytes: $0.name) } == blobs.prefix(2).map(\.name))
        #expect(engine.tell(.blobsHeld(blobs.map(\.name))).isEmpty && engine.tell(.tick).loadedStates.isEmpty)
    }

    // MARK: - Offering

    @Test func `of more journals than are kept in mind those are found again that came last`() {
        var engine = LoneEngine { $0.offers = 2 }
        let peer = engine.admit(1, isInitiator: true)
        for device in 5...6 { #expect(engine.hear(Self.offer(device, 1), from: peer).wantedRuns.count == 1) }
        #expect(engine.hear(Self.offer(6, 1), from: peer).isEmpty)
        #expect(engine.hear(Self.offer(7, 1), from: peer).isEmpty && engine.gauge("offers") == 2)
        // Nothing is compared before the others are here.
        for _ in 0..<5 { #expect(engine.wait(.seconds(1)).isEmpty) }
        for device in 5...6 {
            let key = JournalKey(device: TestAuthor(device).device, journal: .fabric)
            let tips = JournalTips(key: key, tips: [JournalPoint(sequence: 1, hash: 1)])
            engine.tell(.committed(Commit(journals: [tips])))
            engine.hear(Self.end(device), from: peer)
        }
        #expect(engine.gauge("offers") == 0)
        let compared = engine.wait(.seconds(1)).compactMap { action -> PeerID? in
            guard case (let peer, .digest)? = action.sent else { return nil }
            return peer
        }
        #expect(compared == [peer])
    }

    @Test func `of one journal four offers of a peer count, however many it makes`() {
        var engine = LoneEngine { $0.offers = 6 }
        let peer = engine.admit(1)
        engine.hear(Self.offer(5, 1, 2, 3, 4, 5, 6, 7, 8, 9), from: peer)
        for device in 6...7 { #expect(engine.hear(Self.offer(device, 1), from: peer).wantedRuns.count == 1) }
        #expect(engine.hear(Self.offer(8, 1), from: peer).isEmpty && engine.gauge("offers") == 6)
    }

    @Test(arguments: [false, true])
    func `who does not deliver what it offers is asked three times and no more, and others are`(needsOlder: Bool) {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let key = JournalKey(device: TestAuthor(5).device, journal: .fabric)
        for _ in 0..<3 {
            #expect(engine.hear(Self.offer(5, 3), from: peer).wantedRuns.map(\.device) == [key.device])
            let actions = engine.hear(Self.end(5, needsOlder: needsOlder), from: peer)
            #expect(actions.notes == [.gaveUp(key)] && actions.wantedRuns.isEmpty)
        }
        #expect(engine.hear(Self.offer(5, 3), from: peer).isEmpty)
        #expect(engine.hear(Self.offer(5, 4), from: peer).isEmpty)
        let other = engine.admit(2)
        #expect(engine.hear(Self.offer(5, 3), from: other).wantedRuns.map(\.peer) == [other])
    }

    @Test func `what is not delivered is forgotten in the end, and not remembered without bound`() {
        var engine = LoneEngine { $0.undelivered = 20 }
        let peer = engine.admit(1)
        for device in 5..<25 {
            engine.hear(Self.offer(device, 1), from: peer)
            engine.hear(Self.end(device), from: peer)
        }
        #expect(engine.gauge("journals not delivered") == 20 && engine.gauge("journals held further") == 0)
        _ = engine.wait(.seconds(299))
        #expect(engine.gauge("journals not delivered") == 20)
        _ = engine.wait(.seconds(1))
        #expect(engine.gauge("journals not delivered") == 0)
        for device in 5..<25 {
            engine.hear(Self.offer(device, 1), from: peer)
            engine.hear(Self.end(device), from: peer)
        }
        engine.hear(Self.offer(25, 1), from: peer)
        #expect(engine.hear(Self.end(25), from: peer).goodbyes == [Goodbye("advertises too many journals")])
    }

    @Test func `who delivers in the end begins with a clean sheet`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        var author = TestAuthor(5)
        let run = Run(author.write([20], behind: [], in: .fabric))
        for _ in 0..<2 {
            engine.hear(Self.offer(5, 3), from: peer)
            engine.hear(Self.end(5), from: peer)
        }
        engine.hear(Self.offer(5, 3), from: peer)
        #expect(engine.hear(.run(Data(run.encoded())), from: peer).merges.count == 1)
        engine.tell(.committed(Commit(journals: [JournalTips(key: run.key, tips: [run.tip])])))
        engine.tell(.merged(peer, MergeAnswer(.merged)))
        // What it said of the third header is still to be delivered.
        #expect(engine.hear(Self.end(5), from: peer).wantedRuns.map(\.peer) == [peer])
        #expect(engine.hear(Self.end(5), from: peer).notes == [.gaveUp(run.key)])
        #expect(engine.hear(Self.offer(5, 3), from: peer).wantedRuns.map(\.peer) == [peer])
    }

    @Test func `a peer that is asked for a journal sends that and not everything it has`() {
        var engine = LoneEngine { $0.runBytes = 1000 }
        let peer = engine.admit(1)
        var author = TestAuthor(5)
        let run = Data(Run(author.write([20], behind: [], in: .fabric)).encoded())
        engine.hear(Self.offer(5, 1), from: peer)
        var merged = 0
        var goodbyes: [Goodbye] = []
        while goodbyes.isEmpty, merged < 100 {
            let actions = engine.hear(.run(run), from: peer)
            merged += actions.merges.count
            goodbyes = actions.goodbyes
        }
        #expect(goodbyes == [Goodbye("sends more runs than were asked for")])
        // 2200 bytes were asked for, and one run may be begun beyond.
        #expect((2200...4400).contains(merged * run.count))
    }

    @Test func `what comes faster than it is proved is left out, and asked for again once it is`() {
        var engine = LoneEngine { ($0.unprovedBytes, $0.runBytes) = (1000, 400) }
        let peer = engine.admit(1)
        var author = TestAuthor(5)
        let deltas = author.write([Int](repeating: 20, count: 6), behind: [], in: .fabric)
        engine.hear(Self.offer(5, 6), from: peer)
        let merges = deltas.flatMap { engine.hear(.run(Data(Run([$0]).encoded())), from: peer).merges }
        #expect((2..<6).contains(merges.count))
        #expect(engine.hear(Self.end(5), from: peer).isEmpty)
        for _ in merges.dropLast() { #expect(engine.tell(.merged(peer, MergeAnswer(.tooManyBranches))).isEmpty) }
        let last = engine.tell(.merged(peer, MergeAnswer(.tooManyBranches)))
        #expect(last.notes.isEmpty && last.wantedRuns.map(\.peer) == [peer])
    }

    // MARK: - Slowness

    @Test func `a peer of many small messages is told no more until they have left`() {
        var engine = LoneEngine { $0.laneMessages = 10 }
        let peer = engine.admit(1)
        engine.tell(.drained(peer, .control))
        func grow(_ sequence: UInt32) -> [SyncAction] {
            let key = JournalKey(device: TestAuthor(5).device, journal: .content)
            let tips = [JournalPoint(sequence: sequence, hash: 1)]
            engine.tell(.committed(Commit(journals: [JournalTips(key: key, tips: tips)])))
            return engine.wait(.seconds(1))
        }
        for sequence in 1...10 { #expect(grow(UInt32(sequence)).count == 1) }
        #expect(grow(11).isEmpty && grow(12).isEmpty)
        let actions = engine.tell(.drained(peer, .control))
        guard case .digest? = actions.first?.sent?.content else {
            Issue.record("frontiers are not compared anew")
            return
        }
        #expect(grow(13).count == 1)
    }

    @Test func `an engine never hands out as much as a lane holds before that tells of its room`() {
        let (limits, channel) = (SyncLimits(), ChannelLimits())
        #expect(limits.laneMessages > ChannelLimits.noticeMessages)
        #expect(min(limits.laneBytes, limits.controlBytes) > ChannelLimits.noticeLength)
        for lane in Lane.allCases { #expect(channel.queuedMessages[lane] > limits.laneMessages) }
    }
}

extension SyncAction {
    /// Whether it has the shell look something up for a peer.
    var isLoad: Bool {
        switch self {
        case .loadRuns, .loadPayloads, .loadBlobStates, .loadChunk: true
        default: false
        }
    }
}

extension [SyncAction] {
    var notes: [PeerState] { compactMap { action in if case .note(_, let state) = action { state } else { nil } } }

    var merges: [Run] { compactMap { action in if case .merge(_, let run) = action { run } else { nil } } }

    var loadedPayloads: [[Reference]] {
        compactMap { action in if case .loadPayloads(_, let references) = action { references } else { nil } }
    }

    var loadedStates: [[BlobName]] {
        compactMap { action in if case .loadBlobStates(_, let names) = action { names } else { nil } }
    }
}
