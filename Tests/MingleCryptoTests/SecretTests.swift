// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleCrypto

struct SecretTests {
    @Test func `tens of thousands of secrets at once keep their own bytes`() {
        // A process may have 65 530 mappings, of which each secret once took several.
        let contents = (0..<40_000).map { number in
            (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 & 3))) }
        }
        let secrets = contents.map { Secret($0) }
        #expect(zip(secrets, contents).allSatisfy { $0.exposed() == $1 })
    }

    @Test(arguments: [0, 1, 32, 64, 65, 5000])
    func `a secret has as many bytes as it was given`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let secret = Secret(bytes)
        #expect(secret.count == count && secret.exposed() == bytes)
    }

    @Test func `nothing is left of a secret where the next one comes to lie`() {
        for _ in 0..<100 {
            // Let go of at once, so that its place is the first to be given away.
            _ = Secret([UInt8](repeating: 0xAA, count: SecretMemory.slotLength))
            var found: [UInt8] = []
            _ = unsafe Secret(count: SecretMemory.slotLength) { memory in
                found = (0..<SecretMemory.slotLength).map { unsafe memory[$0] }
            }
            #expect(found.allSatisfy { $0 == 0 })
        }
    }

    @Test func `two secrets that live at once lie apart`() {
        let first = Secret([UInt8](repeating: 1, count: 64))
        let second = Secret([UInt8](repeating: 2, count: 64))
        #expect(first.exposed().allSatisfy { $0 == 1 } && second.exposed().allSatisfy { $0 == 2 })
    }
}
