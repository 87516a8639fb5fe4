// SPDX-License-Identifier: Apache-2.0

/// The handshake that opens every connection: `Noise_XXpsk0_25519_ChaChaPoly_SHA256` (Noise protocol, revision 34).
///
/// - *XX*: both sides show their static keys inside the handshake, encrypted, so a listener learns neither; who a static
///   key belongs to is said afterwards, by a signature over ``Handshake/handshakeHash``.
/// - *psk0*: the event's 32-byte psk is mixed in before the first byte. Whoever does not hold it can neither make a first
///   message that anybody answers, nor tell a node of the event from any other program.
/// - Forward secrecy comes from the two ephemeral keys, which are drawn anew for every handshake.
///
/// Messages without payload have 48, 96 and 64 bytes. A recorded first message can be sent again and will be answered,
/// as in every Noise pattern: the answer is of no use without the ephemeral key, but shows that the event is served.
package enum Noise {
    /// The protocol's full name, which begins every handshake hash.
    package static let protocolName = "Noise_XXpsk0_25519_ChaChaPoly_SHA256"
    /// What both sides must agree on beforehand: application and version.
    package static let prologue = Array("mingle/1".utf8)
    /// Bytes of any Noise message, tag included.
    package static let messageLength = 65_535
    /// Bytes that encryption adds.
    package static let tagLength = 16
    /// Bytes of the three handshake messages when they carry no payload.
    package static let handshakeLengths = [48, 96, 64]
    /// Bytes of a static, ephemeral or pre-shared key and of a hash.
    static let keyLength = 32
}

/// The one thing that is said about any failure of a handshake or a record.
///
/// Why it failed is nobody's business: a wrong psk, a changed byte, a weak key and a message out of turn look the same.
package struct NoiseError: Error, Equatable {
    /// The failure.
    package init() {}
}
