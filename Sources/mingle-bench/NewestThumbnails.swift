// SPDX-License-Identifier: Apache-2.0

import MingleClient
import MingleMedia
import MingleModel

/// Blobs that stand for the thumbnails of the newest photos of a plan.
struct NewestThumbnails {
    /// Where they go.
    let store: BlobStore
    /// When the first photo was made that gets one.
    let since: Timestamp
    /// The field of a photo that says of its thumbnail.
    private static let field: UInt32 = 8

    /// A photo's changes with a thumbnail that is in the store; those of other records as they are.
    func put(into record: PlannedRecord, by person: PersonID) throws -> [Change] {
        guard record.kind == .photo, record.made >= since else { return record.changes }
        return try record.changes.map { change in
            guard change.field == Self.field, case .media(let media) = change.value else { return change }
            var generator = SeededGenerator(seed: UInt64(record.made.milliseconds))
            let blob = try store.put(generator.bytes(Int(media.size)), owner: person)
            let stored = Media(root: blob.root, size: UInt64(blob.size), key: blob.key, type: media.type)
            return Change(field: Self.field, value: .media(stored))
        }
    }
}
