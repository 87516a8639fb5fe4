// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf
import Testing

/// How a device without a certificate asks for one before it greets.
struct LinkingTests {
    private static let request = DeviceRequest(
        person: PersonID(TestAuthor(7).device.raw),
        signingKey: TestAuthor(8).device.raw,
        agreementKey: TestAuthor(9).device.raw,
        proof: TestAuthor(10).device.raw
    )
    private static let certified = DeviceCertified(
        signature: [UInt8](repeating: 5, count: 64),
        device: TestAuthor(1).device
    )

    private func message(_ request: DeviceRequest = Self.request) -> ProtoMessage.OneOf_Content {
        .deviceRequest(
            .with {
                $0.person = .init(request.person.bytes)
                $0.signingKey = .init(request.signingKey.bytes)
                $0.agreementKey = .init(request.agreementKey.bytes)
                $0.proof = .init(request.proof.bytes)
            }
        )
    }

    /// Two nodes, of which the second has no certificate.
    private func world(_ verdict: DeviceVerdict) -> TestWorld {
        var world = TestWorld(nodeCount: 2, seed: 3)
        world.nodes[0].write([30, 2000])
        world.nodes[0].deviceVerdict = verdict
        world.nodes[1].request = Self.request
        return world
    }

    @Test(arguments: [false, true])
    func `a device asks before it greets, and is let in once it is certified`(isDialled: Bool) {
        var world = world(.certified(Self.certified))
        world.connect(isDialled ? 0 : 1, isDialled ? 1 : 0)
        world.settle()
        #expect(world.nodes[0].requests == [Self.request] && world.nodes[1].certificates == [Self.certified])
        #expect(world.nodes[1].store.frontier == world.nodes[0].store.frontier)
        #expect(world.nodes.allSatisfy { $0.closed.isEmpty })
    }

    @Test func `who is not meant says nothing, and the device that asked may still greet`() {
        var world = world(.nothing)
        world.connect(1, 0)
        world.settle()
        #expect(world.nodes[0].requests.count == 1 && world.nodes[0].closed.isEmpty)
        // It was certified elsewhere meanwhile.
        for direction in world.directions where direction.from == 0 {
            let hello = Hello(device: world.nodes[1].device, certificates: [], signature: [1])
            world.tell(1, .hello(direction.receiver, hello))
        }
        world.settle()
        #expect(world.nodes[1].store.frontier == world.nodes[0].store.frontier)
    }

    @Test func `who is refused hears why, and whether coming back is of use`() {
        for (verdict, cause) in [(.refused("no"), .notLetIn), (.postponed("no"), .other)]
            as [(DeviceVerdict, Goodbye.Cause)]
        {
            var world = world(verdict)
            world.connect(1, 0)
            world.settle()
            #expect(world.nodes[0].closed.map(\.1) == [Goodbye("no", cause: cause)])
            #expect(
                !world.nodes[1].store.branches.keys.contains {
                    $0.journal == .content && $0.device == world.nodes[0].device
                }
            )
        }
    }

    @Test func `a peer asks once, and not after it has greeted`() {
        let reason = "asked to be linked twice, or after its greeting"
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        let first = engine.hear(message(), from: PeerID(1))
        #expect(first.contains { if case .certify(PeerID(1), Self.request, _) = $0 { true } else { false } })
        #expect(engine.hear(message(), from: PeerID(1)).goodbyes.map(\.reason) == [reason])
        engine.connect(PeerID(2))
        engine.hearHello(from: PeerID(2), device: 2)
        #expect(engine.hear(message(), from: PeerID(2)).goodbyes.map(\.reason) == [reason])
        let member = engine.admit(3)
        #expect(engine.hear(message(), from: member).goodbyes.map(\.reason) == [reason])
    }

    @Test func `a request that lacks a key, and a certificate that nobody asked for, end the session`() {
        var engine = LoneEngine()
        for (number, field) in [\ProtoDeviceRequest.person, \.signingKey, \.agreementKey, \.proof].enumerated() {
            guard case .deviceRequest(var short) = message() else { return #expect(Bool(false)) }
            short[keyPath: field].removeLast()
            let peer = PeerID(UInt64(number))
            engine.connect(peer)
            #expect(
                engine.hear(.deviceRequest(short), from: peer).goodbyes.map(\.reason) == [
                    "malformed request to be linked"
                ]
            )
        }
        let certificate = ProtoDeviceCertified.with {
            $0.signature = .init(Self.certified.signature)
            $0.device = .init(Self.certified.device.bytes)
        }
        engine.connect(PeerID(9))
        let unasked = engine.hear(.deviceCertified(certificate), from: PeerID(9))
        #expect(unasked.goodbyes.map(\.reason) == ["sent a certificate that was not requested"])
        engine.tell(.opened(PeerID(10), Session(handshakeHash: .zero, isInitiator: true)))
        engine.tell(.deviceRequest(PeerID(10), Self.request))
        let answer = engine.hear(.deviceCertified(certificate), from: PeerID(10))
        #expect(answer.contains { if case .takeCertificate(PeerID(10), Self.certified) = $0 { true } else { false } })
        let again = engine.hear(.deviceCertified(certificate), from: PeerID(10))
        #expect(again.goodbyes.map(\.reason) == ["sent a certificate that was not requested"])
    }

    @Test func `a device that asks for ever is dropped like any that does not greet`() {
        var engine = LoneEngine()
        engine.connect(PeerID(1))
        engine.hear(message(), from: PeerID(1))
        engine.tell(.deviceVerdict(PeerID(1), .nothing))
        #expect(engine.wait(.seconds(31)).goodbyes.map(\.reason) == ["does not greet"])
    }
}
