// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import Testing

struct KnownSignaturesTests {
    private let signer = SigningKey(seed: Secret([UInt8](repeating: 7, count: 32)))
    private let other = SigningKey(seed: Secret([UInt8](repeating: 8, count: 32)))

    @Test func `a signature that is known stays valid for its message and its key alone`() {
        let known = KnownSignatures()
        let signature = signer.sign([1, 2, 3])
        for _ in 0..<2 {
            #expect(known.isValid(signature, for: [1, 2, 3], by: signer.publicKey))
            #expect(!known.isValid(signature, for: [1, 2, 4], by: signer.publicKey))
            #expect(!known.isValid(signature, for: [1, 2, 3], by: other.publicKey))
            #expect(!known.isValid(other.sign([1, 2, 3]), for: [1, 2, 3], by: signer.publicKey))
        }
    }

    @Test func `what was forgotten is checked again`() {
        let known = KnownSignatures(limit: 2)
        for number in UInt8(0)..<9 {
            #expect(known.isValid(signer.sign([number]), for: [number], by: signer.publicKey))
        }
        #expect(known.isValid(signer.sign([0]), for: [0], by: signer.publicKey))
    }
}
