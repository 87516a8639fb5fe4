// SPDX-License-Identifier: Apache-2.0

/// Why a cryptographic operation refused its input.
package enum CryptoError: Error, Equatable {
    /// A key, nonce or signature has the wrong number of bytes.
    case wrongLength
    /// The authenticator or signature does not fit the bytes: they were changed, or the key is another one.
    case notAuthentic
    /// The other side's public key yields a shared secret that anybody knows (RFC 7748, section 6.1).
    case weakPublicKey
    /// The memory that deriving a key from a passphrase takes is not there.
    case outOfMemory
}
