// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf

/// One engine among peers that are made up: what they say, and what its shell answers, is the test's.
struct LoneEngine {
    /// The name under which the engine runs.
    static let device = TestAuthor(0).device

    private(set) var engine: SyncEngine
    private let frontier: Frontier
    /// The time of whatever comes next.
    var now = Duration.zero

    init(
        frontier: Frontier = Frontier([]),
        lastWrites: [JournalKey: Timestamp] = [:],
        _ change: (inout SyncLimits) -> Void = { _ in }
    ) {
        var limits = SyncLimits()
        change(&limits)
        self.frontier = frontier
        engine = SyncEngine(
            event: TestAuthor.event,
            device: Self.device,
            frontier: frontier,
            lastWrites: lastWrites,
            limits: limits
        )
    }

    /// Tells the engine what happened, and returns what it asks for, with each message by itself.
    @discardableResult
    mutating func tell(_ input: SyncInput) -> [SyncAction] { tell([input]).unbundled }

    /// Tells the engine several things that happened, and returns what it asks for as it is.
    mutating func tell(_ inputs: [SyncInput]) -> [SyncAction] { engine.receive(inputs, at: now) }

    /// Lets a peer say something.
    @discardableResult
    mutating func hear(
        _ content: ProtoMessage.OneOf_Content,
        from peer: PeerID,
        on lane: Lane = .control
    ) -> [SyncAction] {
        tell(.received(peer, lane, content.bytes))
    }

    /// Lets time pass, and a second's turn come.
    mutating func wait(_ duration: Duration) -> [SyncAction] {
        now += duration
        return tell(.tick)
    }

    /// How full one of the engine's queues is, of all peers together.
    func gauge(_ name: String) -> Int { engine.gauges.filter { $0.name == name }.reduce(0) { $0 + $1.value } }

    /// Opens a link over which this engine has greeted and the peer has not.
    mutating func connect(_ peer: PeerID, isInitiator: Bool = false) {
        tell(.opened(peer, Session(handshakeHash: .zero, isInitiator: isInitiator)))
        tell(.hello(peer, Hello(device: Self.device, certificates: [], signature: [])))
    }

    /// Lets a peer greet as the device of a number.
    @discardableResult
    mutating func hearHello(from peer: PeerID, device number: Int) -> [SyncAction] {
        hear(
            .hello(
                .with {
                    $0.version = SyncLimits.version
                    $0.device = .init(TestAuthor(number).device.bytes)
                }
            ),
            from: peer
        )
    }

    /// Opens a link to the device of a number, and goes on until both may speak of all that the verdict allows.
    @discardableResult
    mutating func admit(
        _ number: Int,
        device: Int? = nil,
        _ verdict: Verdict = .admitted,
        isInitiator: Bool = false
    ) -> PeerID {
        let peer = PeerID(UInt64(number))
        connect(peer, isInitiator: isInitiator)
        hearHello(from: peer, device: device ?? number)
        tell(.verdict(peer, verdict))
        hear(.welcome(.with { $0.fabricOnly = verdict == .fabricOnly }), from: peer)
        hear(
            .digest(
                .with {
                    $0.whole = .init(frontier.digest.bytes)
                    $0.isAnswer = true
                    $0.fabricOnly = verdict == .fabricOnly
                }
            ),
            from: peer
        )
        return peer
    }

    /// Lets a peer send the only chunk of a blob, and the shell store it.
    @discardableResult
    mutating func deliver(_ blob: TestBlob, from peer: PeerID) -> [SyncAction] {
        hear(blob.chunkMessage(0), from: peer) + tell(.chunkStored(peer, blob.name, index: 0, .stored))
    }

    /// Lets a peer answer what it was asked by `actions`: that it holds the same.
    mutating func agree(to actions: [SyncAction], from peer: PeerID) {
        for digest in actions.digests {
            hear(.digest(.with { ($0.whole, $0.isAnswer) = (digest.whole, true) }), from: peer)
        }
    }
}
