// SPDX-License-Identifier: Apache-2.0

import CSodium

/// SHA-256 and the key derivation that Noise builds on it (section 4.3).
enum NoiseHash {
    /// SHA-256 of two pieces, one behind the other.
    static func hash(_ first: [UInt8], _ second: [UInt8] = []) -> [UInt8] {
        Sodium.require()
        var state = crypto_hash_sha256_state()
        var digest = [UInt8](repeating: 0, count: Noise.keyLength)
        _ = unsafe crypto_hash_sha256_init(&state)
        _ = unsafe crypto_hash_sha256_update(&state, first, UInt64(first.count))
        _ = unsafe crypto_hash_sha256_update(&state, second, UInt64(second.count))
        _ = unsafe crypto_hash_sha256_final(&state, &digest)
        return digest
    }

    /// HKDF: lends as many outputs as `body` asks for by their numbers, from 1, and wipes them afterwards.
    ///
    /// `chaining` is a secret whose first 32 bytes are the chaining key.
    @unsafe
    static func expand<Result>(
        chaining: Secret,
        input: UnsafeBufferPointer<UInt8>,
        count: Int,
        _ body: ((Int) -> UnsafePointer<UInt8>) -> Result
    ) -> Result {
        // Memory holds the temporary key and then every output, each with a spare byte for the next one's counter: so the
        // input of each HMAC, the previous output and a counter, lies in one piece.
        unsafe withWipedMemory(33 * (count + 1)) { start in
            _ = unsafe chaining.withPointer { key in
                unsafe crypto_auth_hmacsha256(start, input.baseAddress, UInt64(input.count), key)
            }
            for index in 1...count {
                let previous = unsafe start + (index - 1) * 33
                unsafe previous[32] = UInt8(index)
                let (text, length) = unsafe index == 1 ? (previous + 32, 1) : (previous, 33)
                _ = unsafe crypto_auth_hmacsha256(start + index * 33, text, UInt64(length), start)
            }
            return unsafe body { index in unsafe UnsafePointer(start + index * 33) }
        }
    }

    /// Lends memory for `count` bytes, at least one, and wipes it afterwards.
    @unsafe
    static func withWipedMemory<Result>(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { memory in
            guard let start = memory.baseAddress else { preconditionFailure("memory for \(count) bytes is not empty") }
            defer { unsafe sodium_memzero(start, count) }
            return unsafe body(start)
        }
    }
}
