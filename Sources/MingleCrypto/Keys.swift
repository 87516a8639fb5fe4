// SPDX-License-Identifier: Apache-2.0

import CSodium
package import MingleModel

/// An Ed25519 signature (RFC 8032), 64 bytes.
package struct Signature: Hashable, Sendable {
    /// Bytes of a signature.
    package static let length = 64
    /// The 64 bytes.
    package let bytes: [UInt8]

    /// Wraps exactly 64 bytes; nil for any other count.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Wraps what libsodium made.
    fileprivate init(made bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the holder of the key behind `publicKey` signed `message`.
    package func isValid(for message: [UInt8], by publicKey: Bytes32) -> Bool {
        Sodium.require()
        return unsafe crypto_sign_verify_detached(bytes, message, UInt64(message.count), publicKey.bytes) == 0
    }
}

/// The secret half of an Ed25519 key pair (RFC 8032), derived from a 32-byte seed.
package struct SigningKey: Sendable {
    /// The public half.
    package let publicKey: Bytes32
    /// The seed that the pair follows from; what is stored.
    package let seed: Secret
    private let secretKey: Secret

    /// Derives the pair from a seed of 32 bytes.
    package init(seed: Secret) {
        precondition(seed.count == 32, "an Ed25519 seed has 32 bytes")
        var publicKey = [UInt8](repeating: 0, count: 32)
        secretKey = unsafe Secret(count: 64) { memory in
            unsafe seed.withPointer { seed in
                _ = unsafe crypto_sign_seed_keypair(&publicKey, memory, seed)
            }
        }
        self.seed = seed
        self.publicKey = Bytes32(at: 0, of: publicKey.span)
    }

    /// Signs `message`.
    package func sign(_ message: [UInt8]) -> Signature {
        var signature = [UInt8](repeating: 0, count: Signature.length)
        unsafe secretKey.withPointer { key in
            _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), key)
        }
        return Signature(made: signature)
    }
}

/// The secret half of an X25519 key pair (RFC 7748).
package struct AgreementKey: Sendable {
    /// The public half.
    package let publicKey: Bytes32
    /// The 32 secret bytes; what is stored.
    package let secret: Secret

    /// Derives the public half of 32 secret bytes.
    package init(secret: Secret) {
        precondition(secret.count == 32, "an X25519 key has 32 bytes")
        Sodium.require()
        var publicKey = [UInt8](repeating: 0, count: 32)
        unsafe secret.withPointer { key in _ = unsafe crypto_scalarmult_base(&publicKey, key) }
        self.secret = secret
        self.publicKey = Bytes32(at: 0, of: publicKey.span)
    }

    /// The X25519 output with the other side's public key; throws `weakPublicKey` where that would be no secret.
    package func sharedSecret(with publicKey: Bytes32) throws(CryptoError) -> Secret {
        var isStrong = false
        let other = publicKey.bytes
        let shared = unsafe Secret(count: 32) { memory in
            isStrong = unsafe secret.withPointer { key in unsafe crypto_scalarmult(memory, key, other) == 0 }
        }
        guard isStrong else { throw .weakPublicKey }
        return shared
    }
}
