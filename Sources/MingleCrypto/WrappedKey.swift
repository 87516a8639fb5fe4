// SPDX-License-Identifier: Apache-2.0

import CSodium

/// How much work a guess of a passphrase takes: the parameters of Argon2id (RFC 9106).
package struct PassphraseCost: Hashable, Sendable {
    /// Passes over the memory.
    package let passes: Int
    /// Bytes of memory.
    package let memory: Int

    /// Cost for new keys: `crypto_pwhash_MODERATE` of libsodium, 3 passes over 256 MiB, about a second.
    package static let standard = PassphraseCost(uncheckedPasses: 3, memory: 256 << 20)
    /// The least that libsodium accepts, for tests.
    package static let least = PassphraseCost(uncheckedPasses: 1, memory: 8 << 10)
    /// Limits for what a file asks of its reader: `crypto_pwhash_SENSITIVE`.
    private static let (mostPasses, mostMemory) = (4, 1 << 30)

    private init(uncheckedPasses passes: Int, memory: Int) { (self.passes, self.memory) = (passes, memory) }

    /// Creates a cost; nil beyond 4 passes or 1 GiB, or below what libsodium accepts.
    package init?(passes: Int, memory: Int) {
        guard (1...Self.mostPasses).contains(passes), (8 << 10...Self.mostMemory).contains(memory) else { return nil }
        self.init(uncheckedPasses: passes, memory: memory)
    }
}

/// A key of 32 bytes, encrypted under a key that Argon2id (RFC 9106) derives from a passphrase.
package struct WrappedKey: Hashable, Sendable {
    /// Bytes of a salt.
    package static let saltLength = 16
    /// Bytes of the box: the key and its authenticator.
    package static let boxLength = 32 + SlotBox.overhead

    /// The salt of the derivation.
    package let salt: [UInt8]
    /// The cost of the derivation.
    package let cost: PassphraseCost
    /// The encrypted key.
    package let box: [UInt8]

    /// Takes what was stored; nil if a length is wrong.
    package init?(salt: [UInt8], cost: PassphraseCost, box: [UInt8]) {
        guard salt.count == Self.saltLength, box.count == Self.boxLength else { return nil }
        (self.salt, self.cost, self.box) = (salt, cost, box)
    }

    /// Encrypts `key` under a passphrase.
    ///
    /// - Throws: `outOfMemory` if the derivation cannot have its memory.
    package init(
        _ key: Secret,
        passphrase: Secret,
        cost: PassphraseCost = .standard,
        randomness: Randomness = .system
    ) throws(CryptoError) {
        (salt, self.cost) = (randomness.bytes(Self.saltLength), cost)
        // The salt makes a new key for each box, as SlotBox demands.
        box = SlotBox.seal(key, key: try Self.derive(passphrase, salt, cost))
    }

    /// Decrypts the key.
    ///
    /// - Throws: `notAuthentic` for another passphrase or a changed box, `outOfMemory` if the derivation cannot have
    ///   its memory.
    package func key(passphrase: Secret) throws(CryptoError) -> Secret {
        try SlotBox.open(box, key: try Self.derive(passphrase, salt, cost))
    }

    private static func derive(
        _ passphrase: Secret,
        _ salt: [UInt8],
        _ cost: PassphraseCost
    ) throws(CryptoError) -> Secret {
        var isDone = false
        let key = unsafe Secret(count: 32) { memory in
            isDone = unsafe passphrase.withPointer { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self, capacity: passphrase.count) { characters in
                    unsafe crypto_pwhash(
                        memory,
                        32,
                        characters,
                        UInt64(passphrase.count),
                        salt,
                        UInt64(cost.passes),
                        cost.memory,
                        crypto_pwhash_ALG_ARGON2ID13
                    ) == 0
                }
            }
        }
        guard isDone else { throw .outOfMemory }
        return key
    }
}
