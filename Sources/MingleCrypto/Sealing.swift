// SPDX-License-Identifier: Apache-2.0

import CSodium

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): how payloads are sealed.
package enum Sealing {
    /// Bytes of a nonce.
    package static let nonceLength = 24
    /// Bytes that sealing adds.
    package static let overhead = 16

    /// Encrypts `plaintext` and binds it to `associatedData`.
    ///
    /// A nonce must never serve one key twice.
    package static func seal(
        _ plaintext: [UInt8],
        key: Secret,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == nonceLength, "XChaCha20-Poly1305 needs 32 and 24 bytes")
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + overhead)
        unsafe key.withPointer { key in
            _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                &ciphertext,
                nil,
                plaintext,
                UInt64(plaintext.count),
                associatedData,
                UInt64(associatedData.count),
                nil,
                nonce,
                key
            )
        }
        return ciphertext
    }

    /// Decrypts what ``seal(_:key:nonce:associatedData:)`` made; throws `notAuthentic` for anything else.
    package static func open(
        _ ciphertext: [UInt8],
        key: Secret,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard ciphertext.count >= overhead, nonce.count == nonceLength, key.count == 32 else {
            throw .wrongLength
        }
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count - overhead)
        let isAuthentic = unsafe key.withPointer { key in
            unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                &plaintext,
                nil,
                nil,
                ciphertext,
                UInt64(ciphertext.count),
                associatedData,
                UInt64(associatedData.count),
                nonce,
                key
            ) == 0
        }
        guard isAuthentic else { throw .notAuthentic }
        return plaintext
    }
}

/// XSalsa20-Poly1305 under a key that seals one message only: how an epoch's key stands in a slot.
package enum SlotBox {
    /// Bytes that boxing adds.
    package static let overhead = 16
    private static let nonce = [UInt8](repeating: 0, count: 24)

    /// Boxes `plaintext` under a key that is never used again, which is why the nonce is zero.
    package static func seal(_ plaintext: Secret, key: Secret) -> [UInt8] {
        precondition(key.count == 32, "a box key has 32 bytes")
        var box = [UInt8](repeating: 0, count: plaintext.count + overhead)
        unsafe plaintext.withPointer { bytes in
            unsafe key.withPointer { key in
                _ = unsafe crypto_secretbox_easy(&box, bytes, UInt64(plaintext.count), nonce, key)
            }
        }
        return box
    }

    /// Opens what ``seal(_:key:)`` made.
    package static func open(_ box: [UInt8], key: Secret) throws(CryptoError) -> Secret {
        guard box.count >= overhead, key.count == 32 else { throw .wrongLength }
        var isAuthentic = false
        let secret = unsafe Secret(count: box.count - overhead) { memory in
            isAuthentic = unsafe key.withPointer { key in
                unsafe crypto_secretbox_open_easy(memory, box, UInt64(box.count), nonce, key) == 0
            }
        }
        guard isAuthentic else { throw .notAuthentic }
        return secret
    }
}

/// XChaCha20 as a seekable stream: how a blob's chunks are encrypted, each blob under a key of its own.
///
/// It authenticates nothing: the Merkle root that the signed header names does that, over the ciphertext.
package enum BlobCipher {
    /// Encrypts or decrypts `bytes` that stand at `offset` of the blob, which is a multiple of 64.
    package static func apply(to bytes: inout [UInt8], key: [UInt8], offset: Int) {
        precondition(key.count == 32 && offset >= 0 && offset % 64 == 0, "a chunk begins at a whole cipher block")
        Sodium.require()
        let nonce = [UInt8](repeating: 0, count: 24)
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            _ = unsafe crypto_stream_xchacha20_xor_ic(
                start,
                start,
                UInt64(buffer.count),
                nonce,
                UInt64(offset / 64),
                key
            )
        }
    }
}
