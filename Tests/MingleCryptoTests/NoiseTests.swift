// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

struct NoiseTests {
    private static let psk = Secret([UInt8](repeating: 7, count: 32))

    /// Two sides of one handshake, with random bytes that follow from `seed`.
    private struct Pair: ~Copyable {
        var initiator: Handshake
        var responder: Handshake

        init(seed: UInt8 = 1, psk: Secret = NoiseTests.psk, responderPSK: Secret? = nil, prologue: String = "mingle/1")
        {
            initiator = Handshake(
                role: .initiator,
                preshared: PresharedState(psk: psk),
                staticKey: AgreementKey(secret: Secret([UInt8](repeating: seed, count: 32))),
                randomness: Randomness { [UInt8](repeating: seed &+ 1, count: $0) }
            )
            responder = Handshake(
                role: .responder,
                preshared: PresharedState(psk: responderPSK ?? psk, prologue: Array(prologue.utf8)),
                staticKey: AgreementKey(secret: Secret([UInt8](repeating: seed &+ 2, count: 32))),
                randomness: Randomness { [UInt8](repeating: seed &+ 3, count: $0) }
            )
        }

        /// Runs the three messages; `change` may alter one on its way, by its index.
        mutating func run(_ change: (Int, inout [UInt8]) -> Void = { _, _ in }) throws(NoiseError) {
            for turn in 0..<3 {
                var message = try turn == 1 ? responder.writeMessage() : initiator.writeMessage()
                #expect(message.count == Noise.handshakeLengths[turn])
                change(turn, &message)
                _ = try turn == 1 ? initiator.readMessage(message) : responder.readMessage(message)
            }
        }

        consuming func split(rekeying limits: RekeyLimits = RekeyLimits()) throws(NoiseError) -> Session {
            Session(
                initiator: try initiator.split(rekeying: limits),
                responder: try responder.split(rekeying: limits)
            )
        }
    }

    private struct Session: ~Copyable {
        var initiator: TransportCiphers
        var responder: TransportCiphers

        /// Sends `plaintext` to the responder and returns what arrives there.
        mutating func send(_ plaintext: [UInt8]) throws(NoiseError) -> [UInt8] {
            var buffer = plaintext
            try initiator.sending.seal(&buffer, from: 0)
            return Array(buffer[try responder.receiving.open(&buffer, buffer.indices)])
        }
    }

    @Test(arguments: NoiseVectors.transcripts.indices)
    func `a transcript of another implementation is reproduced byte by byte`(_ index: Int) throws {
        let transcript = try Transcript(NoiseVectors.transcripts[index])
        let (recorded, replayed) = (try transcript.recorded, try transcript.replay())
        #expect(replayed == recorded)
        #expect(recorded.handshake.count == 3)
    }

    @Test func `both sides end with one hash and each other's static key`() throws {
        var pair = Pair()
        try pair.run()
        let session = try pair.split()
        let (one, other) = (session.initiator.handshakeHash, session.responder.handshakeHash)
        #expect(one == other)
        let initiatorKey = AgreementKey(secret: Secret([UInt8](repeating: 1, count: 32))).publicKey
        let responderKey = AgreementKey(secret: Secret([UInt8](repeating: 3, count: 32))).publicKey
        let seen = (session.responder.remoteStaticKey, session.initiator.remoteStaticKey)
        #expect(seen == (initiatorKey, responderKey))
    }

