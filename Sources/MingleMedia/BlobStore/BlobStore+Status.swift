// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension BlobStore {
    /// What a blob is and which of its chunks can be read; nil if nothing of it is here.
    package func status(of name: BlobName) throws -> (identity: BlobIdentity, held: ChunkSet)? {
        guard entry(name) != nil else { return nil }
        let file = try file(of: name)
        return (file.identity, file.held)
    }
}
