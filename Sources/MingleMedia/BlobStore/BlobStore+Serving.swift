// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension BlobStore {
    /// Reads an encrypted chunk and its proof for a peer, checked against the root.
    package func readChunk(_ name: BlobName, index: Int) throws -> StoredChunk {
        try file(of: name).chunk(index)
    }

    /// Reads every held chunk and returns the indices of those that no longer fit the root.
    package func verify(_ name: BlobName) throws -> [Int] {
        let file = try file(of: name)
        var damaged: [Int] = []
        for index in 0..<file.held.capacity where file.held.contains(index) {
            do {
                _ = try file.chunk(index)
            } catch BlobStoreError.damaged {
                damaged.append(index)
            }
        }
        return damaged
    }

    /// Opens a complete blob of `owner` for reading in the clear.
    package func open(_ descriptor: BlobDescriptor, owner: PersonID) throws -> BlobReader {
        let file = try file(of: descriptor.name(owner: owner))
        guard file.held.isComplete else { throw BlobStoreError.notHeld(file.identity.name, index: nil) }
        return BlobReader(file, key: descriptor.key)
    }

    func file(of name: BlobName) throws -> BlobFile {
        switch entry(name) {
        case .complete: try BlobFile(complete: path(of: name), name: name)
        case .partial(let blob): try blob.open()
        case nil: throw BlobStoreError.notHeld(name, index: nil)
        }
    }
}