    @Test(arguments: 0..<3)
    func `changing any byte of any handshake message fails the handshake`(_ turn: Int) {
        for position in 0..<Noise.handshakeLengths[turn] {
            for bit: UInt8 in [1, 0x80] {
                // X25519 ignores the highest bit of a public key, but the handshake's hash does not.
                #expect(throws: NoiseError.self, "byte \(position)") {
                    var pair = Pair()
                    try pair.run { if $0 == turn { $1[position] ^= bit } }
                }
            }
        }
    }

    @Test(arguments: 0..<3)
    func `a handshake message that is cut short or too long fails`(_ turn: Int) {
        for length in 0..<Noise.handshakeLengths[turn] {
            #expect(throws: NoiseError.self, "\(length) bytes") {
                var pair = Pair()
                try pair.run { if $0 == turn { $1.removeLast($1.count - length) } }
            }
        }
        #expect(throws: NoiseError.self) {
            var pair = Pair()
            try pair.run { if $0 == turn { $1.append(0) } }
        }
    }

    @Test func `another psk or prologue fails at the first message`() throws {
        for position in [0, 31] {
            var other = Self.psk.exposed()
            other[position] ^= 1
            var pair = Pair(responderPSK: Secret(other))
            let message = try pair.initiator.writeMessage()
            #expect(!PresharedState(psk: Secret(other)).fits(message))
            #expect(throws: NoiseError.self) { try pair.responder.readMessage(message) }
        }
        var pair = Pair(prologue: "mingle/2")
        let message = try pair.initiator.writeMessage()
        #expect(throws: NoiseError.self) { try pair.responder.readMessage(message) }
    }

    @Test func `a first message fits its psk, unchanged and whole`() throws {
        let preshared = PresharedState(psk: Self.psk)
        var pair = Pair()
        let message = try pair.initiator.writeMessage()
        #expect(preshared.fits(message))
        #expect(preshared.fits(message))
        for position in message.indices {
            var changed = message
            changed[position] ^= 0x10
            #expect(!preshared.fits(changed))
            #expect(!preshared.fits(Array(message.prefix(position))))
        }
        #expect(!preshared.fits(message + [0]))
    }

    @Test func `after a failure nothing goes on`() throws {
        var pair = Pair()
        let message = try pair.initiator.writeMessage()
        var changed = message
        changed[40] ^= 1
        #expect(throws: NoiseError.self) { try pair.responder.readMessage(changed) }
        #expect(throws: NoiseError.self) { try pair.responder.readMessage(message) }
        #expect(throws: NoiseError.self) { try pair.responder.writeMessage() }
        let isComplete = pair.responder.isComplete
        #expect(!isComplete)
    }

    @Test func `a message out of turn fails`() throws {
        var pair = Pair()
        #expect(throws: NoiseError.self) { try pair.responder.writeMessage() }
        var second = Pair()
        let message = try second.initiator.writeMessage()
        #expect(throws: NoiseError.self) { try second.initiator.readMessage(message) }
    }

    @Test func `an ephemeral key whose agreement anybody knows is refused`() throws {
        // Who holds the psk can send the all-zero point, which makes every agreement with it zero. The tag was
        // calculated with Python's hmac and cryptography modules.
        let tag: [UInt8] = [
            0xec, 0xe1, 0x0e, 0x5a, 0xa4, 0xf5, 0x08, 0x23,
            0x68, 0x14, 0x4b, 0xf0, 0xe3, 0x40, 0x4c, 0x13,
        ]
        var pair = Pair()
        let payload = try pair.responder.readMessage([UInt8](repeating: 0, count: 32) + tag)
        #expect(payload.isEmpty)
        #expect(throws: NoiseError.self) { try pair.responder.writeMessage() }
    }

    @Test func `a changed, repeated or reordered record is refused`() throws {
        var pair = Pair()
        try pair.run()
        var session = try pair.split()
        var first: [UInt8] = [1, 2, 3]
        try session.initiator.sending.seal(&first, from: 0)
        var second: [UInt8] = [4, 5]
        try session.initiator.sending.seal(&second, from: 0)
        #expect(throws: NoiseError.self) { try session.responder.receiving.open(&second, second.indices) }
        for position in first.indices {
            var changed = first
            changed[position] ^= 4
            #expect(throws: NoiseError.self) { try session.responder.receiving.open(&changed, changed.indices) }
        }
        var copy = first
        let range = try session.responder.receiving.open(&first, first.indices)
        #expect(Array(first[range]) == [1, 2, 3])
        #expect(throws: NoiseError.self) { try session.responder.receiving.open(&copy, copy.indices) }
    }

    @Test func `both sides take new keys after the same messages and bytes`() throws {
        for limits in [RekeyLimits(messages: 3), RekeyLimits(bytes: 40), RekeyLimits(messages: 1, bytes: 1)] {
            var pair = Pair()
            try pair.run()
            var session = try pair.split(rekeying: limits)
            for length in 0..<30 {
                let plaintext = [UInt8](repeating: UInt8(length), count: length)
                #expect(try session.send(plaintext) == plaintext)
            }
        }
    }

    @Test func `a side that takes new keys at other times is not understood`() throws {
        var pair = Pair()
        var other = Pair()
        try pair.run()
        try other.run()
        var sender = try pair.split(rekeying: RekeyLimits(messages: 2))
        var receiver = try other.split(rekeying: RekeyLimits(messages: 3))
        for isUnderstood in [true, true, false] {
            var buffer: [UInt8] = [1]
            try sender.initiator.sending.seal(&buffer, from: 0)
            let plaintext = try? receiver.responder.receiving.open(&buffer, buffer.indices)
            #expect((plaintext != nil) == isUnderstood)
        }
    }

    @Test(arguments: [(65_487, true), (65_488, false), (65_519, false), (65_520, false)])
    func `what a handshake's message carries must fit into it`(length: Int, fits: Bool) throws {
        var pair = Pair()
        let payload = [UInt8](repeating: 1, count: length)
        guard fits else {
            #expect(throws: NoiseError.self) { try pair.initiator.writeMessage(payload: payload) }
            #expect(throws: NoiseError.self) { try pair.initiator.writeMessage() }
            return
        }
        let message = try pair.initiator.writeMessage(payload: payload)
        #expect(message.count == 65_535)
        #expect(try pair.responder.readMessage(message) == payload)
    }

    @Test(arguments: 0..<3)
    func `a handshake that is not complete leaves no ciphers behind`(turns: Int) {
        #expect(throws: NoiseError.self) {
            var pair = Pair()
            for turn in 0..<turns {
                let message = try turn == 1 ? pair.responder.writeMessage() : pair.initiator.writeMessage()
                _ = try turn == 1 ? pair.initiator.readMessage(message) : pair.responder.readMessage(message)
            }
            _ = try pair.split()
        }
    }

    @Test func `no message is longer than 65535 bytes`() throws {
        var pair = Pair()
        try pair.run()
        var session = try pair.split()
        let longest = [UInt8](repeating: 1, count: 65_519)
        #expect(try session.send(longest) == longest)
        #expect(throws: NoiseError.self) { try session.send(longest + [1]) }
    }
}
