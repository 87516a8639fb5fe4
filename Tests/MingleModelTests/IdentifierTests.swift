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

    @Test(arguments: 0..<32)
    func `32 bytes are ordered as the bytes are`(place: Int) throws {
        var bytes = [UInt8](repeating: 7, count: 32)
        let middle = try #require(Bytes32(bytes))
        bytes[place] += 1
        // What comes behind the first difference does not count.
        for later in (place + 1)..<max(place + 1, 32) { bytes[later] = 0 }
        let high = try #require(Bytes32(bytes))
        #expect(middle < high && !(high < middle) && !(middle < middle))
        #expect(EventID(middle) < EventID(high))
        #expect(high.bytes == bytes && (0..<32).allSatisfy { high.inlineBytes[$0] == bytes[$0] })
    }

    @Test(arguments: [0, 3, 31, 33])
    func `32 bytes are read from any collection, and no other count`(count: Int) {
        let bytes = (0..<32).map { UInt8($0) }
        #expect(Bytes32(bytes.reversed() as ReversedCollection) == Bytes32(Array(bytes.reversed())))
        #expect(Bytes32(bytes[...]) == Bytes32(bytes))
        #expect(Bytes32((0..<count).map { UInt8($0) }) == nil)
        #expect(Bytes32((0..<count).map { UInt8($0) }.reversed() as ReversedCollection) == nil)
    }

    @Test func `a name is read back from its text, of either case, and from nothing else`() throws {
        let name = BlobName(try #require(Bytes32((0..<32).map { UInt8($0 * 8) })))
        #expect(name.description.count == 52)
        #expect(BlobName(text: name.description) == name && BlobName(text: name.description.uppercased()) == name)
        for text in ["", "1", String(name.description.dropLast()), name.description + "a", "0" + name.description] {
            #expect(BlobName(text: text) == nil)
        }
        #expect(BlobName(bytes: name.bytes) == name && BlobName(bytes: name.bytes.dropLast()) == nil)
    }
}
