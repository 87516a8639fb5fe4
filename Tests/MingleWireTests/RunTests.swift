// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

struct RunTests {
    /// Where a run says how many deltas it has; the first delta's flags come next.
    private static let countOffset = 69

    private func smallJournal(_ payloads: [[UInt8]] = [[1, 2, 3], [], [4, 5]]) -> TestJournal {
        var journal = TestJournal()
        for payload in payloads { journal.write(payload) }
        return journal
    }

    @Test(arguments: 0..<60 as Range<UInt64>, [Journal.fabric, .content])
    func `a run survives its form`(seed: UInt64, place: Journal) throws {
        var numbers = SplitMix(seed: seed)
        let before = seed % 3 == 0 ? 0 : UInt32.random(in: 1...200, using: &numbers)
        var journal = TestJournal(journal: place, after: before)
        let count = Int.random(in: 1...64, using: &numbers)
        if place == .content {
            journal.writeEverything(&numbers, count: count)
        } else {
            for _ in 0..<count { journal.write(numbers.bytes(40), isSigned: true) }
        }
        let run = journal.run
        let read = try Run(decoding: run.encoded()[...], event: journal.event)
        #expect(read == run)
        #expect(read.isProved(by: journal.signing.publicKey))
        #expect(read.deltas.allSatisfy { $0.hash == $0.header.hash })
    }

    @Test func `a run that stands in the middle of other bytes is read`() throws {
        let journal = smallJournal()
        let bytes = [9, 9, 9] + journal.run.encoded() + [9]
        #expect(try Run(decoding: bytes[3..<(bytes.count - 1)], event: journal.event) == journal.run)
    }

    @Test func `a run has 1 to 64 deltas`() throws {
        var journal = TestJournal()
        for _ in 0..<64 { journal.write([1]) }
        let whole = journal.run
        #expect(try Run(decoding: whole.encoded()[...], event: journal.event) == whole)

        for count: UInt8 in [0, 65, 255] {
            var bytes = whole.encoded()
            bytes[Self.countOffset] = count
            #expect(throws: WireError.invalid("run length")) { try Run(decoding: bytes[...], event: journal.event) }
        }
    }

