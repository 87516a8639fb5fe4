// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf

@testable import MingleCrypto
@testable import MingleModel
@testable import MingleSync
@testable import MingleWire

/// Carries out what a sync engine asks, as a node with little of everything would, and checks what it asks.
struct Shell {
    /// Blobs of three chunks that are wanted.
    static let blobs = (1...2).map { BlobName(Blake2b.hash(.blob, [$0])) }
    /// A payload of four bytes that is wanted.
    static let want = Reference(device: 1, journal: .content, sequence: 2, hash: 3)
    /// What one message may make the engine do and say.
    private static let (actionLimit, byteLimit) = (5_000, 4 << 20)

    private static let request = DeviceRequest(
        person: PersonID(.zero),
        signingKey: .zero,
        agreementKey: .zero,
        proof: .zero
    )

    // Keys take longer to make than all else.
    private static let devices = (0..<10).map { TestAuthor($0).device }

    private let own = devices[9]
    private var engine: SyncEngine
    private var now = Duration.seconds(1)
    private var closed: Set<PeerID> = []
    // What was given to send and has not drained.
    private var unsent: Set<Stream> = []
    // Who is asked for a certificate.
    private var asked: Set<PeerID> = []

    private struct Stream: Hashable {
        let peer: PeerID
        let lane: Lane
    }

    init() {
        let entries = (0..<3).map { number in
            FrontierEntry(device: Self.devices[number], journal: .fabric, sequence: 2, tip: 5)
        }
        engine = SyncEngine(event: TestAuthor.event, device: own, frontier: Frontier(entries))
        feed(.addresses(["10.0.0.1:4781"]))
        feed(.payloadsWanted([PayloadWant(reference: Self.want, length: 4)]))
        feed(
            .blobsWanted(
                zip(Self.blobs, [Lane.thumbnails, .originals]).map { name, lane in
                    BlobWant(name: name, size: 20, chunkLength: 8, root: nil, lane: lane)
                }
            )
        )
    }

    /// Opens a session in which the peer has said nothing yet, and this node has greeted or asked to be linked.
    mutating func open(_ id: PeerID, asksToBeLinked: Bool) {
        closed.remove(id)
        if asksToBeLinked { asked.insert(id) } else { asked.remove(id) }
        let hash = Blake2b.hash(.session, [UInt8(id.number)])
        feed(.opened(id, Session(handshakeHash: hash, isInitiator: id.number % 2 == 0)))
    }

    /// Opens a session that both sides have welcomed.
    mutating func admit(_ id: PeerID) {
        open(id, asksToBeLinked: false)
        var (hello, welcome) = (ProtoMessage(), ProtoMessage())
        hello.hello.version = SyncLimits.version
        hello.hello.device = .init(Self.devices[Int(id.number)].bytes)
        welcome.welcome = ProtoWelcome()
        for message in [hello, welcome] {
            if let bytes: [UInt8] = try? message.serializedBytes() { feed(.received(id, .control, bytes)) }
        }
    }

    /// Ends a session and opens another, as a peer does that dials again.
    mutating func reopen(_ id: PeerID) {
        feed(.closed(id))
        admit(id)
    }

    /// Lets time go by.
    mutating func pass(_ time: Duration) {
        now += time
        feed(.tick)
        let waiting = unsent
        unsent = []
        for number in UInt64(1)...3 {
            for lane in Lane.allCases where waiting.contains(Stream(peer: PeerID(number), lane: lane)) {
                feed(.drained(PeerID(number), lane))
            }
        }
    }

    /// Hands an input to the engine, and then the answers to all that it asks.
    mutating func feed(_ input: SyncInput) {
        var inputs = [input]
        var (next, actionCount, byteCount) = (0, 0, 0)
        while next < inputs.count {
            let actions = engine.receive(inputs[next], at: now)
            next += 1
            actionCount += actions.count
            for action in actions {
                if case .send(let id, let lane, let bytes) = action {
                    unsent.insert(Stream(peer: id, lane: lane))
                    require(!closed.contains(id), "nothing is said after the goodbye")
                    byteCount += bytes.count
                } else if case .close(let id, let goodbye) = action {
                    require(closed.insert(id).inserted && goodbye.reason.count <= 200, "a session ends once")
                } else {
                    inputs += answer(action)
                }
            }
            require(actionCount <= Self.actionLimit, "one input makes little work")
            require(byteCount <= Self.byteLimit, "one input makes few bytes")
        }
    }

