// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel

/// What a record says of a blob: enough to fetch it, to check it and to read it.
///
/// The key is why this stands only in payloads; a relay knows the ``BlobIdentity`` and no more.
package struct BlobDescriptor: Hashable, Sendable {
    /// Bytes of a key.
    package static let keyLength = 32

    /// The Merkle root over the encrypted chunks.
    package let root: Bytes32
    /// Bytes of the blob; encryption adds none.
    package let size: Int64
    /// The XChaCha20 key, which serves this blob alone.
    package let key: [UInt8]

    /// Describes a blob; nil for a size that no blob has or a key of the wrong length.
    package init?(root: Bytes32, size: Int64, key: [UInt8]) {
        guard ChunkGeometry(size: size) != nil, key.count == Self.keyLength else { return nil }
        (self.root, self.size, self.key) = (root, size, key)
    }

    /// The blob's name when `owner` posts it.
    package func name(owner: PersonID) -> BlobName { BlobName(root: root, size: UInt64(size), person: owner) }
}

/// What it takes to name a blob and to check its chunks, without the key that reads it.
package struct BlobIdentity: Hashable, Sendable {
    /// The Merkle root over the encrypted chunks.
    package let root: Bytes32
    /// The person whose records may use the blob.
    package let owner: PersonID
    /// How the blob falls into chunks.
    package let geometry: ChunkGeometry
    /// The blob's name.
    package let name: BlobName

    /// Bytes of the blob.
    package var size: Int64 { geometry.size }

    /// Identifies a blob; nil for a size that no blob has.
    package init?(root: Bytes32, size: Int64, owner: PersonID) {
        guard let geometry = ChunkGeometry(size: size) else { return nil }
        self.root = root
        self.owner = owner
        self.geometry = geometry
        name = BlobName(root: root, size: UInt64(size), person: owner)
    }
}
