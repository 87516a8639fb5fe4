// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// What becomes of a session by what the shell decides about the peer, and by its other sessions.
struct VerdictTests {
    @Test(
        arguments: [
            (.refused("is not a member"), Goodbye("is not a member", cause: .notLetIn)),
            (.declined("a host did not let you in"), Goodbye("a host did not let you in", cause: .declined)),
            (.retired, Goodbye(Goodbye.retirement, cause: .retired)),
            (.left, Goodbye("you have left the event", cause: .left)),
            (.unanswered, Goodbye("this node cannot answer now")),
            (.sameDevice, Goodbye("holds the same device's key: one data folder was copied")),
        ] as [(Verdict, Goodbye)]
    )
    func `who is not let in is told why`(verdict: Verdict, goodbye: Goodbye) {
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        engine.hearHello(from: PeerID(1), device: 1)
        #expect(engine.tell(.verdict(PeerID(1), verdict)).goodbyes == [goodbye])
    }

    @Test func `a verdict on who has not greeted, or is gone, changes nothing`() {
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        #expect(engine.tell(.verdict(PeerID(1), .admitted)).isEmpty)
        #expect(engine.tell(.verdict(PeerID(2), .refused("x"))).isEmpty)
        engine.tell(.closed(PeerID(1)))
        #expect(engine.hearHello(from: PeerID(1), device: 1).isEmpty)
    }

