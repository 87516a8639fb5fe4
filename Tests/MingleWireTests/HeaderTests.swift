// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

struct HeaderTests {
    /// A header that is valid and has one of everything.
    private func sample() -> Header {
        Header(
            event: Sample.eventID(1),
            device: DeviceName(.all(2)),
            journal: .content,
            sequence: 5,
            previous: HeaderHash(.all(3)),
            timestamp: Timestamp(milliseconds: 1_700_000_000_000),
            salt: 0x0102_0304_0506_0708,
            epoch: EpochID(.all(4)),
            root: .reference(Reference(device: 6, journal: .content, sequence: 7, hash: 8)),
            payloadLength: 300,
            payloadHash: .all(9),
            blobs: [BlobListing(name: BlobName(.all(10)), size: 12_345)],
            extensionBytes: [1, 2, 3]
        )
    }

    private func deletion() -> Header {
        var header = sample()
        (header.isDeletion, header.payloadLength, header.blobs, header.epoch) = (true, 0, [], .plaintext)
        return header
    }

    private func context(of header: Header, epoch: EpochID? = nil) -> HeaderContext {
        HeaderContext(
            event: header.event,
            device: header.device,
            journal: header.journal,
            sequence: header.sequence,
            previous: header.previous,
            epoch: epoch ?? header.epoch
        )
    }

    // MARK: - The canonical form

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a header survives its canonical form`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let header = numbers.header()
        let bytes = header.encoded()
        #expect(try Header(decoding: bytes) == header)
        #expect(bytes.count + Signature.length <= Limits.headerLength)
        #expect(bytes.starts(with: header.sealedPrefix) && header.sealedPrefix.count == Header.sealedPrefixLength)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `every truncation and every extension is refused`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let bytes = numbers.header().encoded()
        for count in bytes.indices {
            #expect(throws: WireError.truncated) { try Header(decoding: Array(bytes.prefix(count))) }
        }
        for extra in [1, 2, 100] {
            let extended = bytes + [UInt8](repeating: 0, count: extra)
            #expect(throws: WireError.trailingBytes) { try Header(decoding: extended) }
        }
        let long = bytes + [UInt8](repeating: 0, count: Limits.headerLength)
        #expect(throws: WireError.tooLarge("header")) { try Header(decoding: long) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `there is one canonical form, and every bit of it counts`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let header = numbers.header()
        let bytes = header.encoded()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            guard let read = try? Header(decoding: changed) else { continue }
            #expect(read.encoded() == changed)
            #expect(read != header && read.hash != header.hash)
        }
    }

    // MARK: - What is refused

    @Test(arguments: [0, 2, 255] as [UInt8])
    func `an unknown version is refused`(version: UInt8) {
        var bytes = sample().encoded()
        bytes[0] = version
        #expect(throws: WireError.unknownVersion(version)) { try Header(decoding: bytes) }
    }

    @Test(arguments: [2, 3, 255] as [UInt8])
    func `an unknown journal is refused`(journal: UInt8) {
        var bytes = sample().encoded()
        bytes[65] = journal
        #expect(throws: WireError.invalid("journal")) { try Header(decoding: bytes) }
    }

    @Test(arguments: [8, 16, 32, 64, 128] as [UInt8])
    func `an unknown flag is refused`(flag: UInt8) {
        var bytes = sample().encoded()
        bytes[150] |= flag
        #expect(throws: WireError.invalid("flags")) { try Header(decoding: bytes) }
    }

    @Test func `an unknown root is refused`() {
        var bytes = sample().encoded()
        #expect(bytes[150] == 1)
        bytes[150] = 3
        #expect(throws: WireError.invalid("root")) { try Header(decoding: bytes) }
    }

    @Test func `a root that names no journal is refused`() {
        var bytes = sample().encoded()
        bytes[151 + 8] = 2
        #expect(throws: WireError.invalid("reference")) { try Header(decoding: bytes) }
    }

    @Test func `a journal begins at 1 and nowhere else`() {
        var header = sample()
        header.sequence = 0
        #expect(throws: WireError.invalid("sequence")) { try Header(decoding: header.encoded()) }
        header.previous = .none
        #expect(throws: WireError.invalid("sequence")) { try Header(decoding: header.encoded()) }
        header.sequence = 2
        #expect(throws: WireError.invalid("previous")) { try Header(decoding: header.encoded()) }
        (header.sequence, header.previous) = (1, HeaderHash(.all(1)))
        #expect(throws: WireError.invalid("previous")) { try Header(decoding: header.encoded()) }
    }

    @Test func `a time that does not fit is refused`() {
        var bytes = sample().encoded()
        bytes[102] = 0x80
        #expect(throws: WireError.invalid("timestamp")) { try Header(decoding: bytes) }
    }

    @Test func `a payload has at most 64 KiB`() throws {
        var header = sample()
        header.payloadLength = 65536
        #expect(try Header(decoding: header.encoded()) == header)
        header.payloadLength = 65537
        #expect(throws: WireError.tooLarge("payload")) { try Header(decoding: header.encoded()) }
    }

    @Test func `a header lists at most eight blobs`() throws {
        var header = sample()
        header.blobs = (1...8).map { BlobListing(name: BlobName(.all($0)), size: UInt64($0)) }
        #expect(try Header(decoding: header.encoded()) == header)
        header.blobs.append(BlobListing(name: BlobName(.all(9)), size: 9))
        #expect(throws: WireError.tooLarge("blobs")) { try Header(decoding: header.encoded()) }
    }

    @Test(arguments: [(0, false), (1, true), (4 << 30, true), (4 << 30 + 1, false), (.max, false)] as [(UInt64, Bool)])
    func `a blob has from one byte to four gibibytes`(size: UInt64, isAllowed: Bool) throws {
        var header = sample()
        header.blobs = [BlobListing(name: BlobName(.all(1)), size: size)]
        if isAllowed {
            #expect(try Header(decoding: header.encoded()) == header)
        } else {
            #expect(throws: WireError.invalid("blob size")) { try Header(decoding: header.encoded()) }
        }
    }

    @Test func `an extension has at most 256 bytes`() throws {
        var header = sample()
        header.extensionBytes = [UInt8](repeating: 1, count: 256)
        #expect(try Header(decoding: header.encoded()) == header)
        header.extensionBytes.append(1)
        #expect(throws: WireError.tooLarge("extension")) { try Header(decoding: header.encoded()) }
    }

    @Test func `a deletion has nothing but what it deletes`() throws {
        let deletion = deletion()
        #expect(try Header(decoding: deletion.encoded()) == deletion)
        let changes: [(inout Header) -> Void] = [
            { $0.payloadLength = 1 },
            { $0.blobs = [BlobListing(name: BlobName(.all(1)), size: 1)] },
            { $0.epoch = EpochID(.all(1)) },
            { $0.root = .itself },
            { $0.root = .none },
            { $0.journal = .fabric },
        ]
        for change in changes {
            var header = deletion
            change(&header)
            #expect(throws: WireError.invalid("deletion")) { try Header(decoding: header.encoded()) }
            let stored = header.stored(payloadIsHeld: false)
            #expect(throws: WireError.invalid("deletion")) {
                try Header(stored: stored, in: context(of: header), payload: nil)
            }
        }
    }

    @Test func `what everybody must read is not encrypted`() throws {
        var header = sample()
        (header.journal, header.epoch) = (.fabric, .plaintext)
        #expect(try Header(decoding: header.encoded()) == header)
        header.epoch = EpochID(.all(1))
        #expect(throws: WireError.invalid("epoch")) { try Header(decoding: header.encoded()) }
    }

    // MARK: - The compact form

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a header survives its compact form`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        var header = numbers.header()
        let without = header.stored(payloadIsHeld: false)
        #expect(try Header(stored: without, in: context(of: header), payload: nil) == header)
        #expect(try Header.storedPayloadLength(without) == Int(header.payloadLength))

