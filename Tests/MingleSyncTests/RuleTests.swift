// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// A message that a peer may not send, and what it is told.
struct Breach: Sendable, CustomTestStringConvertible {
    let what: String
    let reason: String
    let bytes: [UInt8]

    init(_ what: String, _ reason: String, _ content: ProtoMessage.OneOf_Content) {
        self.init(what, reason, bytes: content.bytes)
    }

    init(_ what: String, _ reason: String, bytes: [UInt8]) {
        (self.what, self.reason, self.bytes) = (what, reason, bytes)
    }

    var testDescription: String { what }
}

/// What becomes of a peer that sends something: for what it is dropped, what it is told, and whether it is heard again.
private struct Outcome: Equatable {
    var goodbyes: [Goodbye]
    var told: [String]
    var isHeardAgain: Bool

    static func dropped(_ reason: String) -> Outcome {
        Outcome(goodbyes: [Goodbye(reason)], told: [reason], isHeardAgain: false)
    }
}

extension LoneEngine {
    /// Lets a peer commit a breach, twice.
    fileprivate mutating func outcome(of breach: Breach, by peer: PeerID) -> Outcome {
        let actions = tell(.received(peer, .control, breach.bytes))
        let told = actions.compactMap { action -> String? in
            if case .goodbye(let goodbye)? = action.sent?.content { goodbye.reason } else { nil }
        }
        let isHeardAgain = !tell(.received(peer, .control, breach.bytes)).isEmpty
        return Outcome(goodbyes: actions.goodbyes, told: told, isHeardAgain: isHeardAgain)
    }
}

struct RuleTests {
    private static let device = Data(TestAuthor(5).device.bytes)
    private static let blob = TestBlob(1, size: 3000, chunkLength: 1000, lane: .previews)
    private static let run: Data = {
        var author = TestAuthor(5)
        return Data(Run(author.write([20], behind: [], in: .content)).encoded())
    }()

    private static func entry(_ journal: Journal) -> Data {
        Data(FrontierEntry(device: TestAuthor(5).device, journal: journal, sequence: 3, tip: 4).bytes)
    }

    private static func reference(_ journal: Journal) -> Data {
        Data(Reference(device: 1, journal: journal, sequence: 3, hash: 4).bytes)
    }

    private static func bytes(_ count: Int) -> Data { Data(repeating: 7, count: count) }

    private static func wantRuns(_ change: (inout ProtoWantRuns) -> Void) -> ProtoMessage.OneOf_Content {
        var message = ProtoWantRuns.with {
            $0.device = device
            $0.bytes = 1000
        }
        change(&message)
        return .wantRuns(message)
    }

    private static func chunk(_ change: (inout ProtoChunk) -> Void) -> ProtoMessage.OneOf_Content {
        var message = ProtoChunk.with {
            $0.name = Data(blob.name.bytes)
            $0.data = bytes(1000)
        }
        change(&message)
        return .chunk(message)
    }

    private static func answer(_ change: (inout ProtoPayloadAnswer) -> Void) -> ProtoMessage.OneOf_Content {
        .payloads(.with { $0.answers = [.with { change(&$0) }] })
    }

    private static func status(_ change: (inout ProtoBlobState) -> Void) -> ProtoMessage.OneOf_Content {
        var state = ProtoBlobState.with {
            $0.name = Data(blob.name.bytes)
            $0.size = 3000
            $0.root = Data(blob.root.bytes)
            $0.person = bytes(32)
        }
        change(&state)
        return .blobStatus(.with { $0.states = [state] })
    }

