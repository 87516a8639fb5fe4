// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

struct ChannelHandshakeTests {
    @Test func `both sides report the event, one hash and each other's key`() {
        var initiator = Sample.initiator()
        var responder = Sample.responder()
        let answer = responder.receive(initiator.begin().sent)
        let third = initiator.receive(answer.sent)
        let last = responder.receive(third.sent)
        guard case .established(let event, let hash, let key) = third.last,
            case .established(let otherEvent, let otherHash, let otherKey) = last.last
        else {
            Issue.record("the handshake did not go through")
            return
        }
        #expect((event, hash) == (otherEvent, otherHash))
        #expect(event == Sample.eventID(1))
        #expect((key, otherKey) == (Sample.key(13).publicKey, Sample.key(11).publicKey))
        #expect((answer.count, third.count, last.count) == (1, 2, 1))
        #expect((answer.sent.count, third.sent.count) == (98, 66))
    }

    @Test(arguments: [1, 2, 33, 64] as [UInt8])
    func `a responder of 64 events finds the one that is meant`(_ number: UInt8) {
        var initiator = Sample.initiator(Sample.event(number))
        var responder = Sample.responder((1...64).map { Sample.event($0) })
        let third = initiator.receive(responder.receive(initiator.begin().sent).sent)
        let outputs = responder.receive(third.sent)
        guard case .established(Sample.eventID(number), _, _) = outputs.last else {
            Issue.record("another event was found: \(outputs)")
            return
        }
    }

    @Test func `events beyond the sixty-fourth are not tried`() {
        var initiator = Sample.initiator(Sample.event(65))
        var responder = Sample.responder((1...65).map { Sample.event($0) })
        #expect(responder.receive(initiator.begin().sent) == [.close(.silent)])
    }

    @Test func `who does not hold the psk gets not one byte`() {
        var initiator = Sample.initiator(Sample.event(1, psk: 9))
        var responder = Sample.responder()
        #expect(responder.receive(initiator.begin().sent) == [.close(.silent)])
        #expect(responder.receive(initiator.begin().sent) == [])
        let isClosed = responder.isClosed
        #expect(isClosed)
    }

    @Test func `a node without events answers nobody`() {
        var initiator = Sample.initiator()
        var responder = Sample.responder([])
        #expect(responder.receive(initiator.begin().sent) == [.close(.silent)])
    }

    @Test(arguments: UInt64(0)..<50)
    func `garbage gets not one byte, however it is cut`(_ seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        var responder = Sample.responder()
        var garbage = numbers.bytes(200)
        if seed % 2 == 0 { garbage.replaceSubrange(0..<2, with: [0, 48]) }
        var outputs: [ChannelOutput] = []
        while !garbage.isEmpty {
            let count = Int.random(in: 1...garbage.count, using: &numbers)
            outputs += responder.receive(Array(garbage.prefix(count)))
            garbage.removeFirst(count)
        }
        #expect(outputs == [.close(.silent)])
    }

    @Test func `a first record of any other length is refused at its second byte`() {
        for length in [0, 1, 17, 47, 49, 64, 96, 255, 256, 48 << 8, 0x4745, 0xFFFF] {
            var responder = Sample.responder()
            #expect(responder.receive([UInt8(length >> 8)]) == [])
            #expect(responder.receive([UInt8(length & 0xFF)]) == [.close(.silent)])
        }
    }

    @Test func `changing any byte on the way closes the side that gets it`() {
        for turn in 0..<3 {
            for position in 0..<(Noise.handshakeLengths[turn] + 2) {
                var initiator = Sample.initiator()
                var responder = Sample.responder()
                var bytes = initiator.begin().sent
                var outputs: [ChannelOutput] = []
                for step in 0...turn {
                    if step == turn { bytes[position] ^= 0x20 }
                    outputs = step == 1 ? initiator.receive(bytes) : responder.receive(bytes)
                    bytes = outputs.sent
                }
                #expect(outputs == [.close(.silent)], "message \(turn), byte \(position)")
            }
        }
    }

    @Test func `an end inside the handshake is silent as well`() {
        var responder = Sample.responder()
        #expect(responder.receiveEnd() == .silent)
        var initiator = Sample.initiator()
        _ = initiator.begin()
        #expect(initiator.receiveEnd() == .silent)
    }

    @Test func `records that follow the handshake in one read are not lost`() throws {
        var initiator = Sample.initiator()
        var responder = Sample.responder()
        let third = initiator.receive(responder.receive(initiator.begin().sent).sent)
        #expect(initiator.enqueue([1, 2, 3], on: .control) == .accepted)
        let outputs = responder.receive(third.sent + initiator.nextRecords(upTo: 1 << 16))
        #expect(outputs.messages(.control) == [[1, 2, 3]])
    }
}