    @Test func `a run of 65 deltas cannot be made`() async {
        await #expect(processExitsWith: .failure) {
            var journal = TestJournal()
            for _ in 0..<65 { journal.write([1]) }
            _ = journal.run
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `every truncation and every extension is refused`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        var journal = TestJournal()
        journal.writeEverything(&numbers, count: 3)
        let bytes = journal.run.encoded()
        for count in bytes.indices {
            #expect(throws: WireError.truncated) { try Run(decoding: bytes.prefix(count), event: journal.event) }
        }
        #expect(throws: WireError.trailingBytes) { try Run(decoding: (bytes + [0])[...], event: journal.event) }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `a run in which any byte was changed is refused or proves nothing`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        var journal = TestJournal(after: 61)
        journal.writeEverything(&numbers, count: 5)
        let run = journal.run
        let bytes = run.encoded()
        #expect(run.deltas.contains { $0.header.sequence == 64 && $0.signature != nil })
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            guard let read = try? Run(decoding: changed[...], event: journal.event) else { continue }
            #expect(!read.isProved(by: journal.signing.publicKey), "byte \(index)")
        }
    }

    @Test func `a changed payload changes the hash of its header and of all that follow`() throws {
        let journal = smallJournal()
        var bytes = journal.run.encoded()
        // The first payload is the only place that holds these bytes.
        let index = try #require(bytes.indices.dropLast(2).first { Array(bytes[$0...($0 + 2)]) == [1, 2, 3] })
        bytes[index] = 7
        let read = try Run(decoding: bytes[...], event: journal.event)
        #expect(zip(read.deltas, journal.run.deltas).allSatisfy { $0.hash != $1.hash })
        #expect(!read.isProved(by: journal.signing.publicKey))
    }

    @Test func `a run of another event, or of another device, proves nothing`() throws {
        let journal = smallJournal()
        let elsewhere = try Run(decoding: journal.run.encoded()[...], event: Sample.eventID(200))
        #expect(!elsewhere.isProved(by: journal.signing.publicKey))
        #expect(!journal.run.isProved(by: TestJournal(number: 2).signing.publicKey))
        #expect(journal.run.isProved(by: journal.signing.publicKey))
    }

    @Test func `a run whose last delta is not signed is refused`() {
        var journal = TestJournal()
        journal.write([1, 2, 3])
        var bytes = journal.run.encoded()
        bytes[Self.countOffset + 1] &= ~64
        bytes.removeLast(Signature.length)
        #expect(throws: WireError.invalid("run signature")) { try Run(decoding: bytes[...], event: journal.event) }
    }

    @Test func `a signature that everybody keeps must have come along`() {
        var journal = TestJournal(after: 62)
        for isSigned in [nil, false, nil] { journal.write([1], isSigned: isSigned) }
        #expect(journal.run.first.header.sequence == 63)
        #expect(!journal.run.isProved(by: journal.signing.publicKey))
    }

    @Test func `a wrong signature in the middle spoils the run`() throws {
        var journal = TestJournal()
        journal.write([1])
        journal.write([2], isSigned: true)
        journal.write([3])
        var deltas = journal.run.deltas
        #expect(Run(deltas).isProved(by: journal.signing.publicKey))
        deltas[1].signature = journal.signing.sign([1])
        let run = try Run(decoding: Run(deltas).encoded()[...], event: journal.event)
        #expect(!run.isProved(by: journal.signing.publicKey))
    }

    @Test func `a payload that did not come along is nil, and an empty one has come`() throws {
        var journal = TestJournal()
        journal.write([1, 2, 3], isHeld: false)
        journal.write([], isHeld: false)
        let read = try Run(decoding: journal.run.encoded()[...], event: journal.event)
        #expect(read.first.payload == nil && read.last.payload == [])
        #expect(read.first.header.payloadHash == Blake2b.hash(.payload, [1, 2, 3]))
        #expect(read.isProved(by: journal.signing.publicKey))
    }

    @Test func `an empty payload cannot have the hash of another`() {
        var journal = TestJournal()
        journal.write([], isHeld: false) { $0.payloadHash = .all(1) }
        let bytes = journal.run.encoded()
        #expect(throws: WireError.invalid("payload hash")) { try Run(decoding: bytes[...], event: journal.event) }
    }

    @Test(arguments: [0, 2] as [UInt32])
    func `a run that begins a journal anywhere but at 1 is refused`(sequence: UInt32) {
        let journal = smallJournal()
        var bytes = journal.run.encoded()
        bytes.replaceSubrange(33..<37, with: [0, 0, 0, UInt8(sequence)])
        #expect(throws: WireError.invalid("sequence")) { try Run(decoding: bytes[...], event: journal.event) }
    }

    @Test func `a run does not go beyond the last place of a journal`() throws {
        var journal = TestJournal(after: .max - 1)
        journal.write([1], isSigned: true)
        #expect(try Run(decoding: journal.run.encoded()[...], event: journal.event) == journal.run)
        journal.write([2], isSigned: true)
        let bytes = journal.run.encoded()
        #expect(throws: WireError.invalid("sequence")) { try Run(decoding: bytes[...], event: journal.event) }
    }

    @Test func `an unknown journal or flag is refused`() {
        let journal = smallJournal()
        var bytes = journal.run.encoded()
        bytes[32] = 2
        #expect(throws: WireError.invalid("journal")) { try Run(decoding: bytes[...], event: journal.event) }
        bytes[32] = 1
        bytes[Self.countOffset + 1] |= 128
        #expect(throws: WireError.invalid("flags")) { try Run(decoding: bytes[...], event: journal.event) }
    }
}
