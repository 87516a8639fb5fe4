// SPDX-License-Identifier: Apache-2.0

import CSodium

/// A file that is encrypted in parts: libsodium's secretstream, XChaCha20-Poly1305 with a tag at the last part.
///
/// Parts that are changed, left out, repeated or moved do not open, and without its last part a stream has no end.
package enum SealedStream {
    /// Bytes of a part before it is encrypted; only the last one is shorter.
    package static let partLength = 1 << 20
    /// Bytes that stand before the first part.
    package static let headerLength = 24
    /// Bytes that encryption adds to each part.
    package static let overhead = 17

    /// Bytes of a stream for so many bytes of content.
    package static func length(of size: Int) -> Int {
        headerLength + size + overhead * max(1, (size + partLength - 1) / partLength)
    }
}

/// Encrypts a stream.
@safe
package final class StreamSealer {
    /// The bytes that stand before the first part.
    package let header: [UInt8]
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Begins a stream under `key`, which may serve many streams.
    package init(key: Secret) {
        precondition(key.count == 32, "a stream needs a key of 32 bytes")
        var state = crypto_secretstream_xchacha20poly1305_state()
        var header = [UInt8](repeating: 0, count: SealedStream.headerLength)
        unsafe key.withPointer { key in
            _ = unsafe crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key)
        }
        (self.state, self.header) = (state, header)
    }

    deinit { unsafe sodium_memzero(&state, MemoryLayout<crypto_secretstream_xchacha20poly1305_state>.size) }

    /// Encrypts the next part and binds it to `purpose`.
    package func seal(_ part: [UInt8], isLast: Bool, purpose: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: part.count + SealedStream.overhead)
        let tag = isLast ? crypto_secretstream_xchacha20poly1305_tag_final() : 0
        _ = unsafe crypto_secretstream_xchacha20poly1305_push(
            &state,
            &sealed,
            nil,
            part,
            UInt64(part.count),
            purpose,
            UInt64(purpose.count),
            tag
        )
        return sealed
    }
}

/// Decrypts a stream.
@safe
package final class StreamOpener {
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Begins to read a stream; throws `wrongLength` for another header.
    package init(key: Secret, header: [UInt8]) throws(CryptoError) {
        guard key.count == 32, header.count == SealedStream.headerLength else { throw .wrongLength }
        Sodium.require()
        var state = crypto_secretstream_xchacha20poly1305_state()
        unsafe key.withPointer { key in
            _ = unsafe crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key)
        }
        self.state = state
    }

    deinit { unsafe sodium_memzero(&state, MemoryLayout<crypto_secretstream_xchacha20poly1305_state>.size) }

    /// Decrypts the next part.
    ///
    /// - Throws: `notAuthentic` unless it is the next part of this stream, for this key and purpose.
    package func open(_ sealed: [UInt8], purpose: [UInt8]) throws(CryptoError) -> (part: [UInt8], isLast: Bool) {
        guard sealed.count >= SealedStream.overhead else { throw .wrongLength }
        var part = [UInt8](repeating: 0, count: sealed.count - SealedStream.overhead)
        var tag: UInt8 = 0
        let isAuthentic =
            unsafe crypto_secretstream_xchacha20poly1305_pull(
                &state,
                &part,
                nil,
                &tag,
                sealed,
                UInt64(sealed.count),
                purpose,
                UInt64(purpose.count)
            ) == 0
        guard isAuthentic else { throw .notAuthentic }
        return (part, tag == crypto_secretstream_xchacha20poly1305_tag_final())
    }
}
