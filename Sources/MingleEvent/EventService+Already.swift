// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleMedia
package import MingleModel
import MingleReplica

/// Whether a picture is there already.
extension EventService {
    /// Photos of the same size that a picture is compared with.
    private static let comparedLimit = 64

    /// The photo by which this person shared the same bytes in the same place, if the person sees it and its original is here.
    ///
    /// What is compared is what would be shared: a picture whose place is kept is another than the same without. Nothing is
    /// kept for this, so it holds after a restart, a repair and on each of the person's devices.
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

    /// Whether a blob of this person's is here and has these bytes; one that cannot be read has not.
    private func holds(_ media: Media, _ bytes: [UInt8]) -> Bool {
        guard let descriptor = BlobDescriptor(root: media.root, size: Int64(media.size), key: media.key) else {
            return false
        }
        return (try? blobs.open(descriptor, owner: me).holds(bytes)) ?? false
    }
}
