// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Header {
    /// Bit of the flags that marks a deletion; the lowest two bits say what kind of root follows.
    private static let deletionFlag: UInt8 = 4

    /// The header in its one canonical form, without the signature.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.sealedPrefixLength + 96 + blobs.count * 40 + extensionBytes.count)
        appendSealedPrefix(to: &bytes)
        epoch.raw.append(to: &bytes)
        bytes.append(root.code | (isDeletion ? Self.deletionFlag : 0))
        if case .reference(let reference) = root { reference.append(to: &bytes) }
        payloadLength.appendBigEndian(to: &bytes)
        payloadHash.append(to: &bytes)
        appendTail(to: &bytes)
        return bytes
    }

    /// Reads the canonical form; throws for anything that ``encoded()`` would not write.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Limits.headerLength else { throw .tooLarge("header") }
        var reader = ByteReader(bytes[...])
        let version: UInt8 = try reader.integer()
        guard version == Self.version else { throw .unknownVersion(version) }
        let event = EventID(try reader.bytes32())
        let device = DeviceName(try reader.bytes32())
        guard let journal = Journal(rawValue: try reader.integer()) else { throw .invalid("journal") }
        let sequence: UInt32 = try reader.integer()
        guard sequence > 0 else { throw .invalid("sequence") }
        let previous = HeaderHash(try reader.bytes32())
        guard (sequence == 1) == (previous == .none) else { throw .invalid("previous") }
        let timestamp = try Timestamp(from: &reader)
        let salt: UInt64 = try reader.integer()
        let epoch = EpochID(try reader.bytes32())
        let flags: UInt8 = try reader.integer()
        guard flags & ~(Self.deletionFlag | 3) == 0 else { throw .invalid("flags") }
        let root = try Root(code: flags & 3, from: &reader)
        self.init(
            event: event,
            device: device,
            journal: journal,
            sequence: sequence,
            previous: previous,
            timestamp: timestamp,
            salt: salt,
            epoch: epoch,
            root: root,
            isDeletion: flags & Self.deletionFlag != 0,
            payloadLength: try reader.integer(),
            payloadHash: try reader.bytes32()
        )
        try readTail(from: &reader)
        try reader.finish()
        try validate()
    }

    /// Appends blobs and extension, which end both forms of a header.
    func appendTail(to bytes: inout [UInt8]) {
        bytes.append(UInt8(blobs.count))
        for blob in blobs {
            blob.name.raw.append(to: &bytes)
            blob.size.appendBigEndian(to: &bytes)
        }
        UInt16(extensionBytes.count).appendBigEndian(to: &bytes)
        bytes.append(contentsOf: extensionBytes)
    }

    /// Reads what ``appendTail(to:)`` writes.
    mutating func readTail(from reader: inout ByteReader) throws(WireError) {
        let blobCount: UInt8 = try reader.integer()
        guard blobCount <= Limits.blobsPerHeader else { throw .tooLarge("blobs") }
        blobs = []
        for _ in 0..<blobCount {
            let name = BlobName(try reader.bytes32())
            let size: UInt64 = try reader.integer()
            guard (1...Limits.blobLength).contains(size) else { throw .invalid("blob size") }
            blobs.append(BlobListing(name: name, size: size))
        }
        let extensionLength: UInt16 = try reader.integer()
        guard extensionLength <= Limits.extensionLength else { throw .tooLarge("extension") }
        extensionBytes = Array(try reader.slice(Int(extensionLength)))
    }

    /// Refuses combinations that no author may make.
    func validate() throws(WireError) {
        guard payloadLength <= Limits.payloadLength else { throw .tooLarge("payload") }
        if isDeletion {
            guard case .reference = root, journal == .content else { throw .invalid("deletion") }
            guard payloadLength == 0, blobs.isEmpty, epoch == .plaintext else { throw .invalid("deletion") }
        }
        if journal == .fabric, epoch != .plaintext { throw .invalid("epoch") }
    }
}

extension Root {
    var code: UInt8 {
        switch self {
        case .itself: 0
        case .reference: 1
        case .none: 2
        }
    }

    init(code: UInt8, from reader: inout ByteReader) throws(WireError) {
        switch code {
        case 0: self = .itself
        case 1: self = .reference(try reader.reference())
        case 2: self = .none
        default: throw .invalid("root")
        }
    }
}

extension Timestamp {
    init(from reader: inout ByteReader) throws(WireError) {
        let milliseconds: UInt64 = try reader.integer()
        guard milliseconds <= UInt64(Int64.max) else { throw .invalid("timestamp") }
        self.init(milliseconds: Int64(milliseconds))
    }
}