    /// What nobody may send who was let in.
    static let breaches: [Breach] = [
        Breach("bytes that are no message", "malformed message", bytes: [0xff]),
        Breach("a second greeting", "greeted twice", .hello(ProtoHello())),
        Breach("a second welcome", "welcomed twice", .welcome(ProtoWelcome())),
        Breach("a digest of 31 bytes", "malformed digest", .digest(.with { $0.whole = bytes(31) })),
        Breach(
            "a digest with three buckets",
            "malformed digest",
            .digest(
                .with {
                    $0.whole = bytes(32)
                    $0.buckets = [1, 2, 3]
                }
            )
        ),
        Breach(
            "an entry that is cut",
            "malformed entries",
            .entries(.with { $0.entries = [entry(.fabric).dropLast()] })
        ),
        Breach(
            "1025 entries",
            "too many entries",
            .entries(.with { $0.entries = [Data](repeating: entry(.fabric), count: 1025) })
        ),
        Breach(
            "a bundle in a bundle",
            "a bundle in a bundle",
            .bundle(.with { $0.messages = [Data(ProtoMessage.OneOf_Content.bundle(ProtoBundle()).bytes)] })
        ),
        Breach(
            "257 messages in a bundle",
            "too much in a bundle",
            .bundle(.with { $0.messages = [Data](repeating: Data(), count: 257) })
        ),
        Breach(
            "65 KiB in a bundle",
            "too much in a bundle",
            .bundle(.with { $0.messages = [Data](repeating: Data(count: 1 << 10), count: 65) })
        ),
        Breach(
            "a bundle of what is no message",
            "malformed message",
            .bundle(.with { $0.messages = [Data([255])] })
        ),
        Breach("a request for a third journal", "malformed request for runs", wantRuns { $0.journal = 2 }),
        Breach("a request of a journal above 255", "malformed request for runs", wantRuns { $0.journal = 256 }),
        Breach("a request of no device", "malformed request for runs", wantRuns { $0.device = bytes(31) }),
        Breach("a point of 11 bytes", "malformed request for runs", wantRuns { $0.held = [bytes(11)] }),
        Breach(
            "a point before the first header",
            "malformed request for runs",
            wantRuns { $0.held = [Data(count: 12)] }
        ),
        Breach(
            "65 points",
            "malformed request for runs",
            wantRuns { $0.held = [Data](repeating: bytes(12), count: 65) }
        ),
        Breach("bytes that are no run", "malformed run", .run(bytes(300))),
        Breach("an end of no journal's runs", "malformed end of runs", .runsEnd(.with { $0.device = bytes(3) })),
        Breach(
            "a wish for no payload",
            "malformed request for payloads",
            .wantPayloads(.with { $0.references = [bytes(20)] })
        ),
        Breach(
            "a wish for 65 payloads",
            "malformed request for payloads",
            .wantPayloads(.with { $0.references = [Data](repeating: reference(.content), count: 65) })
        ),
        Breach("an answer about no payload", "malformed payloads", answer { $0.reference = bytes(20) }),
        Breach(
            "a payload above 64 KiB",
            "malformed payloads",
            answer {
                $0.reference = reference(.content)
                $0.payload = bytes(65_537)
            }
        ),
        Breach(
            "a question about no blob",
            "malformed question about blobs",
            .wantBlobs(.with { $0.names = [bytes(31)] })
        ),
        Breach(
            "a question about 257 blobs",
            "malformed question about blobs",
            .wantBlobs(.with { $0.names = [Data](repeating: bytes(32), count: 257) })
        ),
        Breach(
            "257 states of blobs",
            "too many blobs",
            .blobStatus(.with { $0.states = [ProtoBlobState](repeating: ProtoBlobState(), count: 257) })
        ),
        Breach("the state of no blob", "malformed blob", status { $0.name = bytes(31) }),
        Breach("a root of 31 bytes", "malformed blob", status { $0.root = bytes(31) }),
        Breach("an owner of 33 bytes", "malformed blob", status { $0.person = bytes(33) }),
        Breach(
            "a request for chunks of no blob",
            "malformed request for chunks",
            .wantChunks(
                .with {
                    $0.name = bytes(31)
                    $0.lane = 3
                }
            )
        ),
        Breach("a chunk of no blob", "malformed chunk", chunk { $0.name = bytes(31) }),
        Breach("a proof of 33 hashes", "malformed chunk", chunk { $0.proof = [Data](repeating: bytes(32), count: 33) }),
        Breach("a chunk that is too short", "malformed chunk", chunk { $0.data = bytes(999) }),
        Breach("a proof of 31 bytes", "malformed chunk", chunk { $0.proof = [bytes(31)] }),
        Breach("an address without letters", "too many addresses", .peers(.with { $0.addresses = [""] })),
        Breach(
            "an address of 257 letters",
            "too many addresses",
            .peers(.with { $0.addresses = [String(repeating: "a", count: 257)] })
        ),
        Breach(
            "33 addresses",
            "too many addresses",
            .peers(.with { $0.addresses = [String](repeating: "a", count: 33) })
        ),
    ]

