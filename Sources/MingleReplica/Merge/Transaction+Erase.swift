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
            try run("DELETE FROM \(kind.name) WHERE id = ?", [row])
            if db.changesCount > 0 { outcome.changedKinds.insert(kind.name) }
        }
        try erasePayload(row)
        for edit in try rows("SELECT id FROM journal WHERE root = ?", [row]) { try erasePayload(edit["id"]) }
        for blob in blobs where try !isMentioned(blob.media, by: root.device.person) {
            outcome.erasedBlobs.append(blob.name)
        }
        return true
    }

    /// Forgets a payload, and keeps the hash that stands for it in the header.
    func erasePayload(_ row: Int64) throws {
        guard let stored = try stored(row), !stored.delta.header.isDeletion else { return }
        try run(
            "UPDATE journal SET payload = NULL, erased = 1, header = ? WHERE id = ?",
            [Data(stored.delta.header.stored(payloadIsHeld: false)), row]
        )
        outcome.hasErased = true
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

    /// Whether another record of the same person speaks of the same blob.
    private func isMentioned(_ media: Media, by author: Int64) throws -> Bool {
        for kind in Kind.all where !kind.mediaFields.isEmpty {
            let conditions = kind.mediaFields.map { "\"\($0.name)\" = ?2" }.joined(separator: " OR ")
            let found = try row(
                "SELECT 1 FROM \(kind.name) WHERE author = ?1 AND (\(conditions)) LIMIT 1",
                [author, media.column]
            )
            if found != nil { return true }
        }
        return false
    }
}

extension Kind {
    /// The fields that hold blobs.
    var mediaFields: [Field] { fields.filter { $0.type == .media } }
}
