// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Testing

struct ChunkGeometryTests {
    @Test(
        arguments: [
            (1, 256 << 10, 1), (256 << 10, 256 << 10, 1), (256 << 10 + 1, 256 << 10, 2), (64 << 20, 256 << 10, 256),
            (64 << 20 + 1, 512 << 10, 129), (128 << 20, 512 << 10, 256), (1 << 30, 4 << 20, 256),
            (4 << 30, 4 << 20, 1024),
        ] as [(Int64, Int, Int)]
    )
    func `chunks grow with the blob until they are 4 MiB`(size: Int64, chunkSize: Int, count: Int) throws {
        let geometry = try #require(ChunkGeometry(size: size))
        #expect(geometry.chunkSize == chunkSize && geometry.count == count)
    }

    @Test(arguments: [0, -1, ChunkGeometry.maximumSize + 1, .max])
    func `a blob is neither empty nor beyond 4 GiB`(size: Int64) { #expect(ChunkGeometry(size: size) == nil) }

    @Test(arguments: 0..<200)
    func `the chunks cover the blob without gap or overlap`(seed: UInt64) throws {
        let size = Int64((seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 % UInt64(ChunkGeometry.maximumSize)) + 1
        let geometry = try #require(ChunkGeometry(size: size))
        let lengths = (0..<geometry.count).map(geometry.length)
        let ends = lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int64($1)) }
        #expect(ends.dropLast() == (0..<geometry.count).map(geometry.offset)[...])
        #expect(ends.last == size && lengths.allSatisfy { $0 > 0 })
        #expect(geometry.chunks(holding: 0..<size) == 0..<geometry.count)
        #expect(geometry.chunks(holding: (size - 1)..<size) == (geometry.count - 1)..<geometry.count)
    }
}