    @Test(arguments: breaches)
    func `who breaks a rule is told which, and dropped`(breach: Breach) {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        // It is asked for all chunks of a blob, so that what it says of that one is looked at.
        engine.tell(.blobsWanted([Self.blob.want()]))
        let asked = engine.hear(Self.status { _ in }, from: peer).wantedChunks
        #expect(asked.map(\.indexes) == [[0, 1, 2]])
        #expect(engine.outcome(of: breach, by: peer) == .dropped(breach.reason))
    }

    @Test(arguments: [0, 1, 5, 256, UInt32.max])
    func `chunks are asked for on the lanes of blobs only`(lane: UInt32) {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        let request = ProtoMessage.OneOf_Content.wantChunks(
            .with {
                $0.name = Self.bytes(32)
                $0.lane = lane
            }
        )
        let breach = Breach("lane \(lane)", "malformed request for chunks", request)
        #expect(engine.outcome(of: breach, by: peer) == .dropped("malformed request for chunks"))
    }

    /// What a newcomer may not send, or somebody who let this node in as one.
    static let newcomers: [Breach] = [
        Breach(
            "a question about blobs",
            "sent a message about more than fabric journals",
            .wantBlobs(ProtoWantBlobs())
        ),
        Breach("states of blobs", "sent a message about more than fabric journals", .blobStatus(ProtoBlobStatus())),
        Breach(
            "a request for chunks",
            "sent a message about more than fabric journals",
            .wantChunks(ProtoWantChunks())
        ),
        Breach("a chunk", "sent a message about more than fabric journals", .chunk(ProtoChunk())),
        Breach("addresses", "sent a message about more than fabric journals", .peers(ProtoPeers())),
        Breach("an entry of content", "malformed entries", .entries(.with { $0.entries = [entry(.content)] })),
        Breach("a request for content", "malformed request for runs", wantRuns { $0.journal = 1 }),
        Breach("a run of content", "sent more than fabric journals", .run(run)),
        Breach(
            "a wish for content's payloads",
            "malformed request for payloads",
            .wantPayloads(.with { $0.references = [reference(.content)] })
        ),
    ]

    @Test(arguments: newcomers)
    func `a newcomer that speaks of more than the fabric is dropped`(breach: Breach) {
        var engine = LoneEngine()
        let peer = engine.admit(1, .fabricOnly)
        #expect(engine.outcome(of: breach, by: peer) == .dropped(breach.reason))
    }

    @Test(arguments: newcomers)
    func `a member may say what a newcomer may not`(breach: Breach) {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        // What is empty may still be wrong for a member, too.
        let isWrong = ["a request for chunks", "a chunk"].contains(breach.what)
        #expect(engine.tell(.received(peer, .control, breach.bytes)).goodbyes.isEmpty != isWrong)
    }

