// SPDX-License-Identifier: Apache-2.0

import CSodium

/// A key with the number of messages that it has encrypted (Noise, section 5.1): ChaCha20-Poly1305 of RFC 8439.
///
/// It can be copied only inside this module: two copies would encrypt twice under one nonce.
struct CipherState {
    private var key: Secret
    // Where in `key` the 32 bytes begin.
    private var offset: Int
    private var nonce: UInt64 = 0

    /// Begins with nonce 0, under the 32 bytes of `key` that begin at `offset`.
    init(key: Secret, at offset: Int = 0) {
        precondition(offset >= 0 && offset + Noise.keyLength <= key.count, "a ChaCha20-Poly1305 key has 32 bytes")
        (self.key, self.offset) = (key, offset)
    }

    /// Encrypts the bytes from `start` to the end of `buffer` where they stand, and appends the tag.
    mutating func encrypt(_ buffer: inout [UInt8], from start: Int, binding hash: [UInt8] = []) throws(NoiseError) {
        let length = buffer.count - start
        guard nonce < .max, length + Noise.tagLength <= Noise.messageLength else { throw NoiseError() }
        let nonceBytes = Self.encode(nonce)
        buffer.append(contentsOf: [UInt8](repeating: 0, count: Noise.tagLength))
        unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let text = unsafe buffer.baseAddress.map({ unsafe $0 + start }) else { return }
            _ = unsafe key.withPointer { key in
                unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                    text,
                    nil,
                    text,
                    UInt64(length),
                    hash,
                    UInt64(hash.count),
                    nil,
                    nonceBytes,
                    key + offset
                )
            }
        }
        nonce += 1
    }

    /// Decrypts `range` of `buffer` where it stands and returns where its plaintext is.
    mutating func decrypt(
        _ buffer: inout [UInt8],
        _ range: Range<Int>,
        binding hash: [UInt8] = []
    ) throws(NoiseError) -> Range<Int> {
        guard nonce < .max, (Noise.tagLength...Noise.messageLength).contains(range.count) else { throw NoiseError() }
        precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count, "a record lies inside its buffer")
        let nonceBytes = Self.encode(nonce)
        let isAuthentic = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let text = unsafe buffer.baseAddress.map({ unsafe $0 + range.lowerBound }) else { return false }
            return unsafe key.withPointer { key in
                unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
                    text,
                    nil,
                    nil,
                    text,
                    UInt64(range.count),
                    hash,
                    UInt64(hash.count),
                    nonceBytes,
                    key + offset
                ) == 0
            }
        }
        guard isAuthentic else { throw NoiseError() }
        nonce += 1
        return range.lowerBound..<(range.upperBound - Noise.tagLength)
    }

    /// Whether `tag` is that of the first message under `key`, if that message is empty.
    static func isFirstTag(_ tag: [UInt8], binding hash: [UInt8], key: UnsafePointer<UInt8>) -> Bool {
        unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
            nil,
            nil,
            nil,
            tag,
            UInt64(tag.count),
            hash,
            UInt64(hash.count),
            encode(0),
            key
        ) == 0
    }

    /// Replaces the key by what it encrypts 32 zeros to under the last nonce (Noise, section 4.2); the nonce goes on.
    mutating func rekey() {
        let zeros = [UInt8](repeating: 0, count: Noise.keyLength)
        let nonceBytes = Self.encode(.max)
        let (old, oldOffset) = (key, offset)
        offset = 0
        key = unsafe Secret(count: Noise.keyLength) { memory in
            unsafe NoiseHash.withWipedMemory(Noise.keyLength + Noise.tagLength) { text in
                unsafe old.withPointer { key in
                    _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                        text,
                        nil,
                        zeros,
                        UInt64(zeros.count),
                        nil,
                        0,
                        nil,
                        nonceBytes,
                        key + oldOffset
                    )
                }
                unsafe memory.update(from: text, count: Noise.keyLength)
            }
        }
    }

    /// Four zero bytes and the number, little-endian: how Noise fills ChaCha20-Poly1305's nonce.
    private static func encode(_ nonce: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: nonce >> (8 * $0)) }
    }
}
