// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MingleMedia
import MingleModel
import MingleReplica
import MingleSync
import MingleWire

extension EventSession {
    /// Records that are looked through at a time for blobs that were left to fetch.
    private static let pageLength = 1000
    /// Payloads that are asked for after a start.
    private static let payloadLimit = 10_000

    /// Finds what an earlier run of this node left to fetch, and returns the blobs that records speak of; nil if the
    /// records cannot be read.
    @discardableResult
    func findUnfinished() -> Set<BlobName>? {
        var mentioned: Set<BlobName>?
        attempt("find what is left to fetch") {
            var names: Set<BlobName> = []
            let payloads = try replica.missingPayloads(limit: Self.payloadLimit)
            feed(.payloadsWanted(payloads.map { PayloadWant(reference: $0.reference, length: $0.length) }))
            var row: Int64? = 0
            while let start = row {
                let page = try replica.mentions(after: start, limit: Self.pageLength)
                want(page.mentions)
                names.formUnion(page.mentions.map(\.name))
                row = page.last
            }
            // Without the key no record can be read, and what they speak of is not known.
            if try replica.hasKey() { mentioned = names }
        }
        return mentioned
    }

    /// Asks for those blobs that are not here.
    func want(_ mentions: [MediaMention]) {
        let wants = mentions.compactMap { mention -> BlobWant? in
            guard !blobs.isComplete(mention.name) else { return nil }
            return BlobWant(mention, held: (try? blobs.heldChunks(mention.name))?.bytes ?? [])
        }
        guard !wants.isEmpty else { return }
        wanted.add(wants)
        feed(.blobsWanted(wants))
    }

    /// Forgets blobs that no record speaks of any more.
    func erase(_ names: [BlobName]) {
        guard !names.isEmpty else { return }
        feed(.blobsUnwanted(names))
        wanted.remove(names)
        storing.async { [self] in
            for name in names { attempt("erase a blob") { try blobs.delete(name) } }
        }
    }

    /// Tells peers of blobs that this node's person just shared.
    func announce(_ names: [BlobName]) { feed(.blobsHeld(names)) }

    func loadBlobStates(for peer: PeerID, _ names: [BlobName]) {
        let states = names.compactMap { name -> BlobStatus? in
            guard let (identity, held) = try? blobs.status(of: name) else { return nil }
            return BlobStatus(
                name: name,
                size: UInt64(identity.size),
                root: identity.root,
                person: identity.owner,
                chunks: held.isComplete ? [] : held.bytes
            )
        }
        feed(.blobStates(peer, states))
    }

    func loadChunk(for peer: PeerID, _ name: BlobName, index: UInt32) {
        let chunk = try? blobs.readChunk(name, index: Int(index))
        feed(.chunk(peer, name, index: index, chunk.map { ChunkData(proof: $0.proof, bytes: $0.ciphertext) }))
    }

    func store(_ chunk: ReceivedChunk, from peer: PeerID) {
        let outcome = write(chunk)
        feed(.chunkStored(peer, chunk.name, index: chunk.index, outcome))
        guard case .stored = outcome else { return }
        let isComplete = blobs.isComplete(chunk.name)
        if wanted.noteStored(chunk.name, byteCount: chunk.data.bytes.count, isComplete: isComplete), isComplete {
            changes.publish(kinds: ["media"])
        }
    }

    private func write(_ chunk: ReceivedChunk) -> ChunkOutcome {
        guard let identity = BlobIdentity(root: chunk.root, size: Int64(chunk.size), owner: chunk.person),
            identity.name == chunk.name
        else { return .rejected }
        // It may have been erased since it was asked for.
        guard wanted.contains(chunk.name) else { return .notWritten }
        do {
            try blobs.write(
                chunk: chunk.data.bytes,
                index: Int(chunk.index),
                proof: chunk.data.proof,
                of: identity
            )
            return .stored
        } catch BlobStoreError.wrongChunk {
            return .rejected
        } catch {
            pauseIfFull(error)
            return .notWritten
        }
    }
}

extension BlobWant {
    fileprivate init?(_ mention: MediaMention, held: [UInt8]) {
        guard let geometry = ChunkGeometry(size: Int64(mention.media.size)) else { return nil }
        let lane: Lane =
            switch mention.role {
            case .thumbnail: .thumbnails
            case .preview: .previews
            case .original: .originals
            }
        self.init(
            name: mention.name,
            size: mention.media.size,
            chunkLength: geometry.chunkSize,
            root: mention.media.root,
            lane: lane,
            held: held
        )
    }
}