    static let strangers: [Breach] = [
        Breach("a welcome", "did not greet first", .welcome(ProtoWelcome())),
        Breach("addresses", "sent a message before it was welcomed", .peers(ProtoPeers())),
        Breach("a digest", "sent a message before it was welcomed", .digest(ProtoDigest())),
        Breach("another version", "speaks version 2, this node 1", .hello(.with { $0.version = 2 })),
        Breach("a greeting of no device", "malformed greeting", hello { $0.device = bytes(31) }),
        Breach(
            "a greeting with 17 runs",
            "malformed greeting",
            hello { $0.certificates = [Data](repeating: run, count: 17) }
        ),
        Breach("a greeting with half an invitation", "malformed greeting", hello { $0.invitation = bytes(16) }),
    ]

    private static func hello(_ change: (inout ProtoHello) -> Void) -> ProtoMessage.OneOf_Content {
        var message = ProtoHello.with {
            $0.version = SyncLimits.version
            $0.device = device
        }
        change(&message)
        return .hello(message)
    }

    @Test(arguments: strangers)
    func `who has not greeted may do nothing else`(breach: Breach) {
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        #expect(engine.outcome(of: breach, by: PeerID(1)) == .dropped(breach.reason))
    }

    @Test func `a greeting comes to the shell as it was sent`() {
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        let actions = engine.hear(
            Self.hello {
                $0.certificates = [Self.run]
                $0.signature = Self.bytes(64)
                $0.invitation = Self.bytes(32)
                $0.invitationProof = Self.bytes(63)
            },
            from: PeerID(1)
        )
        let heard = actions.compactMap { action in
            if case .authenticate(_, let hello, _) = action { hello } else { nil }
        }
        let expected = Hello(
            device: TestAuthor(5).device,
            certificates: [[UInt8](Self.run)],
            signature: [UInt8](repeating: 7, count: 64),
            invitation: InvitationID(bytes: Self.bytes(32)),
            invitationProof: [UInt8](repeating: 7, count: 63)
        )
        #expect(heard == [expected])
    }

    @Test func `a message of a later version is passed over, though not without end`() {
        var engine = LoneEngine { ($0.messageBurst, $0.messagesPerSecond) = (10, 1) }
        let peer = engine.admit(1)
        for _ in 0..<8 { #expect(engine.tell(.received(peer, .control, [])).isEmpty) }
        // What it may say comes back with time.
        engine.now += .seconds(5)
        for _ in 0..<5 { #expect(engine.tell(.received(peer, .control, [])).isEmpty) }
        let more = (0..<3).flatMap { _ in engine.tell(.received(peer, .control, [])).goodbyes }
        #expect(more == [Goodbye("sends too many messages")])
    }

    /// What nobody asked for, or asks for nothing, and how many of it one who may say ten things at once may say.
    private static let idleTalk: [(content: ProtoMessage.OneOf_Content, count: Int)] = [
        (.runsEnd(.with { $0.device = bytes(32) }), 9),
        (.payloads(ProtoPayloads()), 9),
        (.bundle(ProtoBundle()), 9),
        (.bundle(.with { $0.messages = [Data](repeating: Data(), count: 4) }), 2),
        (.payloads(.with { $0.answers = (0..<32).map { _ in .with { $0.reference = reference(.fabric) } } }), 3),
        (
            .wantChunks(
                .with {
                    $0.name = bytes(32)
                    $0.lane = 2
                }
            ), 9
        ),
        (.peers(.with { $0.addresses = (0..<32).map { "10.0.0.\($0):4781" } }), 3),
    ]

    @Test(arguments: idleTalk.indices)
    func `what is of no use may be said so often`(_ place: Int) {
        var engine = LoneEngine { ($0.messageBurst, $0.messagesPerSecond) = (10, 1) }
        let peer = engine.admit(1)
        let (content, count) = Self.idleTalk[place]
        for _ in 0..<count { #expect(engine.hear(content, from: peer).goodbyes.isEmpty) }
        #expect(engine.hear(content, from: peer).goodbyes == [Goodbye("sends too many messages")])
    }
}
