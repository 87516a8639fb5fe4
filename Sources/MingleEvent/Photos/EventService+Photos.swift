// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
import MingleMedia
package import MingleModel
package import MingleReplica

/// Photos.
extension EventService {
    /// Photos that fit a query, newest first unless it says otherwise.
    package func photos(_ query: ListQuery) throws -> API.Envelope.Photos {
        let read = try query.read()
        let isOnMoment = try read.target.map { try targetKind(of: $0, for: .photo) == .moment } ?? true
        guard query.isNarrowed || !isOnMoment else {
            let page = try replica.photos(of: read.target, before: read.before, limit: read.limit)
            return API.Envelope.Photos(photos: page.items.map { photo($0) }, next: query.cursor.text(page.next))
        }
        let page = try page(of: .photo, query)
        let photos = try replica.photos(page.items.compactMap(\.id)).map { photo($0) }
        return API.Envelope.Photos(photos: photos, next: query.cursor.text(page.next))
    }

    /// Times that one answer tells of.
    private static let timeLimit = 2000
    /// How long each of them is, in milliseconds: the shortest that fits the limit is taken.
    private static let timeSteps: [Int64] = [600_000, 3_600_000, 86_400_000]

    /// How many photos that fit a query there are in each ten minutes that have some, in the query's order.
    ///
    /// Where these are more than the limit the answer has hours, else days, and no more days than that.
    package func photoTimes(_ query: ListQuery) throws -> API.Envelope.PhotoTimes {
        let read = try query.read()
        var step = Self.timeSteps[0]
        if let target = read.target, try !isOn(targetKind(of: target, for: .photo)) {
            return API.Envelope.PhotoTimes(times: [], seconds: Int(step / 1000))
        }
        var counts = try replica.photoTimes(read, by: step, limit: Self.timeLimit * 24)
        for longer in Self.timeSteps.dropFirst() where counts.count > Self.timeLimit {
            (counts, step) = (TimeCount.gathered(counts, by: longer), longer)
        }
        let times = counts.prefix(Self.timeLimit).map { one in
            API.PhotoTime(
                start: Date(milliseconds: one.start),
                count: Int(one.count),
                before: query.cursor.text(one.before) ?? ""
            )
        }
        return API.Envelope.PhotoTimes(times: times, seconds: Int(step / 1000))
    }

    /// One photo.
    package func photo(_ reference: Reference) throws -> API.Photo { photo(try replica.photo(reference)) }

    /// Changes what is said of a photo of this person's, or shows everybody one that was held back.
    package func edit(photo reference: Reference, _ change: API.Envelope.PhotoChange) throws -> API.Photo {
        var values: [String: Value] = [:]
        if let title = change.title {
            let caption = try RequestValidation.caption(title)
            values["title"] = caption.isEmpty ? .cleared : .text(caption)
        }
        if change.heldBack == false { values["held"] = .number(0) }
        values.merge(try themeValues(of: reference, change)) { $1 }
        guard !values.isEmpty else { throw API.Problem(.badRequest, "Nothing to change. Give a title or a theme.") }
        try author([.edit(reference, .photo, values: values)])
        return try photo(reference)
    }

    /// A photo as the API tells of it.
    package func photo(_ photo: ShownPhoto) -> API.Photo {
        API.Photo(photo, held: held(photo), here: present)
    }

    /// What of a photo's media is here.
    private func held(_ photo: ShownPhoto) -> API.Photo.Held {
        let owner = photo.author.id
        let original = photo.original.name(owner: owner)
        let isComplete = blobs.isComplete(original)
        return API.Photo.Held(
            thumbnail: blobs.isComplete(photo.thumbnail.name(owner: owner)),
            preview: blobs.isComplete(photo.preview.name(owner: owner)),
            original: isComplete,
            bytes: isComplete ? Int(photo.original.size) : partialBytes(of: original, size: photo.original.size)
        )
    }

    private func partialBytes(of name: BlobName, size: UInt64) -> Int {
        guard let held = try? blobs.heldChunks(name), let geometry = ChunkGeometry(size: Int64(size)) else { return 0 }
        return min(held.count * geometry.chunkSize, Int(size))
    }
}
