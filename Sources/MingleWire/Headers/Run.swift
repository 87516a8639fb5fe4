// SPDX-License-Identifier: Apache-2.0

package import MingleCrypto
package import MingleModel

/// A delta as it travels: its header, and where they came along, its payload and signature.
package struct Delta: Hashable, Sendable {
    /// The header.
    package var header: Header
    /// The header's hash.
    package var hash: HeaderHash
    /// The payload as sealed; nil while it has not come or after it was erased.
    package var payload: [UInt8]?
    /// The device's signature of the hash; kept every 64 headers, at tips and in fabric journals.
    package var signature: Signature?

    /// Puts a delta together; `hash` is the header's.
    package init(header: Header, hash: HeaderHash, payload: [UInt8]?, signature: Signature?) {
        (self.header, self.hash, self.payload, self.signature) = (header, hash, payload, signature)
    }

    /// The delta as others mention it.
    package var reference: Reference { header.reference(hash: hash) }
}

/// Up to 64 consecutive deltas of one journal, all proved by the signature of the last.
package struct Run: Hashable, Sendable {
    /// The deltas in order; never empty, and the last one is signed.
    package let deltas: [Delta]

    /// Takes deltas that follow each other in one journal and of which the last is signed.
    package init(_ deltas: [Delta]) {
        precondition((1...Limits.runLength).contains(deltas.count), "a run has 1 to 64 deltas")
        precondition(deltas[deltas.count - 1].signature != nil, "a run's last delta is signed")
        self.deltas = deltas
    }

    /// The first delta.
    package var first: Delta { deltas[0] }
    /// The last delta, whose signature proves all.
    package var last: Delta { deltas[deltas.count - 1] }

    /// Whether the signatures that came along are the device's.
    ///
    /// The chain of hashes was rebuilt when the run was read, so the last signature proves every header. Others that
    /// came along are checked too, since they will be kept and served; without those that every node keeps, who merged
    /// the run could not serve it. What `known` remembers is not checked again.
    package func isProved(by signingKey: Bytes32, known: KnownSignatures? = nil) -> Bool {
        deltas.allSatisfy { delta in
            guard let signature = delta.signature else {
                return delta.header.sequence % UInt32(Limits.runLength) != 0
            }
            return signature.isValid(for: delta.hash.bytes, by: signingKey, known: known)
        }
    }
}

extension Run {
    /// The run's fixed binary form (docs/protocol.md, "Run").
    package func encoded() -> [UInt8] {
        let header = first.header
        var bytes: [UInt8] = []
        bytes.reserveCapacity(deltas.count * 256)
        header.device.raw.append(to: &bytes)
        bytes.append(header.journal.rawValue)
        header.sequence.appendBigEndian(to: &bytes)
        header.previous.raw.append(to: &bytes)
        bytes.append(UInt8(deltas.count))
        var context = HeaderContext(
            event: header.event,
            device: header.device,
            journal: header.journal,
            sequence: header.sequence,
            previous: header.previous
        )
        for delta in deltas {
            delta.append(to: &bytes, in: context)
            context.advance(past: delta.hash, epoch: delta.header.epoch)
        }
        return bytes
    }

    /// Rebuilds a run of `event`; what it returns hangs together, but only ``isProved(by:)`` says whose it is.
    package init(decoding bytes: ArraySlice<UInt8>, event: EventID) throws(WireError) {
        var reader = ByteReader(bytes)
        let device = DeviceName(try reader.bytes32())
        guard let journal = Journal(rawValue: try reader.integer()) else { throw .invalid("journal") }
        var context = HeaderContext(
            event: event,
            device: device,
            journal: journal,
            sequence: try reader.integer(),
            previous: HeaderHash(try reader.bytes32())
        )
        let count: UInt8 = try reader.integer()
        guard (1...Limits.runLength).contains(Int(count)) else { throw .invalid("run length") }
        var deltas: [Delta] = []
        deltas.reserveCapacity(Int(count))
        for _ in 0..<count {
            let delta = try Delta(from: &reader, in: context)
            context.advance(past: delta.hash, epoch: delta.header.epoch)
            deltas.append(delta)
        }
        try reader.finish()
        guard deltas[deltas.count - 1].signature != nil else { throw .invalid("run signature") }
        self.deltas = deltas
    }
}

extension Delta {
    private static let hashOfNothing = Blake2b.hash(.payload, [])

    fileprivate func append(to bytes: inout [UInt8], in context: HeaderContext) {
        var flags: CompactFlags = []
        if payload != nil { flags.insert(.payloadFollows) }
        if signature != nil { flags.insert(.signatureFollows) }
        header.appendCompact(to: &bytes, flags: flags, in: context)
        if let payload { bytes.append(contentsOf: payload) }
        if let signature { bytes.append(contentsOf: signature.bytes) }
    }

    fileprivate init(from reader: inout ByteReader, in context: HeaderContext) throws(WireError) {
        let byte: UInt8 = try reader.integer()
        let flags = CompactFlags(rawValue: byte & ~3)
        var header = try Header(compact: &reader, flags: byte, in: context)
        var payload: [UInt8]?
        if flags.contains(.payloadFollows) {
            let bytes = try reader.slice(Int(header.payloadLength))
            header.payloadHash = Blake2b.hash(.payload, bytes)
            payload = Array(bytes)
        } else if header.payloadLength == 0 {
            // Nothing is missing, and a hash that nothing has would be asked for without end.
            guard header.payloadHash == Self.hashOfNothing else { throw .invalid("payload hash") }
            payload = []
        }
        let signature = flags.contains(.signatureFollows) ? Signature(try reader.slice(Signature.length)) : nil
        self.init(header: header, hash: header.hash, payload: payload, signature: signature)
    }
}
