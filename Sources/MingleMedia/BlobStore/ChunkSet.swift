// SPDX-License-Identifier: Apache-2.0

/// Which chunks of one blob there are: a bitmap, the first chunk in the lowest bit of the first byte.
package struct ChunkSet: Hashable, Sendable {
    /// How many chunks the blob has.
    package let capacity: Int
    /// The bitmap; bits beyond the capacity are zero.
    package private(set) var bytes: [UInt8]

    /// No chunk of `capacity`.
    package init(capacity: Int) {
        self.capacity = capacity
        bytes = [UInt8](repeating: 0, count: Self.byteCount(capacity: capacity))
    }

    /// Every chunk of `capacity`.
    package init(allOf capacity: Int) {
        self.init(capacity: capacity)
        for index in 0..<capacity { insert(index) }
    }

    /// Reads a bitmap; nil if it has the wrong length or names chunks that the blob does not have.
    package init?(capacity: Int, bytes: [UInt8]) {
        guard bytes.count == Self.byteCount(capacity: capacity) else { return nil }
        if capacity % 8 != 0, let last = bytes.last, last >> (capacity % 8) != 0 { return nil }
        self.capacity = capacity
        self.bytes = bytes
    }

    static func byteCount(capacity: Int) -> Int { (capacity + 7) / 8 }

    /// How many chunks there are.
    package var count: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
    /// Whether there is none.
    package var isEmpty: Bool { bytes.allSatisfy { $0 == 0 } }
    /// Whether there are all.
    package var isComplete: Bool { count == capacity }

    /// Whether the chunk at `index` is there; false beyond the capacity.
    package func contains(_ index: Int) -> Bool {
        index >= 0 && index < capacity && bytes[index / 8] & (1 << (index % 8)) != 0
    }

    mutating func insert(_ index: Int) { bytes[index / 8] |= 1 << (index % 8) }

    mutating func remove(_ index: Int) { bytes[index / 8] &= ~(1 << (index % 8)) }
}
