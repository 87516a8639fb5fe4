// SPDX-License-Identifier: Apache-2.0

import MingleMedia
import MingleModel
import MingleWire

/// Blobs that were put for a record that is about to be written.
struct PutBlobs {
    /// Whose they are.
    let owner: PersonID
    /// As the record lists them.
    private(set) var listings: [BlobListing] = []

    /// What they are called.
    var names: [BlobName] { listings.map(\.name) }

    /// None yet.
    init(owner: PersonID) { self.owner = owner }

    /// Notes a blob, and returns what the record says of it.
    mutating func add(_ blob: BlobDescriptor, type: String) -> Value {
        listings.append(BlobListing(name: blob.name(owner: owner), size: UInt64(blob.size)))
        return .media(Media(root: blob.root, size: UInt64(blob.size), key: blob.key, type: type))
    }
}
