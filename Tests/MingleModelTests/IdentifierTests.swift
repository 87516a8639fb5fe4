// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

struct IdentifierTests {
    @Test func `a reference survives the trip through its word`() throws {
        let reference = Reference(device: 0x0102_0304_0506_0708, journal: .content, sequence: 77, hash: .max)
        #expect(Reference(reference.description) == reference)
        #expect(reference.description.count == 34)
        #expect(Reference(bytes: reference.bytes) == reference)
    }

    @Test(arguments: ["", "a", "hello world", "7777777777777777777777777777777777", "é"])
    func `a word that no reference wrote is refused`(word: String) {
        #expect(Reference(word) == nil)
    }

    @Test func `base32 agrees with the vectors of RFC 4648`() {
        let vectors = ["": "", "f": "my", "fo": "mzxq", "foo": "mzxw6", "foob": "mzxw6yq", "foobar": "mzxw6ytboi"]
        for (plain, encoded) in vectors {
            #expect(Base32.encode(Array(plain.utf8)) == encoded)
            #expect(Base32.decode(encoded.uppercased()) == Array(plain.utf8))
        }
    }

    @Test func `32 bytes are ordered as the bytes are`() throws {
        let low = try #require(Bytes32([UInt8](repeating: 1, count: 31) + [2]))
        let high = try #require(Bytes32([2] + [UInt8](repeating: 0, count: 31)))
        #expect(low < high)
        #expect(low.bytes.count == 32 && Bytes32(low.bytes) == low)
        #expect(Bytes32([1, 2, 3]) == nil)
    }
}
