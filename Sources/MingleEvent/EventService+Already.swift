// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleMedia
package import MingleModel
import MingleReplica

/// Whether a picture is there already.
extension EventService {
    /// Photos of the same size that a picture is compared with.
    private static let comparedLimit = 64

    /// The photo by which this person shared the same bytes in the same place, if the person sees it and its original
    /// is here.
    ///
    /// What is compared is what would be shared: a picture whose place is kept is another than the same without.
    /// Nothing is kept for this, so it holds after a restart, a repair and on each of the person's devices.
    ///
    /// - Parameter title: What is said of it now; empty: as before.
    package func alreadyShared(_ bytes: [UInt8], on target: Target, as title: String) throws -> API.Photo? {
        var moment: Reference?
        if case .record(let reference) = target { moment = reference }
        let photos = try replica.ownPhotos(of: moment, size: UInt64(bytes.count), limit: Self.comparedLimit)
        for photo in photos where holds(photo.original, bytes) {
            if !title.isEmpty, title != photo.title {
                try author([.edit(photo.id, .photo, values: ["title": .text(title)])])
            }
            var shared = try self.photo(photo.id)
            shared.alreadyShared = true
            return shared
        }
        return nil
    }

    /// Deletes what this device shared of a picture that another device of this person shared in the same place before,
    /// neither knowing of the other.
    ///
    /// The device that shared the later one deletes it, once both originals are here, and passes on its title. A photo
    /// about which somebody has said something stays, and both stay where they have different titles.
    package func deleteDoubles() throws {
        let here = replica.own.name.raw.prefix
        for (first, second) in try replica.possibleDoubles(limit: Self.comparedLimit) {
            guard second.id.device == here, first.id.device != here, second.comments == 0, second.faves == 0,
                first.title.isEmpty || second.title.isEmpty || first.title == second.title,
                let (one, other) = try? (reader(of: first.original), reader(of: second.original)),
                (try? one.holds(sameAs: other)) == true
            else { continue }
            var drafts = [Draft.delete(second.id, .photo)]
            if first.title.isEmpty, !second.title.isEmpty {
                drafts.append(.edit(first.id, .photo, values: ["title": .text(second.title)]))
            }
            try author(drafts)
        }
    }

    private func reader(of media: Media) throws -> BlobReader {
        guard let descriptor = BlobDescriptor(root: media.root, size: Int64(media.size), key: media.key) else {
            throw ReplicaError.invalid("A picture has a size that no blob has.")
        }
        return try blobs.open(descriptor, owner: me)
    }

    /// Whether a blob of this person's is here and has these bytes; one that cannot be read has not.
    private func holds(_ media: Media, _ bytes: [UInt8]) -> Bool {
        (try? reader(of: media).holds(bytes)) ?? false
    }
}
