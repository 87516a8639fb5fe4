// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel
import MingleSync
import MingleWire
import SwiftProtobuf

/// A blob as the whole world knows it.
struct TestBlob {
    let name: BlobName
    let bytes: [UInt8]
    let chunkLength: Int
    let lane: Lane
    let person = PersonID(.zero)

    init(_ number: Int, size: Int, chunkLength: Int, lane: Lane) {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
        for start in stride(from: 0, to: size, by: chunkLength) { bytes[start] = UInt8(start / chunkLength & 255) }
        self.bytes = bytes
        name = BlobName(Blake2b.hash(.blob, [UInt8(number >> 8), UInt8(number & 255), lane.rawValue]))
        (self.chunkLength, self.lane) = (chunkLength, lane)
    }

    var root: Bytes32 { Blake2b.hash(.chunk, name.bytes) }
    var chunkCount: Int { (bytes.count - 1) / chunkLength + 1 }

    func chunk(_ index: Int) -> [UInt8] {
        Array(bytes[(index * chunkLength)..<min((index + 1) * chunkLength, bytes.count)])
    }

    func want(held: Set<Int> = []) -> BlobWant {
        BlobWant(
            name: name,
            size: UInt64(bytes.count),
            chunkLength: chunkLength,
            root: root,
            lane: lane,
            held: bitmap(held)
        )
    }

    func status(held: Set<Int>) -> BlobStatus? {
        if held.isEmpty { return nil }
        let isWhole = held.count == chunkCount
        let chunks = isWhole ? [] : bitmap(held)
        return BlobStatus(name: name, size: UInt64(bytes.count), root: root, person: person, chunks: chunks)
    }

    /// What a peer says that sends a chunk.
    func chunkMessage(_ index: Int) -> ProtoMessage.OneOf_Content {
        .chunk(
            .with {
                $0.name = Data(name.bytes)
                $0.index = UInt32(index)
                $0.data = Data(chunk(index))
            }
        )
    }

    /// What a peer says that holds all of some blobs, or something else by `change`.
    static func states(
        _ blobs: [TestBlob],
        _ change: (inout ProtoBlobState) -> Void = { _ in }
    ) -> ProtoMessage.OneOf_Content {
        .blobStatus(
            .with {
                $0.states = blobs.map { blob in
                    var state = ProtoBlobState.with {
                        $0.name = Data(blob.name.bytes)
                        $0.size = UInt64(blob.bytes.count)
                        $0.root = Data(blob.root.bytes)
                        $0.person = Data(blob.person.bytes)
                    }
                    change(&state)
                    return state
                }
            }
        )
    }

    private func bitmap(_ held: Set<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (chunkCount + 7) / 8)
        for index in held { bytes[index / 8] |= 1 << (index % 8) }
        return bytes
    }
}

/// Which chunks one node holds of the world's blobs.
struct TestBlobStore {
    var catalogue: [BlobName: TestBlob] = [:]
    var held: [BlobName: Set<Int>] = [:]
    /// Chunks in the order in which they were written.
    var written: [(blob: BlobName, index: Int)] = []
    /// Chunks that came though they were held.
    var duplicates = 0

    func isWhole(_ name: BlobName) -> Bool { held[name]?.count == catalogue[name]?.chunkCount }

    mutating func hold(_ blob: TestBlob) { held[blob.name] = Set(0..<blob.chunkCount) }

    mutating func store(_ chunk: ReceivedChunk) -> ChunkOutcome {
        let index = Int(chunk.index)
        guard let blob = catalogue[chunk.name], chunk.root == blob.root, index < blob.chunkCount,
            chunk.data.bytes == blob.chunk(index)
        else { return .rejected }
        if held[chunk.name]?.contains(index) == true { duplicates += 1 }
        held[chunk.name, default: []].insert(index)
        written.append((chunk.name, index))
        return .stored
    }
}
