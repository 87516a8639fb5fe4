// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// When a transport cipher takes a new key: both sides count the same messages and bytes, so nothing is said about it.
package struct RekeyLimits: Hashable, Sendable {
    /// Messages under one key.
    package let messages: Int
    /// Bytes of plaintext under one key.
    package let bytes: Int

    /// Sets both limits; by default 2^20 messages or 1 GiB, whichever comes first.
    package init(messages: Int = 1 << 20, bytes: Int = 1 << 30) { (self.messages, self.bytes) = (messages, bytes) }
}

/// One direction of an open session.
///
/// After the message that reaches a ``RekeyLimits`` the key is replaced, and the old one is gone. The nonce goes on and
/// never returns; at 2^64 − 1 messages the cipher refuses.
package struct TransportCipher: ~Copyable, Sendable {
    private var state: CipherState
    private let limits: RekeyLimits
    private var messages = 0
    private var bytes = 0

    init(_ state: CipherState, rekeying limits: RekeyLimits) { (self.state, self.limits) = (state, limits) }

    /// Encrypts the bytes from `start` to the end of `buffer` where they stand, and appends the tag.
    package mutating func seal(_ buffer: inout [UInt8], from start: Int) throws(NoiseError) {
        try state.encrypt(&buffer, from: start)
        count(buffer.count - start - Noise.tagLength)
    }

    /// Decrypts the message that fills `range` of `buffer` where it stands and returns where its plaintext is.
    package mutating func open(_ buffer: inout [UInt8], _ range: Range<Int>) throws(NoiseError) -> Range<Int> {
        let plaintext = try state.decrypt(&buffer, range)
        count(plaintext.count)
        return plaintext
    }

    private mutating func count(_ length: Int) {
        messages += 1
        bytes += length
        guard messages >= limits.messages || bytes >= limits.bytes else { return }
        state.rekey()
        (messages, bytes) = (0, 0)
    }
}

/// What a complete handshake leaves behind.
package struct TransportCiphers: ~Copyable, Sendable {
    /// Encrypts what this side sends.
    package var sending: TransportCipher
    /// Decrypts what the other side sends.
    package var receiving: TransportCipher
    /// Names this session, equal on both sides and on no other: what a certificate's holder signs.
    package let handshakeHash: Bytes32
    /// The other side's static key, which it has proved to hold.
    package let remoteStaticKey: Bytes32
}
