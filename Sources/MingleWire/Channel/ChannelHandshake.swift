// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel

/// The handshake of one channel, and for a responder the search for the event that the initiator means.
struct ChannelHandshake: ~Copyable, Sendable {
    private let randomness: Randomness
    private let staticKey: AgreementKey
    private var candidates: [EventPSK]
    private var handshake: Handshake?
    private var messagesDone = 0

    /// The side that dialled, for the one event that it dialled for.
    init(initiating event: EventPSK, staticKey: AgreementKey, randomness: Randomness) {
        (self.staticKey, self.randomness, candidates) = (staticKey, randomness, [event])
        handshake = Handshake(
            role: .initiator,
            preshared: event.preshared,
            staticKey: staticKey,
            randomness: randomness
        )
    }

    /// The side that was dialled, with the events that it serves.
    init(respondingWith events: [EventPSK], staticKey: AgreementKey, randomness: Randomness) {
        (self.staticKey, self.randomness) = (staticKey, randomness)
        candidates = Array(events.prefix(ChannelLimits.events))
        handshake = nil
    }

    /// The event, once it is known.
    var event: EventID? { handshake == nil ? nil : candidates.first?.event }

    /// Bytes of the message that must come next, or nothing if none may: no other length is worth waiting for.
    var expectedLength: Int? {
        messagesDone < Noise.handshakeLengths.count ? Noise.handshakeLengths[messagesDone] : nil
    }

    /// Whether both sides hold the keys.
    var isComplete: Bool { messagesDone == Noise.handshakeLengths.count }

    /// The initiator's first message with its length, nothing for a responder.
    mutating func begin() throws(NoiseError) -> [UInt8] { try writeIfDue() }

    /// Takes the other side's message and returns the answer with its length; empty if none is due.
    mutating func receive(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        if handshake == nil {
            try findEvent(message)
        } else {
            guard let payload = try handshake?.readMessage(message), payload.isEmpty else { throw NoiseError() }
        }
        messagesDone += 1
        return try writeIfDue()
    }

    /// The ciphers of a complete handshake.
    consuming func split(rekeying limits: RekeyLimits) throws(NoiseError) -> TransportCiphers {
        guard let handshake = handshake.take() else { throw NoiseError() }
        return try handshake.split(rekeying: limits)
    }

    private mutating func writeIfDue() throws(NoiseError) -> [UInt8] {
        guard handshake?.isWriting == true, let message = try handshake?.writeMessage() else { return [] }
        messagesDone += 1
        return [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }

    private mutating func findEvent(_ message: [UInt8]) throws(NoiseError) {
        for candidate in candidates where candidate.preshared.fits(message) {
            var found = Handshake(
                role: .responder,
                preshared: candidate.preshared,
                staticKey: staticKey,
                randomness: randomness
            )
            _ = try found.readMessage(message)
            candidates = [candidate]
            handshake = consume found
            return
        }
        throw NoiseError()
    }
}
