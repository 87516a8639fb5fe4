// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleWire
import TestSupport
import Testing

extension Bytes32 {
    /// One byte, 32 times.
    static func all(_ byte: UInt8) -> Bytes32 { Bytes32(at: 0, of: [UInt8](repeating: byte, count: 32).span) }
}

extension SplitMix {
    /// Any 32 bytes but zeros.
    mutating func bytes32() -> Bytes32 {
        var bytes: [UInt8] = []
        for _ in 0..<4 { next().appendBigEndian(to: &bytes) }
        return Bytes32(at: 0, of: bytes.span)
    }

    /// Any reference.
    mutating func reference() -> Reference {
        Reference(
            device: next(),
            journal: Bool.random(using: &self) ? .fabric : .content,
            sequence: UInt32.random(in: 0...UInt32.max, using: &self),
            hash: next()
        )
    }

    /// Any header that an author may make; its payload is not given.
    mutating func header() -> Header {
        let sequence: UInt32 = Bool.random(using: &self) ? 1 : UInt32.random(in: 2...UInt32.max, using: &self)
        let isDeletion = Int.random(in: 0..<4, using: &self) == 0
        let isFabric = !isDeletion && Int.random(in: 0..<4, using: &self) == 0
        let isPlain = isFabric || isDeletion || Bool.random(using: &self)
        return Header(
            event: EventID(bytes32()),
            device: DeviceName(bytes32()),
            journal: isFabric ? .fabric : .content,
            sequence: sequence,
            previous: sequence == 1 ? .none : HeaderHash(bytes32()),
            timestamp: Timestamp(milliseconds: Int64.random(in: 0...Int64.max, using: &self)),
            salt: next(),
            epoch: isPlain ? .plaintext : EpochID(bytes32()),
            root: isDeletion ? .reference(reference()) : root(),
            isDeletion: isDeletion,
            payloadLength: isDeletion ? 0 : UInt32.random(in: 0...65536, using: &self),
            payloadHash: bytes32(),
            blobs: isDeletion ? [] : (0..<Int.random(in: 0...8, using: &self)).map { _ in blob() },
            extensionBytes: extensionBytes()
        )
    }

    private mutating func extensionBytes() -> [UInt8] {
        Bool.random(using: &self) ? [] : bytes(Int.random(in: 1...256, using: &self))
    }

    private mutating func root() -> Root {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .itself
        case 1: .reference(reference())
        default: .none
        }
    }

    private mutating func blob() -> BlobListing {
        BlobListing(name: BlobName(bytes32()), size: UInt64.random(in: 1...(4 << 30), using: &self))
    }
}

/// A device that writes a journal, delta by delta.
struct TestJournal {
    let signing: SigningKey
    private(set) var deltas: [Delta] = []
    private var context: HeaderContext

    init(number: UInt8 = 1, journal: Journal = .content, after sequence: UInt32 = 0) {
        signing = SigningKey(seed: Secret([UInt8](repeating: number, count: 32)))
        context = HeaderContext(
            event: Sample.eventID(number),
            device: DeviceName(.all(number)),
            journal: journal,
            sequence: sequence + 1,
            previous: sequence == 0 ? .none : HeaderHash(.all(99))
        )
    }

    var event: EventID { context.event }

    /// Writes a delta with `payload`; `change` may alter the header before it is hashed.
    mutating func write(
        _ payload: [UInt8],
        isSigned: Bool? = nil,
        isHeld: Bool = true,
        _ change: (inout Header) -> Void = { _ in }
    ) {
        var header = Header(
            event: context.event,
            device: context.device,
            journal: context.journal,
            sequence: context.sequence,
            previous: context.previous,
            timestamp: Timestamp(milliseconds: 1000 + Int64(context.sequence)),
            salt: 77,
            epoch: .plaintext,
            root: .itself,
            payloadLength: UInt32(payload.count),
            payloadHash: Blake2b.hash(.payload, payload)
        )
        change(&header)
        let hash = header.hash
        let isSigned = isSigned ?? (header.sequence % 64 == 0)
        let signature = isSigned ? signing.sign(hash.bytes) : nil
        deltas.append(Delta(header: header, hash: hash, payload: isHeld ? payload : nil, signature: signature))
        context.advance(past: hash, epoch: header.epoch)
    }

    /// What was written, with the last delta signed.
    var run: Run {
        var deltas = deltas
        let last = deltas.count - 1
        deltas[last].signature = signing.sign(deltas[last].hash.bytes)
        return Run(deltas)
    }
}

extension TestJournal {
    /// Writes a run in which everything occurs: payloads held and not, epochs, roots, blobs, a deletion.
    mutating func writeEverything(_ numbers: inout SplitMix, count: Int) {
        let epochs = [EpochID.plaintext, EpochID(.all(4)), EpochID(.all(5))]
        for _ in 0..<count {
            let random = numbers.header()
            let epoch = epochs.randomElement(using: &numbers) ?? .plaintext
            if random.isDeletion {
                write([]) { ($0.isDeletion, $0.root) = (true, random.root) }
                continue
            }
            let payload = numbers.bytes(Int.random(in: 0...300, using: &numbers))
            let isHeld = payload.isEmpty || Bool.random(using: &numbers)
            write(payload, isHeld: isHeld) { header in
                (header.root, header.timestamp, header.salt) = (random.root, random.timestamp, random.salt)
                (header.blobs, header.extensionBytes) = (random.blobs, random.extensionBytes)
                header.epoch = header.journal == .fabric ? .plaintext : epoch
            }
        }
    }
}
