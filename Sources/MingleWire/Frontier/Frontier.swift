// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

/// How far one branch of one journal is held.
package struct FrontierEntry: Hashable, Sendable, Comparable {
    /// Bytes of an encoded entry.
    package static let encodedLength = 45

    /// The device.
    package let device: DeviceName
    /// The journal.
    package let journal: Journal
    /// The sequence of the last header held.
    package let sequence: UInt32
    /// The first eight bytes of that header's hash.
    package let tip: UInt64

    /// Says how far a branch is held.
    package init(device: DeviceName, journal: Journal, sequence: UInt32, tip: UInt64) {
        (self.device, self.journal, self.sequence, self.tip) = (device, journal, sequence, tip)
    }

    /// The 45 bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.encodedLength)
        append(to: &bytes)
        return bytes
    }

    fileprivate func append(to bytes: inout [UInt8]) {
        device.raw.append(to: &bytes)
        bytes.append(journal.rawValue)
        sequence.appendBigEndian(to: &bytes)
        tip.appendBigEndian(to: &bytes)
    }

    /// Reads exactly 45 bytes.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes[...])
        let device = DeviceName(try reader.bytes32())
        guard let journal = Journal(rawValue: try reader.integer()) else { throw .invalid("journal") }
        self.init(device: device, journal: journal, sequence: try reader.integer(), tip: try reader.integer())
        guard sequence > 0 else { throw .invalid("sequence") }
        try reader.finish()
    }

    /// The bucket that the entry counts in, 0 to 63: the top six bits of the device's name.
    package var bucket: Int { Int(device.raw.prefix >> 58) }

    package static func < (left: FrontierEntry, right: FrontierEntry) -> Bool {
        (left.device, left.journal, left.sequence, left.tip) < (right.device, right.journal, right.sequence, right.tip)
    }
}

/// A replica's state in one value: for every journal, how far each branch is held.
package struct Frontier: Hashable, Sendable {
    /// How many parts a frontier is compared in.
    package static let bucketCount = 64

    /// The entries, sorted.
    package let entries: [FrontierEntry]

    /// Collects entries in any order.
    package init(_ entries: some Sequence<FrontierEntry>) { self.entries = entries.sorted() }

    /// Takes entries that are in order already.
    package init(sorted entries: [FrontierEntry]) {
        assert(zip(entries, entries.dropFirst()).allSatisfy(<))
        self.entries = entries
    }

    /// The digest of all entries; equal digests mean equal replicas.
    package var digest: Bytes32 { Self.digest(entries[...]) }

    private static func digest(_ entries: ArraySlice<FrontierEntry>) -> Bytes32 {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * FrontierEntry.encodedLength)
        for entry in entries { entry.append(to: &bytes) }
        return Blake2b.hash(.frontier, bytes)
    }

    /// A short digest of each bucket; zero where it is empty.
    package var bucketDigests: [UInt64] {
        var digests = [UInt64](repeating: 0, count: Self.bucketCount)
        var start = 0
        while start < entries.count {
            let bucket = entries[start].bucket
            let end = entries[start...].firstIndex { $0.bucket != bucket } ?? entries.count
            digests[bucket] = Self.digest(entries[start..<end]).prefix
            start = end
        }
        return digests
    }

    /// The entries of some buckets.
    package func entries(in buckets: Set<Int>) -> [FrontierEntry] { entries.filter { buckets.contains($0.bucket) } }
}