    private func answer(_ action: SyncAction) -> [SyncInput] {
        switch action {
        case .makeHello(let id, _) where asked.contains(id): [.deviceRequest(id, Self.request)]
        case .makeHello(let id, _): [.hello(id, Hello(device: own, certificates: [], signature: []))]
        case .certify(let id, let request, _): [.deviceVerdict(id, request.verdict(by: own))]
        case .takeCertificate(let id, _): [.deviceVerdict(id, .nothing)]
        case .authenticate(let id, _, _): [.verdict(id, .admitted)]
        case .findMissing(let key, let points): [.missing(key, points.filter { $0.hash % 2 == 1 })]
        case .loadLocator(let key): [.locator(key, [JournalPoint(sequence: 1, hash: 1)])]
        case .loadRuns(let id, let requests): [.runs(id, requests.map { RunsAnswer(key: $0.key, runs: []) })]
        case .merge(let id, let run): merged(run, from: id)
        case .loadPayloads(let id, let references):
            [.payloads(id, references.map { PayloadAnswer(reference: $0, content: content($0)) })]
        case .mergePayloads(let id, let payloads):
            [.payloadsMerged(id, stored: payloads.map(\.reference), refused: [])]
        case .findBlobs: [.blobsFound([], next: nil)]
        case .loadBlobStates(let id, let names):
            [.blobStates(id, names.prefix(1).map(status))]
        case .loadChunk(let id, let name, let index):
            [.chunk(id, name, index: index, index % 2 == 0 ? ChunkData(proof: [.zero], bytes: [1]) : nil)]
        case .storeChunk(let id, let chunk): stored(chunk, from: id)
        case .send, .close, .note, .noteHolding, .learn: []
        }
    }

    private func status(_ name: BlobName) -> BlobStatus {
        BlobStatus(name: name, size: 9, root: .zero, person: PersonID(.zero))
    }

    private func content(_ reference: Reference) -> PayloadAnswer.Content {
        switch reference.hash % 3 {
        case 0: .absent
        case 1: .erased
        default: .payload([1, 2])
        }
    }

    private func merged(_ run: Run, from id: PeerID) -> [SyncInput] {
        let missing = run.deltas.filter { $0.payload == nil }.map {
            PayloadWant(reference: $0.reference, length: Int($0.header.payloadLength))
        }
        return switch run.last.hash.raw.prefix % 8 {
        case 0: [.merged(id, MergeAnswer(.gap))]
        case 1: [.merged(id, MergeAnswer(.unknownDevice))]
        case 2: [.merged(id, MergeAnswer(.tooManyBranches))]
        case 3: [.merged(id, MergeAnswer(.forged))]
        default:
            [
                .committed(Commit(journals: [JournalTips(key: run.key, tips: [run.tip])])),
                .merged(id, MergeAnswer(.merged, missing: missing)),
            ]
        }
    }

    private func stored(_ chunk: ReceivedChunk, from id: PeerID) -> [SyncInput] {
        require(Self.blobs.contains(chunk.name) && chunk.index < 3, "only what is wanted is stored")
        require(chunk.data.bytes.count == (chunk.index < 2 ? 8 : 4), "a chunk has its length")
        let outcome: ChunkOutcome = chunk.data.bytes[0] % 4 == 0 ? .rejected : .stored
        return [.chunkStored(id, chunk.name, index: chunk.index, outcome)]
    }
}

extension DeviceRequest {
    /// Any verdict, by what was asked.
    fileprivate func verdict(by device: DeviceName) -> DeviceVerdict {
        switch proof.prefix % 4 {
        case 0: .nothing
        case 1: .refused("no")
        case 2: .postponed("later")
        default: .certified(DeviceCertified(signature: [1], device: device))
        }
    }
}