    @Test(
        arguments: [
            ([.fabricOnly], nil, true), ([.fabricOnly, .admitted], nil, false),
            ([.refused("x"), .admitted], "x", nil), ([.admitted, .refused("x")], "x", nil),
            ([.unanswered, .sameDevice], "this node cannot answer now", nil),
        ] as [([Verdict], String?, Bool?)]
    )
    func `what is decided before this node has greeted takes effect then`(
        verdicts: [Verdict],
        reason: String?,
        isFabricOnly: Bool?
    ) {
        var engine = LoneEngine()
        let peer = PeerID(1)
        engine.tell(.opened(peer, Session(handshakeHash: .zero, isInitiator: false)))
        engine.hearHello(from: peer, device: 1)
        for verdict in verdicts { #expect(engine.tell(.verdict(peer, verdict)).isEmpty) }
        let hello = SyncInput.hello(peer, Hello(device: LoneEngine.device, certificates: [], signature: []))
        let actions = engine.tell(hello)
        guard case .hello? = actions.first?.sent?.content else {
            Issue.record("the greeting does not come first")
            return
        }
        #expect(actions.goodbyes.map(\.reason) == (reason.map { [$0] } ?? []))
        let welcomes = actions.compactMap { action -> Bool? in
            if case .welcome(let welcome)? = action.sent?.content { welcome.fabricOnly } else { nil }
        }
        #expect(welcomes == (isFabricOnly.map { [$0] } ?? []))
        // The greeting is sent once.
        #expect(engine.tell(hello).isEmpty)
    }

    @Test func `a verdict that says the same again is no news, and one that takes back ends the session`() {
        var engine = LoneEngine()
        let peer = engine.admit(1)
        #expect(engine.tell(.verdict(peer, .admitted)).isEmpty)
        #expect(engine.tell(.verdict(peer, .fabricOnly)).goodbyes == [Goodbye("is not admitted any more")])
    }

    @Test func `who was let in and does not let this node in is waited for half a minute`() {
        var engine = LoneEngine()
        let peer = PeerID(1)
        engine.connect(peer)
        engine.hearHello(from: peer, device: 1)
        engine.tell(.verdict(peer, .admitted))
        #expect(engine.wait(.seconds(29)).isEmpty)
        #expect(engine.wait(.seconds(1)).goodbyes == [Goodbye("does not greet")])
    }

    @Test(arguments: [true, false])
    func `of two who are in sync the one that dialled asks anew each minute, the other after two`(isInitiator: Bool) {
        var engine = LoneEngine()
        let peer = engine.admit(1, isInitiator: isInitiator)
        var asked: [Duration] = []
        for _ in 0..<250 where engine.wait(.seconds(1)).contains(where: { $0.sent?.peer == peer }) {
            asked.append(engine.now)
        }
        let minutes = isInitiator ? [1, 2, 3, 4] : [2, 4]
        #expect(asked == minutes.map { .seconds($0 * 60) })
    }

    // MARK: - Two sessions with one device

    @Test func `of two links that this node dialled it keeps the newer`() {
        var engine = LoneEngine()
        engine.admit(1, device: 5, isInitiator: true)
        engine.connect(PeerID(2), isInitiator: true)
        engine.hearHello(from: PeerID(2), device: 5)
        let actions = engine.tell(.verdict(PeerID(2), .admitted))
        #expect(actions.goodbyes == [Goodbye("is connected anew", cause: .linkedAlready, twin: PeerID(2))])
        #expect(actions.closed == [PeerID(1)])
    }

    @Test func `of two links that the other side dialled it is to choose`() {
        var engine = LoneEngine()
        engine.admit(1, device: 5)
        engine.connect(PeerID(2))
        engine.hearHello(from: PeerID(2), device: 5)
        #expect(engine.tell(.verdict(PeerID(2), .admitted)).closed.isEmpty)
    }

    @Test(arguments: 1..<9, [true, false])
    func `of two links that both sides dialled the lower name's is kept`(number: Int, dialledFirst: Bool) {
        var engine = LoneEngine()
        engine.admit(1, device: number, isInitiator: dialledFirst)
        engine.connect(PeerID(2), isInitiator: !dialledFirst)
        engine.hearHello(from: PeerID(2), device: number)
        let actions = engine.tell(.verdict(PeerID(2), .admitted))
        let keepsOwn = LoneEngine.device < TestAuthor(number).device
        let (kept, closed): (UInt64, UInt64) = keepsOwn == dialledFirst ? (1, 2) : (2, 1)
        #expect(actions.closed == [PeerID(closed)])
        #expect(actions.goodbyes.map(\.twin) == [PeerID(kept)])
    }

    @Test(arguments: [(5, PeerID(1)), (6, nil)] as [(Int, PeerID?)])
    func `who says that there is another link is believed about that one only`(device: Int, twin: PeerID?) {
        var engine = LoneEngine()
        engine.admit(1, device: 5)
        engine.connect(PeerID(2), isInitiator: true)
        engine.hearHello(from: PeerID(2), device: device)
        let goodbye = ProtoMessage.OneOf_Content.goodbye(
            .with {
                $0.reason = "is connected already"
                $0.cause = Goodbye.Cause.linkedAlready.rawValue
            }
        )
        let heard = engine.hear(goodbye, from: PeerID(2)).goodbyes
        #expect(heard == [Goodbye("is connected already", cause: .linkedAlready, isFromPeer: true, twin: twin)])
    }

    // MARK: - Addresses

    @Test func `addresses are told to those let in, so many, and not twice`() {
        var engine = LoneEngine { $0.addresses = 2 }
        let peer = engine.admit(1)
        engine.admit(2, .fabricOnly)
        #expect(engine.tell(.addresses(["a:1", "b:2", "c:3"])).toldAddresses(peer) == [["a:1", "b:2"]])
        #expect(engine.tell(.addresses(["a:1", "b:2"])).isEmpty)
        #expect(engine.tell(.addresses([])).isEmpty)
    }
}

extension [SyncAction] {
    var closed: [PeerID] { compactMap { action in if case .close(let peer, _) = action { peer } else { nil } } }

    /// The addresses that are told, all of them to one peer.
    func toldAddresses(_ peer: PeerID) -> [[String]] {
        compactMap { action in
            guard case (peer, .peers(let message))? = action.sent else { return nil }
            return message.addresses
        }
    }
}
