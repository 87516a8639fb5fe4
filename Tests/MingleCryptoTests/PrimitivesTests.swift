// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

struct PrimitivesTests {
    private let key = Secret([UInt8](repeating: 7, count: 32))
    private let nonce = [UInt8](repeating: 9, count: 24)

    @Test func `what was sealed opens only with the same key, nonce and associated data`() throws {
        let sealed = Sealing.seal([1, 2, 3], key: key, nonce: nonce, associatedData: [4])
        #expect(try Sealing.open(sealed, key: key, nonce: nonce, associatedData: [4]) == [1, 2, 3])
        #expect(throws: CryptoError.notAuthentic) {
            try Sealing.open(sealed, key: key, nonce: nonce, associatedData: [5])
        }
        #expect(throws: CryptoError.notAuthentic) {
            try Sealing.open(sealed, key: Secret([UInt8](repeating: 8, count: 32)), nonce: nonce, associatedData: [4])
        }
        #expect(throws: CryptoError.wrongLength) {
            try Sealing.open([1], key: key, nonce: nonce, associatedData: [4])
        }
    }

    @Test func `a signature fits its message and key and no other`() {
        let signer = SigningKey(seed: key)
        let signature = signer.sign([1, 2, 3])
        #expect(signature.isValid(for: [1, 2, 3], by: signer.publicKey))
        #expect(!signature.isValid(for: [1, 2, 4], by: signer.publicKey))
        #expect(!signature.isValid(for: [1, 2, 3], by: .zero))
    }

    @Test func `both sides of an agreement find the same secret, and weak keys are refused`() throws {
        let ana = AgreementKey(secret: key)
        let bob = AgreementKey(secret: Secret([UInt8](repeating: 8, count: 32)))
        let shared = try ana.sharedSecret(with: bob.publicKey).exposed()
        #expect(try bob.sharedSecret(with: ana.publicKey).exposed() == shared)
        #expect(throws: CryptoError.weakPublicKey) { try ana.sharedSecret(with: .zero) }
    }

    @Test func `a chunk of a blob can be decrypted by itself`() {
        let plain = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var whole = plain
        BlobCipher.apply(to: &whole, key: [UInt8](repeating: 1, count: 32), offset: 0)
        var part = Array(whole[640...])
        BlobCipher.apply(to: &part, key: [UInt8](repeating: 1, count: 32), offset: 640)
        #expect(part == Array(plain[640...]))
    }

    @Test func `hashes for different purposes differ, and pieces hash as the whole`() {
        #expect(Blake2b.hash(.header, [1]) != Blake2b.hash(.payload, [1]))
        var pieces = Blake2b(.header)
        pieces.update([1])
        pieces.update([9, 2, 9][1..<2])
        pieces.update(.zero)
        #expect(pieces.finalize32() == Blake2b.hash(.header, [1, 2] + [UInt8](repeating: 0, count: 32)))
        #expect(Set(HashPurpose.allCases.map(\.rawValue)).count == HashPurpose.allCases.count)
    }

    @Test func `a slot's box opens to the key that was put in`() throws {
        let box = SlotBox.seal(key, key: Secret(nonce + nonce[..<8]))
        #expect(try SlotBox.open(box, key: Secret(nonce + nonce[..<8])).exposed() == key.exposed())
        #expect(throws: CryptoError.notAuthentic) { try SlotBox.open(box, key: key) }
        #expect(throws: CryptoError.wrongLength) { try SlotBox.open(Array(box.prefix(15)), key: key) }
        #expect(throws: CryptoError.wrongLength) { try SlotBox.open(box, key: Secret(nonce)) }
    }

    @Test func `a hash under a key is another for another key, purpose or length`() {
        func hash(_ purpose: HashPurpose, key: Secret?, length: Int = 32) -> [UInt8] {
            var hash = Blake2b(purpose, key: key, length: length)
            hash.update([1])
            return hash.finalize()
        }
        let hashes = [
            hash(.slot, key: key), hash(.epoch, key: key), hash(.slot, key: Secret(nonce)), hash(.slot, key: nil),
            Array(hash(.slot, key: key, length: 64).prefix(32)),
        ]
        #expect(Set(hashes).count == hashes.count && hashes.allSatisfy { $0.count == 32 })
        #expect(Blake2b.hash(.slot, [1], length: 24).count == 24)
        #expect(Blake2b.hash(.slot, [1], length: 32) == Blake2b.hash(.slot, [1]).bytes)
    }

    @Test(arguments: [0, 1, 63, 65])
    func `a signature has 64 bytes`(count: Int) {
        #expect(Signature([UInt8](repeating: 1, count: count)) == nil)
        #expect(Signature([UInt8](repeating: 1, count: 64))?.bytes.count == 64)
    }

    @Test(arguments: [1, 32, 1000])
    func `the system gives as many random bytes as it is asked for, and others each time`(count: Int) {
        let draws = (0..<20).map { _ in Randomness.system.bytes(count) }
        #expect(draws.allSatisfy { $0.count == count })
        #expect(Set(draws).count > 1)
        #expect(Randomness.system.secret(count).count == count)
    }

    @Test func `keys of another length are a mistake that ends the program`() async {
        await #expect(processExitsWith: .failure) { _ = SigningKey(seed: Secret([UInt8](repeating: 1, count: 31))) }
        await #expect(processExitsWith: .failure) { _ = AgreementKey(secret: Secret([UInt8](repeating: 1, count: 33))) }
        await #expect(processExitsWith: .failure) { _ = PresharedState(psk: Secret([1])) }
        await #expect(processExitsWith: .failure) { _ = Blake2b(.slot, length: 65).finalize() }
    }
}
