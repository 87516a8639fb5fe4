// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Why the blob store could not do what was asked; what it held before, it still holds.
package enum BlobStoreError: Error, Equatable {
    /// The disk or the quota is full; once there is room, the same call succeeds.
    case noSpace(path: String)
    /// A blob that is fetched would take of the bytes that are reserved for other things.
    case noRoom(for: BlobName)
    /// The chunk does not belong there: a wrong length, index or proof, or other bytes than the author's.
    case wrongChunk(BlobName, index: Int)
    /// The chunk, or the blob if `index` is nil, is not held.
    case notHeld(BlobName, index: Int?)
    /// The stored bytes changed since they were verified; the blob must be deleted and fetched again.
    case damaged(BlobName, index: Int)
    /// No blob can have this size: empty, or beyond ``ChunkGeometry/maximumSize``.
    case unusableSize(Int64)
    /// What was to be stored ended early or grew while it was read.
    case sourceChanged(path: String)
    /// The system refused an operation.
    case system(operation: String, path: String, code: Int32)
}

extension BlobStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSpace(let path):
            "the disk has no space to write \(path). Free some space. The node then continues by itself"
        case .noRoom(let name):
            "the disk has no space for blob \(name). Free some space. The node then fetches the blob"
        case .wrongChunk(let name, let index): "chunk \(index) of blob \(name) is not the one that its author stored"
        case .notHeld(let name, let index?): "chunk \(index) of blob \(name) is not here yet"
        case .notHeld(let name, nil): "blob \(name) is not here yet"
        case .damaged(let name, let index): "chunk \(index) of blob \(name) is damaged on disk: fetch the blob again"
        case .unusableSize(let size): "a blob has 1 byte to 4 GiB, not \(size) bytes"
        case .sourceChanged(let path): "\(path) changed while it was read. Try again once the file is complete"
        case .system(let operation, let path, let code): "cannot \(operation) \(path): \(File.message(for: code))"
        }
    }
}
