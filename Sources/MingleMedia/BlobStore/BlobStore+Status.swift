// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension BlobStore {
    /// What a blob is and which of its chunks can be read; nil if nothing of it is here.
    package func status(of name: BlobName) throws -> (identity: BlobIdentity, held: ChunkSet)? {
        guard entry(name) != nil else { return nil }
        let file = try file(of: name)
        return (file.identity, file.held)
    }

    /// Bytes that a blob's file takes, with the room claimed for chunks still to come; nil if there is none.
    package func fileBytes(of name: BlobName) -> Int64? {
        switch entry(name) {
        case .complete(let fileLength): fileLength
        case .partial(let blob): blob.fileLength
        case nil: nil
        }
    }
}
