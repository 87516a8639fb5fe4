// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What of a handshake depends on nothing but the psk, computed once per event.
///
/// A responder that serves many events tries the first message against each of them: with this, a try costs one key
/// derivation and one tag.
package struct PresharedState: Sendable {
    fileprivate let symmetric: SymmetricState

    /// Mixes the prologue and a psk of 32 bytes.
    package init(psk: Secret, prologue: [UInt8] = Noise.prologue) {
        precondition(psk.count == Noise.keyLength, "a psk has 32 bytes")
        symmetric = SymmetricState(prologue: prologue, psk: psk)
    }

    /// Whether `message` is a first message without payload by somebody who holds the psk.
    package func fits(_ message: [UInt8]) -> Bool {
        message.count == Noise.handshakeLengths[0]
            && symmetric.expects(Array(message[Noise.keyLength...]), after: Array(message[..<Noise.keyLength]))
    }
}

/// One side of one handshake: three messages, taken in turn (see ``Noise``).
///
/// It does no I/O and cannot be copied. After any failure every further call fails.
package struct Handshake: ~Copyable, Sendable {
    /// Which side speaks first.
    package enum Role: Sendable {
        /// The side that dialled.
        case initiator
        /// The side that was dialled.
        case responder
    }

    private enum Token { case e, s, ee, es, se }

    // psk0's own token opens the first message; ``PresharedState`` has done it.
    private static let pattern: [[Token]] = [[.e], [.e, .ee, .s, .es], [.s, .se]]

    /// Which side this is.
    package let role: Role
    private let staticKey: AgreementKey
    private let randomness: Randomness
    private var symmetric: SymmetricState
    private var ephemeralKey: AgreementKey?
    private var remoteEphemeral: Bytes32?
    private var remoteStatic: Bytes32?
    private var messagesDone = 0
    private var isFailed = false

    /// Begins a handshake of the event whose psk `preshared` has mixed.
    package init(role: Role, preshared: PresharedState, staticKey: AgreementKey, randomness: Randomness) {
        (self.role, self.staticKey, self.randomness) = (role, staticKey, randomness)
        symmetric = preshared.symmetric
    }

    /// Whether all three messages went through.
    package var isComplete: Bool { messagesDone == Self.pattern.count && !isFailed }

    /// Whether the next step is ``writeMessage(payload:)``; the initiator writes the first and third message.
    package var isWriting: Bool { !isComplete && !isFailed && (messagesDone % 2 == 0) == (role == .initiator) }

    /// Makes this side's next message.
    package mutating func writeMessage(payload: [UInt8] = []) throws(NoiseError) -> [UInt8] {
        guard isWriting else { throw fail() }
        do {
            var message: [UInt8] = []
            for token in Self.pattern[messagesDone] { try write(token, to: &message) }
            message += try symmetric.encryptAndHash(payload)
            guard message.count <= Noise.messageLength else { throw NoiseError() }
            messagesDone += 1
            return message
        } catch { throw fail() }
    }

    /// Takes the other side's next message and returns its payload.
    package mutating func readMessage(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard !isComplete, !isFailed, !isWriting, message.count <= Noise.messageLength else { throw fail() }
        do {
            var rest = message[...]
            for token in Self.pattern[messagesDone] { try read(token, from: &rest) }
            let payload = try symmetric.decryptAndHash(Array(rest))
            messagesDone += 1
            return payload
        } catch { throw fail() }
    }

    /// The transport ciphers of a complete handshake.
    package consuming func split(rekeying limits: RekeyLimits = RekeyLimits()) throws(NoiseError) -> TransportCiphers {
        guard isComplete, let remoteStatic, let hash = Bytes32(symmetric.hash) else { throw NoiseError() }
        let (initiator, responder) = symmetric.split()
        let isInitiator = role == .initiator
        return TransportCiphers(
            sending: TransportCipher(isInitiator ? initiator : responder, rekeying: limits),
            receiving: TransportCipher(isInitiator ? responder : initiator, rekeying: limits),
            handshakeHash: hash,
            remoteStaticKey: remoteStatic
        )
    }

    private mutating func fail() -> NoiseError {
        isFailed = true
        return NoiseError()
    }

    private mutating func write(_ token: Token, to message: inout [UInt8]) throws(NoiseError) {
        switch token {
        case .e:
            let key = AgreementKey(secret: randomness.secret())
            ephemeralKey = key
            message += key.publicKey.bytes
            symmetric.mixHashAndKey(key.publicKey.bytes)
        case .s: message += try symmetric.encryptAndHash(staticKey.publicKey.bytes)
        case .ee, .es, .se: try mixAgreement(token)
        }
    }

    private mutating func read(_ token: Token, from message: inout ArraySlice<UInt8>) throws(NoiseError) {
        switch token {
        case .e:
            guard let key = Bytes32(message.prefix(Noise.keyLength)) else { throw NoiseError() }
            message = message.dropFirst(Noise.keyLength)
            remoteEphemeral = key
            symmetric.mixHashAndKey(key.bytes)
        case .s:
            let length = Noise.keyLength + Noise.tagLength
            remoteStatic = Bytes32(try symmetric.decryptAndHash(Array(message.prefix(length))))
            message = message.dropFirst(length)
        case .ee, .es, .se: try mixAgreement(token)
        }
    }

    /// Mixes a Diffie-Hellman output: the token's first letter is the initiator's key, its second the responder's.
    private mutating func mixAgreement(_ token: Token) throws(NoiseError) {
        let ownIsStatic = token == (role == .initiator ? .se : .es)
        let otherIsStatic = token == (role == .initiator ? .es : .se)
        guard let own = ownIsStatic ? staticKey : ephemeralKey,
            let other = otherIsStatic ? remoteStatic : remoteEphemeral
        else { throw NoiseError() }
        do { symmetric.mixKey(try own.sharedSecret(with: other)) } catch { throw NoiseError() }
    }
}
