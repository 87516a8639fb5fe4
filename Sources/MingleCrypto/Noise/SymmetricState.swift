// SPDX-License-Identifier: Apache-2.0

import CSodium

/// What a handshake has mixed so far (Noise, section 5.2): chaining key, hash, and the key for the next payload.
///
/// In psk0 the psk is mixed before anything is sent, so there is always a key and no message in clear. Guarded memory
/// costs more than a hash, so chaining key and key share one secret, and what may be public never becomes one.
struct SymmetricState {
    // The chaining key, then the payload's key.
    private var keys: Secret
    private var cipher: CipherState
    private(set) var hash: [UInt8]

    /// Begins with the protocol's name, the prologue and the psk.
    init(prologue: [UInt8], psk: Secret) {
        // The name has more than 32 bytes, so its hash stands for it.
        let name = NoiseHash.hash(Array(Noise.protocolName.utf8))
        let hashed: [UInt8]
        (keys, hashed) = unsafe psk.withPointer { input in
            let input = unsafe UnsafeBufferPointer(start: input, count: psk.count)
            return unsafe NoiseHash.expand(chaining: Secret(name), input: input, count: 3) { output in
                let hashed = unsafe Array(UnsafeBufferPointer(start: output(2), count: Noise.keyLength))
                return unsafe (Self.join(output(1), output(3)), hashed)
            }
        }
        cipher = CipherState(key: keys, at: Noise.keyLength)
        hash = NoiseHash.hash(NoiseHash.hash(name, prologue), hashed)
    }

    /// Takes bytes that both sides see into the hash.
    mutating func mixHash(_ bytes: [UInt8]) { hash = NoiseHash.hash(hash, bytes) }

    /// Takes a shared secret into the keys.
    mutating func mixKey(_ input: Secret) {
        unsafe input.withPointer { unsafe mixKey(UnsafeBufferPointer(start: $0, count: input.count)) }
    }

    /// Takes a public key into hash and keys, as psk handshakes do with the ephemeral ones (Noise, section 9.2).
    mutating func mixHashAndKey(_ publicKey: [UInt8]) {
        mixHash(publicKey)
        unsafe publicKey.withUnsafeBufferPointer { unsafe mixKey($0) }
    }

    private mutating func mixKey(_ input: UnsafeBufferPointer<UInt8>) {
        keys = unsafe NoiseHash.expand(chaining: keys, input: input, count: 2) { output in
            unsafe Self.join(output(1), output(2))
        }
        cipher = CipherState(key: keys, at: Noise.keyLength)
    }

    /// Encrypts `plaintext`, bound to all that came before, and mixes the ciphertext.
    mutating func encryptAndHash(_ plaintext: [UInt8]) throws(NoiseError) -> [UInt8] {
        var text = plaintext
        try cipher.encrypt(&text, from: 0, binding: hash)
        mixHash(text)
        return text
    }

    /// Decrypts what ``encryptAndHash(_:)`` made and mixes the ciphertext.
    mutating func decryptAndHash(_ ciphertext: [UInt8]) throws(NoiseError) -> [UInt8] {
        var text = ciphertext
        let range = try cipher.decrypt(&text, text.indices, binding: hash)
        mixHash(ciphertext)
        return Array(text[range])
    }

    /// Whether `tag` is that of an empty payload after `publicKey` was mixed; changes nothing and keeps nothing.
    func expects(_ tag: [UInt8], after publicKey: [UInt8]) -> Bool {
        let hash = NoiseHash.hash(hash, publicKey)
        return unsafe publicKey.withUnsafeBufferPointer { input in
            unsafe NoiseHash.expand(chaining: keys, input: input, count: 2) { output in
                unsafe CipherState.isFirstTag(tag, binding: hash, key: output(2))
            }
        }
    }

    /// The two transport ciphers: the initiator's, then the responder's.
    func split() -> (initiator: CipherState, responder: CipherState) {
        let nothing = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        // Each has a secret of its own, so that its key is gone when it takes a new one.
        return unsafe NoiseHash.expand(chaining: keys, input: nothing, count: 2) { output in
            unsafe (CipherState(key: Self.copy(output(1))), CipherState(key: Self.copy(output(2))))
        }
    }

    private static func copy(_ key: UnsafePointer<UInt8>) -> Secret {
        unsafe Secret(count: Noise.keyLength) { unsafe $0.update(from: key, count: Noise.keyLength) }
    }

    private static func join(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) -> Secret {
        unsafe Secret(count: 2 * Noise.keyLength) { memory in
            unsafe memory.update(from: first, count: Noise.keyLength)
            unsafe (memory + Noise.keyLength).update(from: second, count: Noise.keyLength)
        }
    }
}
