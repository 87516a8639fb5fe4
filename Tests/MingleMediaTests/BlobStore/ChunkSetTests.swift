// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import Testing

struct ChunkSetTests {
    @Test func `a bitmap that names chunks beyond the last is refused`() throws {
        #expect(ChunkSet(capacity: 3, bytes: [0b1000]) == nil && ChunkSet(capacity: 3, bytes: [0, 0]) == nil)
        let set = try #require(ChunkSet(capacity: 9, bytes: [0b101, 1]))
        #expect(set.count == 3 && set.contains(8) && !set.contains(1) && !set.contains(9) && !set.isComplete)
        #expect(ChunkSet(allOf: 9).isComplete && ChunkSet(capacity: 9).isEmpty)
    }
}
