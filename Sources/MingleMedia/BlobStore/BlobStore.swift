// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MingleCrypto
package import MingleModel
import Synchronization

/// A folder of encrypted blobs, one file each, complete or partly fetched.
///
/// A complete blob's file has the blob's name, a partly fetched one `.part` after it. All calls block and may come
/// from any thread; calls for different blobs do not wait for each other.
package final class BlobStore: Sendable {
    /// Bytes of received chunks after which they are synchronized and marked.
    package static let batchSize = 8 << 20
    static let partialSuffix = ".part"
    static let temporaryPrefix = "new-"

    let folder: Folder
    /// Free bytes that fetched blobs leave to other things.
    let reserve: Int64
    let randomness: Randomness
    let state: Mutex<State>

    /// How a blob is stored.
    enum Entry {
        case complete(fileLength: Int64)
        case partial(PartialBlob)

        var fileLength: Int64 {
            switch self {
            case .complete(let fileLength): fileLength
            case .partial(let blob): blob.fileLength
            }
        }

        /// Whether all chunks can be read.
        ///
        /// Of a partial blob the last one may have come, and its file not been renamed yet.
        var isComplete: Bool {
            switch self {
            case .complete: true
            case .partial(let blob): blob.held.isComplete
            }
        }
    }

    struct State {
        var entries: [BlobName: Entry] = [:]
        var storedBytes: Int64 = 0
        /// Blobs with chunks that are not synchronized yet.
        var unsynchronized: Set<BlobName> = []
        var unsynchronizedBytes = 0

        mutating func set(_ entry: Entry?, for name: BlobName) {
            storedBytes += (entry?.fileLength ?? 0) - (entries[name]?.fileLength ?? 0)
            entries[name] = entry
        }
    }

    /// Opens the store in `path`, making the folder if need be, and takes up what an earlier run left.
    ///
    /// Blobs that are fetched leave `reserve` bytes of the disk free; those that a person puts need not.
    package init(path: String, reserve: Int = 0, randomness: Randomness = .system) throws {
        folder = try Folder(creating: path)
        self.reserve = Int64(reserve)
        self.randomness = randomness
        state = Mutex(State())
        for fileName in try folder.names() { try takeUp(folderEntry: fileName) }
        try flush()
    }

    /// Takes up a file that an earlier run left, or that was mended.
    func takeUp(folderEntry fileName: String) throws {
        let path = folder.path(of: fileName)
        if fileName.hasPrefix(Self.temporaryPrefix) {
            try File.remove(path)
        } else if let name = BlobName(text: fileName) {
            let fileLength = try File(path, for: .reading).length
            state.withLock { $0.set(.complete(fileLength: fileLength), for: name) }
        } else if fileName.hasSuffix(Self.partialSuffix),
            let name = BlobName(text: fileName.dropLast(Self.partialSuffix.count))
        {
            try takeUpPartial(name, path)
        }
    }

    private func takeUpPartial(_ name: BlobName, _ path: String) throws {
        // File names come in order, so a complete blob was met before its `.part`.
        let isComplete = state.withLock { $0.entries[name] != nil }
        let resumed: PartialBlob?
        do {
            resumed =
                isComplete
                ? nil
                : try PartialBlob(resuming: name, partialPath: path, finalPath: self.path(of: name), reserve: reserve)
        } catch BlobStoreError.system(_, _, code: EIO) {
            // One bad sector keeps nobody from the rest.
            return try setAside(path)
        }
        guard let blob = resumed else {
            try File.remove(path)
            return
        }
        state.withLock { state in
            state.set(.partial(blob), for: name)
            state.unsynchronized.insert(name)
        }
    }

    func path(of name: BlobName) -> String { folder.path(of: name.description) }

    func entry(_ name: BlobName) -> Entry? { state.withLock { $0.entries[name] } }

    // MARK: - What is held

    /// Whether every chunk of the blob can be read.
    package func isComplete(_ name: BlobName) -> Bool { entry(name)?.isComplete ?? false }

    /// How many blobs are complete.
    package var completeCount: Int {
        let entries = state.withLock { $0.entries }
        return entries.values.count { $0.isComplete }
    }

    /// The chunks of a blob that can be read; nil if nothing is known of it.
    ///
    /// For a complete blob this opens its file, because only the file knows how many chunks there are.
    package func heldChunks(_ name: BlobName) throws -> ChunkSet? {
        switch entry(name) {
        case .complete(let fileLength):
            if fileLength <= Int64(ChunkGeometry.smallestChunk) { return ChunkSet(allOf: 1) }
            return try BlobFile(complete: path(of: name), name: name).held
        case .partial(let blob): return blob.held
        case nil: return nil
        }
    }

    /// The names of all blobs, in order, and whether each is complete.
    package func list() -> [(name: BlobName, isComplete: Bool)] {
        let entries = state.withLock { $0.entries }
        return entries.map { ($0.key, $0.value.isComplete) }.sorted { $0.0 < $1.0 }
    }

    /// Bytes that a blob's file takes; 0 if there is none.
    package func storedBytes(of name: BlobName) -> Int64 { entry(name)?.fileLength ?? 0 }

    /// Bytes that the files take, those of chunks still to come included.
    package var storedBytes: Int64 { state.withLock { $0.storedBytes } }

    /// Removes a blob, complete or not; false if there was none.
    @discardableResult
    package func delete(_ name: BlobName) throws -> Bool {
        let entry = state.withLock { state in
            let entry = state.entries[name]
            state.set(nil, for: name)
            state.unsynchronized.remove(name)
            return entry
        }
        switch entry {
        case .complete: return try File.remove(path(of: name))
        case .partial(let blob):
            try blob.discard()
            return true
        case nil: return false
        }
    }
}
