// SPDX-License-Identifier: Apache-2.0

import MingleMedia
package import MingleModel
package import MingleReplica
package import MingleSync
import MingleWire

extension Responder {
    /// Records that are looked through at a time for blobs that were left to fetch.
    private static let pageLength = 1000
    /// Payloads that are looked up at a time.
    private static let payloadLimit = 10_000

    /// Hands out, page by page, the payloads that an earlier run of this node left to fetch.
    package func missingPayloads(_ body: (SyncInput) -> Void) throws {
        var row: Int64? = 0
        while let start = row {
            let page = try replica.missingPayloads(after: start, limit: Self.payloadLimit)
            if !page.payloads.isEmpty { body(.payloadsWanted(of: page.payloads)) }
            row = page.last
        }
    }

    /// Hands out, page by page, what shown records speak of.
    package func mentions(_ body: ([MediaMention]) -> Void) throws {
        var row: Int64? = 0
        while let start = row {
            let page = try replica.mentions(after: start, limit: Self.pageLength)
            body(page.mentions)
            row = page.last
        }
    }

    /// Of blobs that an earlier run left those that nobody will miss: a stop between an erasing and what follows with the files
    /// would keep them for ever.
    ///
    /// Where words are gone, by a lost database, a power cut or a repair, what lies beside them may be the only copy; so it goes
    /// only where its owner's deletion is here, or where a relay's policy has let go of what its owner shared.
    package func orphans(among inherited: [BlobName]) throws -> [BlobName] {
        guard !inherited.isEmpty else { return [] }
        let names = Set(inherited)
        var dropped = try replica.deletedBlobs(among: names)
        if replica.own.isRelay { dropped.merge(try replica.givers(of: names)) { $0.union($1) } }
        var gone = Set(dropped.filter { name, persons in owner(of: name).map(persons.contains) ?? false }.keys)
        if replica.own.isRelay { gone.subtract(try replica.listedNames()) }
        return inherited.filter(gone.contains)
    }

    /// Of blobs that an earlier run left those that this node's person put without saying anything of them: a stop came between the two.
    ///
    /// They may be the only copies as well, unless all members who are connected have said to hold no more than this node does.
    package func unspoken(among inherited: [BlobName]) throws -> [BlobName] {
        let own = inherited.filter { owner(of: $0) == replica.own.person }
        guard !own.isEmpty, !replica.own.isRelay else { return [] }
        let unlisted = try replica.unlistedBlobs(among: Set(own))
        return own.filter(unlisted.contains)
    }

    /// Whose a blob is, as its file says.
    private func owner(of name: BlobName) -> PersonID? { (try? blobs.status(of: name))?.identity.owner }

    /// Lists the blobs that go with this device if nobody else holds them: what its person shared, and what is here whole of people who left.
    package func list(for handOver: (_ names: [BlobName], _ whoLeft: Set<PersonID>) -> Void) throws {
        let (me, left) = (replica.own.person, try replica.personsWhoLeft())
        var names: Set<BlobName> = []
        try mentions { mentions in
            let meant = mentions.filter { mention in
                // Another device of one's own may be the only one that has it, and cannot hand it over any more.
                mention.owner == me || left.contains(mention.owner) && blobs.isComplete(mention.name)
            }
            names.formUnion(meant.map(\.name))
        }
        handOver(names.sorted(), left)
    }

    /// What is to be fetched of these blobs: those that are not here.
    package func wants(_ mentions: [MediaMention]) -> [BlobWant] {
        mentions.compactMap { mention in
            guard !blobs.isComplete(mention.name) else { return nil }
            return BlobWant(mention, held: (try? blobs.heldChunks(mention.name))?.bytes ?? [])
        }
    }

    /// Finds what is to be fetched of what records speak of, from a row on until it is enough.
    func unfinished(after row: Int64, limit: Int) throws -> SyncInput {
        var wants: [BlobWant] = []
        guard !replica.own.isRelay else {
            try listings { wants += self.wants($0) }
            return .blobsFound(wants, next: nil)
        }
        var next: Int64? = row
        while let start = next, wants.count < limit {
            let page = try replica.mentions(after: start, limit: Self.pageLength)
            wants += self.wants(page.mentions)
            next = page.last
        }
        return .blobsFound(wants, next: next)
    }

    func states(of names: [BlobName]) throws -> [BlobStatus] {
        let evicted = replica.own.isRelay ? try replica.givenUp(among: names) : []
        return names.compactMap { name in
            if evicted.contains(name) { return BlobStatus(evicted: name) }
            guard let (identity, held) = try? blobs.status(of: name) else { return nil }
            return BlobStatus(
                name: name,
                size: UInt64(identity.size),
                root: identity.root,
                person: identity.owner,
                chunks: held.isComplete ? [] : held.bytes
            )
        }
    }

    func chunk(_ index: UInt32, of name: BlobName) -> ChunkData? {
        let chunk = try? blobs.readChunk(name, index: Int(index))
        return chunk.map { ChunkData(proof: $0.proof, bytes: $0.ciphertext) }
    }

    /// Checks and writes a chunk; false if it does not fit the blob's name.
    ///
    /// - Throws: `BlobStoreError` if the disk refuses.
    package func store(_ chunk: ReceivedChunk) throws -> Bool {
        guard let identity = BlobIdentity(root: chunk.root, size: Int64(chunk.size), owner: chunk.person),
            identity.name == chunk.name
        else { return false }
        do {
            try blobs.write(
                chunk: chunk.data.bytes,
                index: Int(chunk.index),
                proof: chunk.data.proof,
                of: identity
            )
            return true
        } catch BlobStoreError.wrongChunk {
            return false
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

extension SyncInput {
    /// That some payloads are to be fetched.
    package static func payloadsWanted(of missing: [MissingPayload]) -> SyncInput {
        .payloadsWanted(missing.map { PayloadWant(reference: $0.reference, length: $0.length) })
    }
}
