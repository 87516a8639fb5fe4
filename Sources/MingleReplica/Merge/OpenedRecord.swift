// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// Changes of a record, with all that can be worked out about them without the database.
///
/// It is an object, because it passes through many hands on its way to the writer.
final class OpenedRecord: Sendable {
    /// What the delta says; without the changes where the columns say it all and nobody else will ask.
    let payload: RecordPayload
    /// The record's kind, if this version knows it.
    let kind: Kind?
    /// What the record shows where nothing else is said of it, one column a field; empty for an edit.
    let columns: [Column]
    /// The blobs in those columns.
    let media: [MediaMention]
    /// Whether the delta makes a record that others can speak of.
    let isMaking: Bool

    /// Works out what a payload would show by itself; `listings` are the blobs of its header.
    ///
    /// - Parameter isForStoring: whether it only has to be stored, and the changes can go where the columns stay.
    init(
        _ payload: RecordPayload,
        root: Root,
        listings: [BlobListing],
        author: PersonID,
        isForStoring: Bool = false
    ) {
        kind = Kind.numbered(payload.kind)
        isMaking = root == .itself
        guard let kind, root.makesRecord else {
            (self.payload, columns, media) = (payload, [], [])
            return
        }
        let values = kind.values(after: payload.changes)
        columns = values.map(Column.init)
        media = kind.mentions(in: values, by: author, listedIn: listings)
        let isWhole = isForStoring && kind.identity == .delta
        self.payload =
            isWhole
            ? RecordPayload(
                kind: payload.kind,
                target: payload.target,
                subject: payload.subject,
                changes: []
            ) : payload
    }
}

extension Root {
    /// Whether a delta about this may be the first about its record.
    fileprivate var makesRecord: Bool {
        if case .reference = self { false } else { true }
    }
}

extension Kind {
    /// The blobs that a record's values speak of; their names are taken from `listings` where only one fits.
    func mentions(in values: [Value?], by owner: PersonID, listedIn listings: [BlobListing] = []) -> [MediaMention] {
        var mentions: [MediaMention] = []
        for (field, value) in zip(fields, values) {
            guard case .media(let media)? = value else { continue }
            let name = media.name(of: owner, listedIn: listings)
            mentions.append(MediaMention(name: name, media: media, owner: owner, role: field.mediaRole))
        }
        return mentions
    }
}

extension Media {
    /// The blob's name, taken from the header where only one listing fits: opening has compared them.
    fileprivate func name(of owner: PersonID, listedIn listings: [BlobListing]) -> BlobName {
        var fitting: BlobName?
        for listing in listings where listing.size == size {
            guard fitting == nil else { return name(owner: owner) }
            fitting = listing.name
        }
        return fitting ?? name(owner: owner)
    }
}
