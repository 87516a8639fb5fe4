// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

extension SplitMix {
    /// `count` bytes, another one every 512: cheap to make, and no two pieces of that length are alike for long.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let run = min(512, count - bytes.count)
            bytes += [UInt8](repeating: UInt8(truncatingIfNeeded: next()), count: run)
        }
        return bytes
    }
}

/// The events, keys and random bytes of these tests.
enum Sample {
    static func event(_ number: UInt8, psk: UInt8? = nil) -> EventPSK {
        EventPSK(event: eventID(number), psk: Secret([UInt8](repeating: psk ?? number, count: 32)))
    }

    static func eventID(_ number: UInt8) -> EventID {
        guard let raw = Bytes32([UInt8](repeating: number, count: 32)) else {
            preconditionFailure("these are 32 bytes")
        }
        return EventID(raw)
    }

    static func key(_ number: UInt8) -> AgreementKey {
        AgreementKey(secret: Secret([UInt8](repeating: number, count: 32)))
    }

    static func randomness(_ number: UInt8) -> Randomness { Randomness { [UInt8](repeating: number, count: $0) } }

    /// The side that dials, which lets the other one in at once.
    static func initiator(_ event: EventPSK = event(1), limits: ChannelLimits = ChannelLimits()) -> SecureChannel {
        open(SecureChannel(initiating: event, staticKey: key(11), randomness: randomness(12), limits: limits))
    }

    /// The side that was dialled, which does the same.
    static func responder(_ events: [EventPSK] = [event(1)], limits: ChannelLimits = ChannelLimits()) -> SecureChannel {
        open(SecureChannel(respondingWith: events, staticKey: key(13), randomness: randomness(14), limits: limits))
    }

    private static func open(_ channel: consuming SecureChannel) -> SecureChannel {
        var channel = channel
        channel.admit(to: .all)
        return channel
    }
}

extension [ChannelOutput] {
    /// The bytes to send, one behind the other.
    var sent: [UInt8] {
        reduce(into: []) { sent, output in if case .send(let bytes) = output { sent += bytes } }
    }

    /// The messages that came on `lane`.
    func messages(_ lane: Lane) -> [[UInt8]] {
        compactMap { output in if case .message(lane, let bytes) = output { bytes } else { nil } }
    }

    /// Why the channel closed, if it did.
    var closing: ChannelError? {
        for case .close(let error) in self { return error }
        return nil
    }
}

/// Two channels of one event that have shaken hands.
struct OpenPair: ~Copyable {
    var initiator: SecureChannel
    var responder: SecureChannel

    init(limits: ChannelLimits = ChannelLimits()) {
        initiator = Sample.initiator(limits: limits)
        responder = Sample.responder(limits: limits)
        let answer = responder.receive(initiator.begin().sent).sent
        _ = responder.receive(initiator.receive(answer).sent)
        let areOpen = (initiator.isOpen, responder.isOpen)
        #expect(areOpen == (true, true))
    }
}

/// A member that breaks the protocol: it has shaken hands with `channel` and seals whatever it likes.
struct Offender: ~Copyable {
    var channel: SecureChannel
    private var ciphers: TransportCiphers

    init(limits: ChannelLimits = ChannelLimits()) throws {
        channel = Sample.responder(limits: limits)
        var handshake = Handshake(
            role: .initiator,
            preshared: PresharedState(psk: Secret([UInt8](repeating: 1, count: 32))),
            staticKey: Sample.key(21),
            randomness: Sample.randomness(22)
        )
        let answer = channel.receive([0, 48] + (try handshake.writeMessage())).sent
        _ = try handshake.readMessage(Array(answer.dropFirst(2)))
        _ = channel.receive([0, 64] + (try handshake.writeMessage()))
        ciphers = try handshake.split()
    }

    /// Seals any plaintext as a record with its length.
    mutating func record(_ plaintext: [UInt8]) throws -> [UInt8] {
        var buffer = plaintext
        try ciphers.sending.seal(&buffer, from: 0)
        return [UInt8(buffer.count >> 8), UInt8(buffer.count & 0xFF)] + buffer
    }

    /// Sends any plaintext to the channel and returns what it does.
    mutating func send(_ plaintext: [UInt8]) throws -> [ChannelOutput] { channel.receive(try record(plaintext)) }
}
