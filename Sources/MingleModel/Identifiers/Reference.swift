// SPDX-License-Identifier: Apache-2.0

/// Which of a device's two journals a delta stands in.
package enum Journal: UInt8, Sendable, CaseIterable, Comparable {
    /// Certificates, admissions, invitations and epochs: what even a relay must read.
    case fabric = 0
    /// Everything that people post.
    case content = 1

    package static func < (left: Journal, right: Journal) -> Bool { left.rawValue < right.rawValue }
}

/// Names one delta in 21 bytes, wherever it is mentioned: the only id that records have.
///
/// It holds the first eight bytes of the device's name, the journal, the sequence and the first eight bytes of the
/// header's hash. If several held headers fit, the one with the lowest full hash is meant.
package struct Reference: Hashable, Sendable {
    /// Bytes of an encoded reference.
    package static let encodedLength = 21

    /// First eight bytes of the device's name.
    package let device: UInt64
    /// The journal that the delta stands in.
    package let journal: Journal
    /// The delta's place in its journal, from 1.
    package let sequence: UInt32
    /// First eight bytes of the header's hash.
    package let hash: UInt64

    /// Names the delta that `device` wrote at `sequence` and whose header hashes to `hash`.
    package init(device: DeviceName, journal: Journal, sequence: UInt32, hash: HeaderHash) {
        self.init(device: device.raw.prefix, journal: journal, sequence: sequence, hash: hash.raw.prefix)
    }

    /// Names a delta by the short forms that a reference holds.
    package init(device: UInt64, journal: Journal, sequence: UInt32, hash: UInt64) {
        (self.device, self.journal, self.sequence, self.hash) = (device, journal, sequence, hash)
    }

    /// Reads the 21 bytes that begin at `offset`; nil if they are not all there or name no journal.
    package init?(at offset: Int, of bytes: borrowing Span<UInt8>) {
        guard offset >= 0, offset + Self.encodedLength <= bytes.count,
            let journal = Journal(rawValue: bytes[offset + 8])
        else { return nil }
        self.init(
            device: UInt64(bigEndianAt: offset, of: bytes),
            journal: journal,
            sequence: UInt32(bigEndianAt: offset + 9, of: bytes),
            hash: UInt64(bigEndianAt: offset + 13, of: bytes)
        )
    }

    /// Reads exactly 21 bytes; nil for anything else.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.encodedLength else { return nil }
        self.init(at: 0, of: bytes.span)
    }

    /// Reads references that stand one behind the other; nil if some bytes are none.
    package static func list(_ bytes: [UInt8]) -> [Reference]? {
        guard !bytes.isEmpty, bytes.count % encodedLength == 0 else { return nil }
        let list = stride(from: 0, to: bytes.count, by: encodedLength).compactMap { Reference(at: $0, of: bytes.span) }
        return list.count * encodedLength == bytes.count ? list : nil
    }

    /// The 21 bytes.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Self.encodedLength)
        append(to: &result)
        return result
    }

    /// Appends the 21 bytes to `output`.
    package func append(to output: inout [UInt8]) {
        device.appendBigEndian(to: &output)
        output.append(journal.rawValue)
        sequence.appendBigEndian(to: &output)
        hash.appendBigEndian(to: &output)
    }
}

extension Reference: Comparable {
    package static func < (left: Reference, right: Reference) -> Bool {
        (left.device, left.journal.rawValue, left.sequence, left.hash)
            < (right.device, right.journal.rawValue, right.sequence, right.hash)
    }
}

extension Reference: LosslessStringConvertible {
    /// Reads the opaque word that ``description`` writes; nil for anything else.
    package init?(_ description: String) {
        guard let bytes = Base32.decode(description) else { return nil }
        self.init(bytes: bytes)
    }

    /// The id that people and the API see: 34 characters of base32.
    package var description: String { Base32.encode(bytes) }
}
