// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import Testing

/// A blob of three chunks, held against `Tests/Vectors/blobs.json`, which `Tests/Python/verify_vectors.py` checks too.
///
/// `MINGLE_WRITE_VECTORS=FOLDER` writes the file anew; a difference is a change of the protocol.
struct BlobVectorTests {
    @Test func `the bytes of a blob are those that were committed`() throws {
        let vectors = try Self.vectors()
        if let folder = ProcessInfo.processInfo.environment["MINGLE_WRITE_VECTORS"] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(vectors) + Data("\n".utf8)
            try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent("blobs.json"))
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/blobs.json")
        let committed = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
        #expect(committed == vectors)
    }

    /// The byte at every place of the blob is the place modulo 251; what is drawn is 0, 1, 2 and so on.
    private static func vectors() throws -> [String: String] {
        let owner = PersonID(SigningKey(seed: Secret([UInt8](repeating: 1, count: 32))).publicKey)
        let plain = (0..<(2 * ChunkGeometry.smallestChunk + 1000)).map { UInt8($0 % 251) }
        let counting = Randomness { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mingle-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try BlobStore(path: folder, randomness: counting)
        let descriptor = try store.put(plain, owner: owner)
        let name = descriptor.name(owner: owner)
        let chunks = try (0..<3).map { try store.readChunk(name, index: $0) }
        return [
            "owner": hex(owner.bytes), "size": "\(plain.count)", "key": hex(descriptor.key),
            "chunk_size": "\(ChunkGeometry.smallestChunk)", "root": hex(descriptor.root.bytes), "name": hex(name.bytes),
            "leaves": chunks.enumerated().map { hex(MerkleTree.leaf(index: $0, chunk: $1.ciphertext).bytes) }
                .joined(separator: " "),
            "proof_0": chunks[0].proof.map { hex($0.bytes) }.joined(separator: " "),
            "proof_1": chunks[1].proof.map { hex($0.bytes) }.joined(separator: " "),
            "proof_2": chunks[2].proof.map { hex($0.bytes) }.joined(separator: " "),
            "chunk_0_start": hex(chunks[0].ciphertext.prefix(128)), "chunk_2": hex(chunks[2].ciphertext),
        ]
    }
}

private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
}
