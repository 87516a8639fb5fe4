// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MingleModel
import MingleWire

extension Transaction {
    /// Erases a record if `person` wrote it: its payload, those of all deltas about it, and its blobs.
    ///
    /// It needs no payload, so it works the same before the record could be read and after.
    ///
    /// - Returns: whether it did; what is no record, was erased before or is somebody else's stays as it is.
    func erase(_ row: Int64, orderedBy person: Int64) throws -> Bool {
        guard let root = try stored(row), !root.isErased, root.delta.header.root == .itself,
            root.delta.header.journal == .content, root.device.person == person
        else { return false }
        try storeNewRecords()
        let blobs = try blobs(of: row)
        for kind in Kind.all where kind.identity == .delta {
            try forgetWords(of: kind, where: "id = ?", [row])
            guard let gone = try self.row("DELETE FROM \(kind.name) WHERE id = ? RETURNING target, audience", [row])
            else { continue }
            outcome.changedKinds.insert(kind.name)
            outcome.changedRecords.note(row, of: kind, on: gone["target"], in: gone["audience"])
            if kind == .moment { staleLineage.insert(row) }
        }
        try forgetHiding(of: row)
        memory.merges.forget(row)
        memory.statements.forget(row)
        try erasePayload(row)
        for edit in try rows("SELECT id FROM journal WHERE root = ?", [row]) { try erasePayload(edit["id"]) }
        unlistedBlobs[root.device.person, default: []] += blobs
        return true
    }

    /// Forgets a payload, and keeps the hash that stands for it in the header.
    func erasePayload(_ row: Int64) throws {
        guard let stored = try stored(row), !stored.delta.header.isDeletion else { return }
        try run(
            "UPDATE journal SET payload = NULL, erased = 1, header = ? WHERE id = ?",
            [Data(stored.delta.header.stored(payloadIsHeld: false)), row]
        )
        try releaseUsage(of: stored)
        try noteErasure()
        try unlist(row)
        guard stored.delta.payload == nil else { return }
        outcome.settledPayloads.append(stored.delta.reference)
    }

    /// Every blob that ever stood in a record, also those that an edit has replaced.
    private func blobs(of row: Int64) throws -> [MediaMention] {
        var blobs: [BlobName: MediaMention] = [:]
        guard let author = try stored(row)?.device.person, let owner = memory.persons[author]?.name else { return [] }
        for kind in Kind.all where kind.identity == .delta && !kind.mediaFields.isEmpty {
            for change in try contributions(to: row, of: kind).flatMap(\.changes) {
                guard case .media(let media) = change.value, let field = kind.field(change.field) else { continue }
                let name = media.name(owner: owner)
                blobs[name] = MediaMention(name: name, media: media, owner: owner, role: field.mediaRole)
            }
        }
        return blobs.values.sorted { $0.name < $1.name }
    }

    /// Gives up the blobs of erased records that no record of the same person speaks of any more, but for those that
    /// are held back.
    ///
    /// It is done once for a transaction, because it looks at all that the person shared: an index that finds a blob
    /// would cost every merge of a photo three entries in random places.
    func settleErasedBlobs() throws {
        for (author, blobs) in unlistedBlobs.sorted(by: { $0.key < $1.key }) {
            var gone: [BlobName] = []
            for start in stride(from: 0, to: blobs.count, by: Self.blobsPerQuery) {
                let part = blobs[start..<min(start + Self.blobsPerQuery, blobs.count)]
                let mentioned = try mentioned(part.map(\.media.column), by: author)
                gone += part.filter { !mentioned.contains($0.media.column) }.map(\.name)
            }
            guard !gone.isEmpty else { continue }
            let heldBack = try blobsHeldBack(of: author)
            outcome.erasedBlobs += gone.filter { !heldBack.contains($0) }
        }
        unlistedBlobs = [:]
    }

    private static let blobsPerQuery = 10_000

    /// Which of these blobs, as columns, a person's records speak of.
    private func mentioned(_ blobs: [Data], by author: Int64) throws -> Set<Data> {
        var mentioned: Set<Data> = []
        let marks = blobs.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        for kind in Kind.all where !kind.mediaFields.isEmpty {
            let names = kind.mediaFields.map { "\"\($0.name)\"" }
            let conditions = names.map { "\($0) IN (\(marks))" }.joined(separator: " OR ")
            let found = try Row.fetchAll(
                db,
                sql: "SELECT \(names.joined(separator: ", ")) FROM \(kind.name) WHERE author = ?1 AND (\(conditions))",
                arguments: StatementArguments([author.databaseValue] + blobs.map(\.databaseValue))
            )
            for row in found {
                for index in names.indices { if let column: Data = row[index] { mentioned.insert(column) } }
            }
        }
        return mentioned
    }
}

extension Kind {
    /// The fields that hold blobs.
    var mediaFields: [Field] { fields.filter { $0.type == .media } }
}
