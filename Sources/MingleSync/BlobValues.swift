// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
package import MingleWire

/// A blob to be fetched.
package struct BlobWant: Hashable, Sendable {
    /// The blob's name.
    package let name: BlobName
    /// Bytes of the blob.
    package let size: UInt64
    /// Bytes of each chunk but the last.
    package let chunkLength: Int
    /// The Merkle root, where a payload told it.
    package let root: Bytes32?
    /// Thumbnails, previews or originals: what goes first.
    package let lane: Lane
    /// The chunks that are held already, lowest bit first; empty: none.
    package let held: [UInt8]

    /// Describes a blob to be fetched.
    package init(
        name: BlobName,
        size: UInt64,
        chunkLength: Int,
        root: Bytes32?,
        lane: Lane,
        held: [UInt8] = []
    ) {
        precondition(size > 0 && chunkLength > 0, "a blob has bytes")
        precondition(lane.rawValue >= Lane.thumbnails.rawValue, "a blob travels on a lane for blobs")
        (self.name, self.size, self.chunkLength) = (name, size, chunkLength)
        (self.root, self.lane, self.held) = (root, lane, held)
    }

    /// The same blob on another lane.
    func moved(to lane: Lane) -> BlobWant {
        BlobWant(name: name, size: size, chunkLength: chunkLength, root: root, lane: lane, held: held)
    }

    /// The same blob as a peer has proved it to be, whatever the header says that listed it; `size` is one that blobs have.
    func proved(size: UInt64, root: Bytes32) -> BlobWant {
        let length = size == self.size ? chunkLength : ChunkGeometry(size: Int64(size))?.chunkSize ?? chunkLength
        return BlobWant(name: name, size: size, chunkLength: length, root: root, lane: lane, held: held)
    }

    /// How many chunks there are.
    var chunkCount: Int { Int((size - 1) / UInt64(chunkLength)) + 1 }

    /// Bytes of the chunk at `index`.
    func length(of index: Int) -> Int { min(chunkLength, Int(size) - index * chunkLength) }
}

/// What a node holds of a blob.
package struct BlobStatus: Hashable, Sendable {
    /// The blob's name.
    package let name: BlobName
    /// Bytes of the blob.
    package let size: UInt64
    /// The Merkle root.
    package let root: Bytes32
    /// The owner.
    package let person: PersonID
    /// The chunks that are held, lowest bit first; empty: all.
    package let chunks: [UInt8]
    /// Whether it was here, and a policy let it go for good.
    package let isEvicted: Bool

    /// Says what is held of a blob.
    package init(name: BlobName, size: UInt64, root: Bytes32, person: PersonID, chunks: [UInt8] = []) {
        (self.name, self.size, self.root, self.person, self.chunks) = (name, size, root, person, chunks)
        isEvicted = false
    }

    /// Says that nothing is held of a blob any more, and never will be.
    package init(evicted name: BlobName) {
        (self.name, size, root, person, chunks) = (name, 0, .zero, PersonID(.zero), [])
        isEvicted = true
    }
}

/// A chunk as it is read for a peer.
package struct ChunkData: Hashable, Sendable {
    /// Sibling hashes, from the leaf up.
    package let proof: [Bytes32]
    /// The bytes, never empty.
    package let bytes: [UInt8]

    /// Takes a chunk.
    package init(proof: [Bytes32], bytes: [UInt8]) { (self.proof, self.bytes) = (proof, bytes) }
}

/// A chunk as a peer sent it, with what it takes to check it.
package struct ReceivedChunk: Hashable, Sendable {
    /// The blob's name.
    package let name: BlobName
    /// Bytes of the blob.
    package let size: UInt64
    /// The root and the owner that the peer claims: with the size they must hash to the name.
    package let root: Bytes32
    /// The owner that the peer claims.
    package let person: PersonID
    /// Which chunk.
    package let index: UInt32
    /// The chunk.
    package let data: ChunkData

    /// Whether root, size and person hash to the blob's name, so that they are what it is.
    package var fitsName: Bool { BlobName(root: root, size: size, person: person) == name }
}

/// What became of a chunk.
package enum ChunkOutcome: Sendable {
    /// It is written.
    case stored
    /// It does not fit the blob's name: the peer lied.
    case rejected
    /// It could not be written, for a reason of this blob's: the blob is not fetched for a while.
    case putOff
    /// It could not be written: no blob is fetched for a while.
    case notWritten
    /// The blob was erased meanwhile, so that nobody wants it any more.
    case unwanted
}
