// SPDX-License-Identifier: Apache-2.0

package import MingleModel
import Synchronization

extension BlobStore {
    /// Verifies a chunk that a peer sent and writes it; false if it was held already.
    ///
    /// Throws `wrongChunk` if it is not the author's, and writes nothing then. The chunk can be read at once, but a
    /// power cut may take it back until ``flush()`` or a later chunk that fills the batch or completes the blob.
    @discardableResult
    package func write(
        chunk: [UInt8],
        index: Int,
        proof: [Bytes32],
        of identity: BlobIdentity
    ) throws -> Bool {
        let geometry = identity.geometry
        guard index >= 0, index < geometry.count, chunk.count == geometry.length(of: index) else {
            throw BlobStoreError.wrongChunk(identity.name, index: index)
        }
        guard let blob = partial(identity) else { return false }
        do {
            guard try blob.write(chunk, at: index, proof: proof) else { return false }
        } catch {
            forgetIfEmpty(blob)
            throw error
        }
        try noteWritten(chunk.count, blob)
        return true
    }

    /// Makes all received chunks outlive a power cut; throws the first failure after trying every blob.
    package func flush() throws {
        let names = state.withLock { state in
            defer { (state.unsynchronized, state.unsynchronizedBytes) = ([], 0) }
            return state.unsynchronized.sorted()
        }
        try settle(names)
    }

    private func partial(_ identity: BlobIdentity) -> PartialBlob? {
        state.withLock { state in
            switch state.entries[identity.name] {
            case .complete: return nil
            case .partial(let blob): return blob
            case nil:
                let path = path(of: identity.name)
                let blob = PartialBlob(
                    identity,
                    partialPath: path + Self.partialSuffix,
                    finalPath: path,
                    reserve: reserve
                )
                state.set(.partial(blob), for: identity.name)
                return blob
            }
        }
    }

    private func forgetIfEmpty(_ blob: PartialBlob) {
        guard blob.discardIfEmpty() else { return }
        state.withLock { state in
            guard case .partial(let known) = state.entries[blob.identity.name], known === blob else { return }
            state.set(nil, for: blob.identity.name)
        }
    }

    private func noteWritten(_ count: Int, _ blob: PartialBlob) throws {
        let isBatchFull = state.withLock { state in
            state.unsynchronized.insert(blob.identity.name)
            state.unsynchronizedBytes += count
            return state.unsynchronizedBytes >= Self.batchSize
        }
        if isBatchFull {
            try flush()
        } else if blob.identity.geometry.count > 1, blob.held.isComplete {
            try settle([blob.identity.name])
        }
    }

    private func settle(_ names: [BlobName]) throws {
        var failure: (any Error)?
        var renamed = false
        for name in names {
            guard case .partial(let blob) = entry(name) else { continue }
            do {
                if try blob.synchronize() {
                    renamed = true
                    noteComplete(blob)
                }
            } catch {
                failure = failure ?? error
            }
        }
        if renamed { try folder.synchronize() }
        if let failure { throw failure }
    }

    private func noteComplete(_ blob: PartialBlob) {
        state.withLock { state in
            // It may have been deleted meanwhile.
            guard case .partial(let known) = state.entries[blob.identity.name], known === blob else { return }
            state.set(.complete(fileLength: blob.fileLength), for: blob.identity.name)
        }
    }
}
