// SPDX-License-Identifier: Apache-2.0

/// How a blob of a given size falls into chunks; every node computes the same.
package struct ChunkGeometry: Hashable, Sendable {
    /// The largest blob: 4 GiB, which is 1024 chunks.
    package static let maximumSize: Int64 = 4 << 30
    /// The smallest chunk; a blob no larger is one chunk.
    package static let smallestChunk = 256 << 10
    /// The largest chunk.
    package static let largestChunk = 4 << 20
    /// Chunks grow while there would be more of them than this, up to ``largestChunk``.
    package static let preferredCount = 256

    /// Bytes of the blob.
    package let size: Int64
    /// Bytes of every chunk but the last.
    package let chunkSize: Int
    /// How many chunks there are, 1 to 1024.
    package let count: Int

    /// Divides `size` bytes; nil if a blob cannot have that size.
    package init?(size: Int64) {
        guard size > 0, size <= Self.maximumSize else { return nil }
        var chunkSize = Self.smallestChunk
        while chunkSize < Self.largestChunk, size > Int64(chunkSize) * Int64(Self.preferredCount) { chunkSize *= 2 }
        self.size = size
        self.chunkSize = chunkSize
        count = Int((size + Int64(chunkSize) - 1) / Int64(chunkSize))
    }

    /// Where in the blob the chunk at `index` begins.
    package func offset(of index: Int) -> Int64 { Int64(index) * Int64(chunkSize) }

    /// Bytes of the chunk at `index`, which must be one of the blob's.
    package func length(of index: Int) -> Int {
        precondition(index >= 0 && index < count, "the blob has no such chunk")
        return Int(min(Int64(chunkSize), size - offset(of: index)))
    }

    /// The chunks that hold the bytes of `range`, which lies within the blob.
    package func chunks(holding range: Range<Int64>) -> Range<Int> {
        if range.isEmpty { return 0..<0 }
        return Int(range.lowerBound / Int64(chunkSize))..<(Int((range.upperBound - 1) / Int64(chunkSize)) + 1)
    }
}
