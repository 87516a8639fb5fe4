// SPDX-License-Identifier: Apache-2.0

import MingleMedia
package import MingleModel
package import MingleReplica
package import MingleSync
import MingleWire

/// What a relay does, which knows of blobs by their listings alone.
extension Responder {
    /// What is to be fetched of these blobs: those that are not here.
    ///
    /// No payload tells a relay a blob's root. A peer states it, and with size and person it has to hash to the name.
    package func wants(_ listed: [ListedBlob]) -> [BlobWant] {
        listed.compactMap { blob in
            guard !blobs.isComplete(blob.name), let geometry = ChunkGeometry(size: Int64(clamping: blob.size)) else {
                return nil
            }
            return BlobWant(
                name: blob.name,
                size: blob.size,
                chunkLength: geometry.chunkSize,
                root: nil,
                lane: Lane(listedBlob: blob),
                held: (try? blobs.heldChunks(blob.name))?.bytes ?? []
            )
        }
    }

    /// Hands out, page by page, the blobs that a relay is to hold.
    package func listings(_ body: ([ListedBlob]) -> Void) throws { try replica.listedBlobs(body) }

    /// Whether a chunk is of a blob of the person who lists it, and of nobody else: who lists another's keeps nothing of it.
    package func isListed(_ chunk: ReceivedChunk) throws -> Bool {
        try replica.lists(chunk.name, by: chunk.person)
    }

    /// Those of the unlisted blobs that are here, in part or whole, and are their person's.
    package func ownBlobs(among unlisted: [UnlistedBlob]) -> [BlobName] {
        unlisted.filter { (try? blobs.status(of: $0.name))?.identity.owner == $0.person }.map(\.name)
    }

    /// Lets go of what a policy does not hold; nil if that is nothing.
    package func retain(by policy: RetentionPolicy, quiet: Duration, excess: Int) throws -> MergeOutcome? {
        let evictions = policy.evictions(of: try holdings(for: policy), quiet: quiet, excess: excess)
        return evictions.isEmpty ? nil : try replica.evict(evictions)
    }

    /// What this relay is to hold, with what of it is on the disk.
    private func holdings(for policy: RetentionPolicy) throws -> [Holding] {
        let claims = try replica.holdings(byHour: policy.authorHourly != nil)
        let names = claims.compactMap { if case .blob(let name) = $0.what { name } else { nil } }
        let isDoubtful = Dictionary(names.map { ($0, false) }) { _, _ in true }
        return try claims.map { claim in
            guard case .blob(let name) = claim.what else { return claim }
            var claim = claim
            // Of several who list a blob it is one's at the most.
            let isOwn = try isDoubtful[name] == false || owns(claim.person, name)
            claim.held = isOwn ? Int(blobs.fileBytes(of: name) ?? 0) : 0
            return claim
        }
    }

    private func owns(_ person: Int64, _ name: BlobName) throws -> Bool {
        guard let owner = (try? blobs.status(of: name))?.identity.owner else { return false }
        return try replica.person(at: person) == owner
    }
}

extension Lane {
    /// The lane that suits a blob of which only its place among its header's is known: a photo lists three.
    fileprivate init(listedBlob blob: ListedBlob) {
        switch blob.place {
        case 0 where blob.size <= 256 << 10: self = .thumbnails
        case 0, 1: self = blob.size <= 4 << 20 ? .previews : .originals
        default: self = .originals
        }
    }
}
