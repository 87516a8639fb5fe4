// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleCrypto

/// Keys that a passphrase unlocks, and streams.
struct PassphraseTests {
    private let key = Secret([UInt8](repeating: 7, count: 32))
    private func passphrase(_ text: String) -> Secret { Secret(Array(text.utf8)) }

    @Test func `a key is unlocked by its passphrase, salt and cost alone`() throws {
        let wrapped = try WrappedKey(key, passphrase: passphrase("right"), cost: .least)
        #expect(try wrapped.key(passphrase: passphrase("right")).exposed() == key.exposed())
        #expect(throws: CryptoError.notAuthentic) { try wrapped.key(passphrase: passphrase("Right")) }
        #expect(throws: CryptoError.notAuthentic) { try wrapped.key(passphrase: passphrase("")) }
        let dearer = try #require(PassphraseCost(passes: 2, memory: 8 << 10))
        for other in [
            WrappedKey(salt: [UInt8](repeating: 0, count: 16), cost: .least, box: wrapped.box),
            WrappedKey(salt: wrapped.salt, cost: dearer, box: wrapped.box),
            WrappedKey(salt: wrapped.salt, cost: .least, box: wrapped.box.dropLast() + [wrapped.box[47] ^ 1]),
        ] {
            let other = try #require(other)
            #expect(throws: CryptoError.notAuthentic) { try other.key(passphrase: passphrase("right")) }
        }
        let again = try WrappedKey(key, passphrase: passphrase("right"), cost: .least)
        #expect(again.salt != wrapped.salt && again.box != wrapped.box)
    }

    @Test func `a file cannot ask its reader for more than a gigabyte or four passes`() {
        for (passes, memory) in [(0, 1 << 20), (5, 1 << 20), (3, (1 << 30) + 1), (3, 0), (-1, -1)] {
            #expect(PassphraseCost(passes: passes, memory: memory) == nil)
        }
        #expect(PassphraseCost(passes: 3, memory: 256 << 20) == .standard)
        #expect(WrappedKey(salt: [1], cost: .least, box: [UInt8](repeating: 0, count: 48)) == nil)
        #expect(WrappedKey(salt: [UInt8](repeating: 0, count: 16), cost: .least, box: []) == nil)
    }

    @Test func `the parts of a stream open in their order, for their key and purpose`() throws {
        let sealer = StreamSealer(key: key)
        let parts = [[1, 2, 3], [], [4]].map { $0 as [UInt8] }
        let sealed = parts.enumerated().map { sealer.seal($1, isLast: $0 == 2, purpose: [9]) }
        func open(_ sealed: [[UInt8]], key: Secret? = nil, purpose: [UInt8] = [9]) throws -> [Bool] {
            let opener = try StreamOpener(key: key ?? self.key, header: sealer.header)
            return try sealed.map { try opener.open($0, purpose: purpose).isLast }
        }
        #expect(try open(sealed) == [false, false, true])
        // Without its end it is not whole.
        #expect(try open(Array(sealed.dropLast())).contains(true) == false)
        for bad in [
            [sealed[1], sealed[0]], [sealed[0], sealed[2]], [sealed[0], sealed[0]], [Array(sealed[0].dropLast())],
        ] {
            #expect(throws: CryptoError.self) { try open(bad) }
        }
        #expect(throws: CryptoError.notAuthentic) { try open(sealed, key: Secret([UInt8](repeating: 8, count: 32))) }
        #expect(throws: CryptoError.notAuthentic) { try open(sealed, purpose: [8]) }
    }

    @Test(arguments: [0, 1, SealedStream.partLength, SealedStream.partLength + 1, 3 * SealedStream.partLength])
    func `the length of a stream follows from that of its content`(size: Int) {
        let parts = max(1, (size + SealedStream.partLength - 1) / SealedStream.partLength)
        #expect(SealedStream.length(of: size) == 24 + size + 17 * parts)
    }
}
