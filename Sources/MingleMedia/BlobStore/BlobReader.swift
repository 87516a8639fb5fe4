// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel

/// A complete blob in the clear, read by ranges; deleting the blob meanwhile does not disturb it.
///
/// Every read checks whole chunks against the root, so reading is cheapest in multiples of ``chunkSize``.
package final class BlobReader: Sendable {
    /// Bytes of the blob.
    package let size: Int64
    /// Bytes of every chunk but the last.
    package let chunkSize: Int
    private let file: BlobFile
    private let key: [UInt8]

    init(_ file: consuming BlobFile, key: [UInt8]) {
        size = file.identity.size
        chunkSize = file.identity.geometry.chunkSize
        self.file = file
        self.key = key
    }

    /// The bytes from `offset` on, at most `length`; fewer where the blob ends, none outside it.
    package func read(offset: Int64, length: Int) throws -> [UInt8] {
        guard offset >= 0, offset < size, length > 0 else { return [] }
        let range = offset..<(offset + min(Int64(length), size - offset))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in file.identity.geometry.chunks(holding: range) {
            let start = file.identity.geometry.offset(of: index)
            var chunk = try file.chunk(index).ciphertext
            BlobCipher.apply(to: &chunk, key: key, offset: Int(start))
            let wanted = range.clamped(to: start..<(start + Int64(chunk.count)))
            bytes += chunk[Int(wanted.lowerBound - start)..<Int(wanted.upperBound - start)]
        }
        return bytes
    }

    /// Whether the blob holds exactly these bytes; it is read up to the first chunk that differs.
    package func holds(_ bytes: [UInt8]) throws -> Bool {
        guard Int64(bytes.count) == size else { return false }
        for start in stride(from: 0, to: bytes.count, by: chunkSize) {
            let chunk = try read(offset: Int64(start), length: chunkSize)
            guard chunk[...] == bytes[start..<min(start + chunkSize, bytes.count)] else { return false }
        }
        return true
    }

    /// Whether another blob holds the same bytes; both are read up to the first chunk that differs.
    package func holds(sameAs other: BlobReader) throws -> Bool {
        guard other.size == size else { return false }
        for start in stride(from: 0, to: size, by: Int64.Stride(chunkSize)) {
            let chunk = try read(offset: start, length: chunkSize)
            guard try chunk == other.read(offset: start, length: chunkSize) else { return false }
        }
        return true
    }
}
