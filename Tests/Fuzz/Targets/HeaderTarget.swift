// SPDX-License-Identifier: Apache-2.0

@testable import MingleCrypto
@testable import MingleModel
@testable import MingleWire

/// Headers in their canonical, compact and stored form, runs, and entries of frontiers.
///
/// A canonical form that is read is the only one of its header; what any form yields is written and read again as the
/// same, hangs together, and is within the limits.
enum HeaderTarget: FuzzTarget {
    static func run(_ input: inout FuzzInput) throws {
        switch input.byte() % 4 {
        case 0: try header(input.rest())
        case 1: try run(input.rest())
        case 2: try stored(&input)
        default:
            let bytes = input.rest()
            require(try FrontierEntry(decoding: bytes).bytes == bytes, "an entry has one form")
        }
    }

    private static func header(_ bytes: [UInt8]) throws {
        let header = try Header(decoding: bytes)
        require(header.encoded() == bytes, "a header has one canonical form")
        check(header)
    }

    private static func run(_ bytes: [UInt8]) throws {
        let run = try Run(decoding: bytes[...], event: TestAuthor.event)
        let encoded = run.encoded()
        require((try? Run(decoding: encoded[...], event: TestAuthor.event)) == run, "a run is read as it was written")
        require(encoded.count <= bytes.count, "no form of a run is shorter than its own")
        for (delta, next) in zip(run.deltas, run.deltas.dropFirst()) {
            require(next.header.previous == delta.hash, "each header names the one before")
            require(next.header.sequence == delta.header.sequence + 1, "sequences have no gap")
        }
        for delta in run.deltas {
            require(delta.hash == delta.header.hash, "the hash is the header's")
            check(delta.header)
            guard let payload = delta.payload else { continue }
            require(payload.count == Int(delta.header.payloadLength), "a payload is as long as its header says")
            require(Blake2b.hash(.payload, payload) == delta.header.payloadHash, "a payload has its header's hash")
        }
        _ = run.isProved(by: .zero)
    }

    private static func stored(_ input: inout FuzzInput) throws {
        let sequence = UInt32(input.number())
        var context = HeaderContext(
            event: TestAuthor.event,
            device: DeviceName(.zero),
            journal: input.byte() % 2 == 0 ? .fabric : .content,
            sequence: sequence,
            previous: sequence == 1 ? .none : HeaderHash(Blake2b.hash(.header, []))
        )
        let payload = input.piece()
        let bytes = input.rest()
        let header = try Header(stored: bytes, in: context, payload: payload)
        require(
            (try? Header.storedPayloadLength(bytes)) == Int(header.payloadLength),
            "the payload's length does not depend on the place"
        )
        context.epoch = header.epoch
        let again = header.stored(payloadIsHeld: header.payloadHash == Blake2b.hash(.payload, payload))
        require(
            (try? Header(stored: again, in: context, payload: payload)) == header,
            "a header is taken out as it was stored"
        )
        check(header)
    }

    private static func check(_ header: Header) {
        let encoded = header.encoded()
        require((try? Header(decoding: encoded)) == header, "a header is read as it was written")
        require(encoded.count <= Limits.headerLength, "a header has at most 1 KiB")
        require(header.blobs.count <= Limits.blobsPerHeader, "a header lists few blobs")
        require(header.extensionBytes.count <= Limits.extensionLength, "an extension is short")
        require(header.payloadLength <= Limits.payloadLength, "a payload is short")
    }

    static var seeds: [[UInt8]] {
        var author = TestAuthor(1)
        let deltas = author.write([0, 40, 300], behind: [], in: .content)
        var full = deltas[1].header
        full.root = .reference(deltas[0].reference)
        full.blobs = [BlobListing(name: BlobName(deltas[0].hash.raw), size: 77_000)]
        full.extensionBytes = [1, 2, 3]
        var deletion = deltas[0].header
        (deletion.root, deletion.isDeletion) = (.reference(deltas[1].reference), true)
        var absent = Run(deltas).deltas
        (absent[1].payload, absent[0].signature) = (nil, nil)
        let point = FrontierEntry(device: author.device, journal: .content, sequence: 3, tip: 7)
        let context: [UInt8] = [2, 0, 1, 1, 0, 0]
        return [
            joined([0], deltas[0].header.encoded()), joined([0], full.encoded()), joined([0], deletion.encoded()),
            joined([1], Run(deltas).encoded()), joined([1], Run(absent).encoded()),
            joined(context, deltas[0].header.stored(payloadIsHeld: true)),
            joined(context, full.stored(payloadIsHeld: false)), joined([3], point.bytes),
        ]
    }
}
