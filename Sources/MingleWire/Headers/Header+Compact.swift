// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

/// What a compact header leaves out because its place in the journal says it.
package struct HeaderContext: Sendable {
    /// The event.
    package var event: EventID
    /// The device.
    package var device: DeviceName
    /// The journal.
    package var journal: Journal
    /// The sequence of the header that comes next.
    package var sequence: UInt32
    /// The hash of the header before it.
    package var previous: HeaderHash
    /// The epoch of the header before it, which the next may share.
    package var epoch: EpochID

    /// Stands before the header at `sequence`.
    package init(
        event: EventID,
        device: DeviceName,
        journal: Journal,
        sequence: UInt32,
        previous: HeaderHash,
        epoch: EpochID = .plaintext
    ) {
        (self.event, self.device, self.journal) = (event, device, journal)
        (self.sequence, self.previous, self.epoch) = (sequence, previous, epoch)
    }

    /// Moves behind a header.
    package mutating func advance(past hash: HeaderHash, epoch: EpochID) {
        // A journal ends at 2³²−1; the wrapped value fits no header that could follow.
        sequence &+= 1
        previous = hash
        self.epoch = epoch
    }
}

/// The bits that begin a compact header.
struct CompactFlags: OptionSet {
    let rawValue: UInt8
    static let deletion = CompactFlags(rawValue: 4)
    static let tail = CompactFlags(rawValue: 8)
    static let sameEpoch = CompactFlags(rawValue: 16)
    static let payloadFollows = CompactFlags(rawValue: 32)
    static let signatureFollows = CompactFlags(rawValue: 64)
}

extension Header {
    /// Appends the compact form: what ``HeaderContext`` does not hold already.
    ///
    /// The payload's hash is left out where the payload follows, since it can be computed from that.
    func appendCompact(to bytes: inout [UInt8], flags extra: CompactFlags, in context: HeaderContext) {
        var flags = extra
        if isDeletion { flags.insert(.deletion) }
        if !blobs.isEmpty || !extensionBytes.isEmpty { flags.insert(.tail) }
        if epoch == context.epoch { flags.insert(.sameEpoch) }
        bytes.append(flags.rawValue | root.code)
        UInt64(timestamp.milliseconds).appendBigEndian(to: &bytes)
        salt.appendBigEndian(to: &bytes)
        if !flags.contains(.sameEpoch) { epoch.raw.append(to: &bytes) }
        if case .reference(let reference) = root { reference.append(to: &bytes) }
        payloadLength.appendBigEndian(to: &bytes)
        if !flags.contains(.payloadFollows) { payloadHash.append(to: &bytes) }
        if flags.contains(.tail) { appendTail(to: &bytes) }
    }

    /// Reads the compact form; the payload's hash stays zero where the payload follows.
    init(compact reader: inout ByteReader, flags byte: UInt8, in context: HeaderContext) throws(WireError) {
        let flags = CompactFlags(rawValue: byte & ~3)
        guard byte & 128 == 0 else { throw .invalid("flags") }
        guard (context.sequence == 1) == (context.previous == .none), context.sequence > 0 else {
            throw .invalid("sequence")
        }
        let timestamp = try Timestamp(from: &reader)
        let salt: UInt64 = try reader.integer()
        let epoch = flags.contains(.sameEpoch) ? context.epoch : EpochID(try reader.bytes32())
        self.init(
            event: context.event,
            device: context.device,
            journal: context.journal,
            sequence: context.sequence,
            previous: context.previous,
            timestamp: timestamp,
            salt: salt,
            epoch: epoch,
            root: try Root(code: byte & 3, from: &reader),
            isDeletion: flags.contains(.deletion),
            payloadLength: try reader.integer(),
            payloadHash: flags.contains(.payloadFollows) ? .zero : try reader.bytes32()
        )
        if flags.contains(.tail) { try readTail(from: &reader) }
        try validate()
    }
}

extension Header {
    /// The compact form as a replica stores it, beside the epoch; where the payload is stored too, its hash is left out.
    package func stored(payloadIsHeld: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48 + blobs.count * 40)
        let context = HeaderContext(
            event: event,
            device: device,
            journal: journal,
            sequence: sequence,
            previous: previous,
            epoch: epoch
        )
        appendCompact(to: &bytes, flags: payloadIsHeld ? .payloadFollows : [], in: context)
        return bytes
    }

    /// Rebuilds a stored header; `context` says where it stands and its epoch, `payload` is what is stored beside it.
    package init(stored bytes: [UInt8], in context: HeaderContext, payload: [UInt8]?) throws(WireError) {
        var reader = ByteReader(bytes[...])
        let flags: UInt8 = try reader.integer()
        try self.init(compact: &reader, flags: flags, in: context)
        try reader.finish()
        if CompactFlags(rawValue: flags & ~3).contains(.payloadFollows) {
            guard let payload else { throw .invalid("stored payload") }
            payloadHash = Blake2b.hash(.payload, payload)
        }
    }

    /// The length of the payload that belongs to a stored header.
    package static func storedPayloadLength(_ bytes: [UInt8]) throws(WireError) -> Int {
        try storedOutline(bytes).payloadLength
    }

    /// What a stored header says wherever it stands: when its author wrote, and the length of the payload that belongs to it.
    ///
    /// The time is its second to ninth byte, which a replica's index relies on.
    package static func storedOutline(_ bytes: [UInt8]) throws(WireError) -> (timestamp: Timestamp, payloadLength: Int)
    {
        // What stands before it has the same length for every context.
        let context = HeaderContext(
            event: EventID(.zero),
            device: DeviceName(.zero),
            journal: .content,
            sequence: 1,
            previous: .none,
            epoch: EpochID(Bytes32.zero)
        )
        var reader = ByteReader(bytes[...])
        let flags: UInt8 = try reader.integer()
        let header = try Header(compact: &reader, flags: flags, in: context)
        return (header.timestamp, Int(header.payloadLength))
    }
}