        let payload = numbers.bytes(header.isDeletion ? 0 : 90)
        (header.payloadLength, header.payloadHash) = (UInt32(payload.count), Blake2b.hash(.payload, payload))
        let with = header.stored(payloadIsHeld: true)
        #expect(try Header(stored: with, in: context(of: header), payload: payload) == header)
        #expect(try Header.storedPayloadLength(with) == payload.count)
        #expect(with.count < header.encoded().count)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `every truncation and every extension of the compact form is refused`(seed: UInt64) {
        var numbers = SplitMix(seed: seed)
        let header = numbers.header()
        let (bytes, context) = (header.stored(payloadIsHeld: false), context(of: header))
        for count in bytes.indices {
            #expect(throws: WireError.truncated) {
                try Header(stored: Array(bytes.prefix(count)), in: context, payload: nil)
            }
        }
        #expect(throws: WireError.trailingBytes) { try Header(stored: bytes + [0], in: context, payload: nil) }
    }

    @Test func `the compact form needs the payload that it was stored beside`() {
        let header = sample()
        let bytes = header.stored(payloadIsHeld: true)
        #expect(throws: WireError.invalid("stored payload")) {
            try Header(stored: bytes, in: context(of: header), payload: nil)
        }
    }

    @Test func `the compact form refuses the eighth flag and an unknown root`() {
        let header = sample()
        var bytes = header.stored(payloadIsHeld: false)
        bytes[0] |= 128
        #expect(throws: WireError.invalid("flags")) { try Header(stored: bytes, in: context(of: header), payload: nil) }
        bytes[0] = (bytes[0] & 0x7C) | 3
        #expect(throws: WireError.invalid("root")) { try Header(stored: bytes, in: context(of: header), payload: nil) }
    }

    @Test func `nothing follows the last place of a journal`() throws {
        var header = sample()
        header.sequence = .max
        #expect(try Header(decoding: header.encoded()) == header)
        var context = context(of: header)
        let bytes = header.stored(payloadIsHeld: false)
        #expect(try Header(stored: bytes, in: context, payload: nil) == header)
        context.advance(past: header.hash, epoch: header.epoch)
        #expect(throws: WireError.invalid("sequence")) { try Header(stored: bytes, in: context, payload: nil) }
    }

    // MARK: - What follows from a header

    @Test func `a nonce has 24 bytes and is another one for another place or salt`() {
        let header = sample()
        var nonces: Set<[UInt8]> = [header.nonce]
        #expect(header.nonce.count == Sealing.nonceLength)
        let changes: [(inout Header) -> Void] = [
            { $0.salt += 1 }, { $0.sequence += 1 }, { $0.previous = HeaderHash(.all(77)) },
            { $0.device = DeviceName(.all(78)) }, { $0.event = Sample.eventID(79) }, { $0.journal = .fabric },
        ]
        for change in changes {
            var other = header
            change(&other)
            #expect(nonces.insert(other.nonce).inserted)
        }
    }

    @Test func `a reference names device, journal, place and hash`() {
        let header = sample()
        let reference = header.reference(hash: header.hash)
        #expect(reference.device == header.device.raw.prefix && reference.journal == .content)
        #expect(reference.sequence == 5 && reference.hash == header.hash.raw.prefix)
    }
}
