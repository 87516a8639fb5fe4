// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

struct FrontierTests {
    private func entries(_ numbers: inout SplitMix, count: Int) -> [FrontierEntry] {
        (0..<count).map { _ in
            FrontierEntry(
                device: DeviceName(numbers.bytes32()),
                journal: Bool.random(using: &numbers) ? .fabric : .content,
                sequence: UInt32.random(in: 1...UInt32.max, using: &numbers),
                tip: numbers.next()
            )
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `an entry survives its 45 bytes and no others`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        for entry in entries(&numbers, count: 5) {
            let bytes = entry.bytes
            #expect(bytes.count == FrontierEntry.encodedLength)
            #expect(try FrontierEntry(decoding: bytes) == entry)
            for count in bytes.indices {
                #expect(throws: WireError.truncated) { try FrontierEntry(decoding: Array(bytes.prefix(count))) }
            }
            #expect(throws: WireError.trailingBytes) { try FrontierEntry(decoding: bytes + [0]) }
        }
    }

    @Test func `an entry of no journal, or of nothing held, is refused`() {
        let bytes = FrontierEntry(device: DeviceName(.all(1)), journal: .content, sequence: 1, tip: 2).bytes
        var (nowhere, nothing) = (bytes, bytes)
        nowhere[32] = 2
        nothing[36] = 0
        #expect(throws: WireError.invalid("journal")) { try FrontierEntry(decoding: nowhere) }
        #expect(throws: WireError.invalid("sequence")) { try FrontierEntry(decoding: nothing) }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a frontier does not depend on the order in which it was collected`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let entries = entries(&numbers, count: 30)
        let frontier = Frontier(entries)
        let other = Frontier(entries.shuffled(using: &numbers))
        #expect(other == frontier && other.digest == frontier.digest)
        #expect(other.bucketDigests == frontier.bucketDigests)
        #expect(frontier.entries == entries.sorted())
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `any difference of one entry shows in the digest and in its bucket alone`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let entries = entries(&numbers, count: 40)
        let frontier = Frontier(entries)
        let old = try #require(entries.randomElement(using: &numbers))
        let variants: [[FrontierEntry]] = [
            [FrontierEntry(device: old.device, journal: old.journal, sequence: old.sequence, tip: old.tip ^ 1)],
            [FrontierEntry(device: old.device, journal: old.journal, sequence: old.sequence ^ 2, tip: old.tip)],
            [],
            // A second branch of the same journal.
            [old, FrontierEntry(device: old.device, journal: old.journal, sequence: old.sequence, tip: old.tip ^ 4)],
        ]
        for variant in variants {
            let other = Frontier(entries.filter { $0 != old } + variant)
            #expect(other.digest != frontier.digest)
            let different = (0..<Frontier.bucketCount).filter { frontier.bucketDigests[$0] != other.bucketDigests[$0] }
            #expect(different == [old.bucket])
        }
    }

    @Test func `an entry counts in the bucket of its device's first six bits`() {
        for (first, bucket) in [(0, 0), (3, 0), (4, 1), (128, 32), (255, 63)] as [(UInt8, Int)] {
            let entry = FrontierEntry(device: DeviceName(.all(first)), journal: .fabric, sequence: 1, tip: 0)
            #expect(entry.bucket == bucket)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `buckets hold all entries once, and those without any have no digest`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let frontier = Frontier(entries(&numbers, count: 50))
        let digests = frontier.bucketDigests
        #expect(digests.count == Frontier.bucketCount)
        for bucket in 0..<Frontier.bucketCount {
            let part = frontier.entries(in: [bucket])
            #expect(part == frontier.entries.filter { $0.bucket == bucket })
            #expect(digests[bucket] == (part.isEmpty ? 0 : Frontier(part).digest.prefix))
        }
        #expect(frontier.entries(in: Set(0..<Frontier.bucketCount)) == frontier.entries)
        #expect(frontier.entries(in: []).isEmpty)
    }

    @Test func `an empty frontier has a digest and no buckets`() {
        let frontier = Frontier([])
        #expect(frontier.digest != .zero && frontier.digest == Frontier([]).digest)
        #expect(frontier.bucketDigests.allSatisfy { $0 == 0 })
    }
}
