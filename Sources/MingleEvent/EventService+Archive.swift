// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MingleAPI
package import MingleMedia
package import MingleModel
package import MingleReplica

/// Which photos of an event somebody takes home: those for which everything holds that is said here.
package struct PhotoChoice: Sendable {
    /// Only the person's own.
    package var isMine = false
    /// Only those that the person faves.
    package var isFaved = false
    /// Only those of this moment or place.
    package var target: Reference?
    /// Only these; nil: not only these.
    package var ids: [Reference]?
    /// Whether a JPEG is made of each photo that not every program shows.
    package var isAsJPEG = false

    /// All photos, as they are.
    package init() {}
}

/// A photo as a file of an archive.
package struct ArchivedPhoto: Hashable, Sendable {
    /// What of a photo the file has.
    package enum Form: Hashable, Sendable {
        /// What its author shared.
        case original
        /// A JPEG that is made of it, with all pixels.
        case jpeg
        /// A JPEG for a grid.
        case thumbnail
    }

    package let id: Reference
    /// The file's path in the archive, which no other file of the archive has.
    package let path: String
    /// When it was taken, or else shared: milliseconds since 1970, UTC.
    package let milliseconds: Int64
    /// The same, where the event is.
    package let time: LocalTime
    package let form: Form
    /// Bytes of what is stored; of a JPEG that is made nobody knows them in advance.
    package let size: UInt64
}

/// What names the file of a photo.
struct ChosenPhoto {
    let id: Reference
    let milliseconds: Int64
    let author: String
    let type: String
    let size: UInt64
    /// The moment under which it shows.
    let moment: Reference?

    init(_ photo: ShownPhoto) {
        (id, milliseconds, author) = (photo.id, photo.taken ?? photo.posted, photo.author.name)
        (type, size, moment) = (photo.original.type, photo.original.size, photo.moment)
    }

    static func isEarlier(_ one: ChosenPhoto, _ other: ChosenPhoto) -> Bool {
        one.milliseconds == other.milliseconds
            ? one.id.description < other.id.description : one.milliseconds < other.milliseconds
    }
}

/// Taking photos home.
extension EventService {
    /// The most photos of one archive; each takes about half a kilobyte while the archive is sent.
    static let archiveLimit = 20_000
    static let pageLength = 500

    /// The chosen photos as files, the earliest first.
    ///
    /// Nothing is among them that is hidden, of a muted person, or not seen by this person.
    ///
    /// - Parameters:
    ///   - timeZone: Where the event says no time zone, the times in names are of this one.
    ///   - mayOpen: Leaves out what somebody may not open for whom this person asks.
    /// - Throws: `API.Problem` named `notFound` where there is none, `tooLarge` where there are more than 20 000.
    package func archive(
        _ choice: PhotoChoice,
        assuming timeZone: TimeZone,
        where mayOpen: (ShownPhoto) -> Bool = { _ in true }
    ) throws -> [ArchivedPhoto] {
        let photos = try chosen(choice) { photo in
            photo.hiding == nil && !photo.author.isMuted && mayOpen(photo)
                && (!choice.isMine || photo.author.me) && (!choice.isFaved || photo.faved)
        }
        guard !photos.isEmpty else { throw API.Problem(.notFound, "There are no such photos.") }
        let zone = try self.timeZone(otherwise: timeZone)
        return Self.files(of: photos.map(ChosenPhoto.init), isAsJPEG: choice.isAsJPEG, in: zone).map(\.file)
    }

    /// Where the event is; where it does not say so, as the machine has it.
    func timeZone(otherwise usual: TimeZone) throws -> TimeZone {
        try replica.settings().timeZone.flatMap(TimeZone.init(identifier:)) ?? usual
    }

    /// Photos as files, the earliest first.
    ///
    /// - Parameter folder: What the path of each begins with.
    static func files(
        of photos: [ChosenPhoto],
        folder: String = "",
        isAsJPEG: Bool = false,
        in zone: TimeZone
    ) -> [(photo: ChosenPhoto, file: ArchivedPhoto)] {
        var names = ArchiveNames()
        return photos.sorted(by: ChosenPhoto.isEarlier).map { photo in
            let time = LocalTime(milliseconds: photo.milliseconds, in: zone)
            let isAsJPEG = isAsJPEG && becomesJPEG.contains(photo.type)
            let type = isAsJPEG ? PictureFormat.jpeg.mediaType : photo.type
            let file = ArchivedPhoto(
                id: photo.id,
                path: folder + names.name(at: time, by: photo.author, mediaType: type),
                milliseconds: photo.milliseconds,
                time: time,
                form: isAsJPEG ? .jpeg : .original,
                size: photo.size
            )
            return (photo, file)
        }
    }

    /// The name of an archive of the event's photos.
    package func archiveName() throws -> String {
        let title = try replica.title() ?? ""
        return ArchiveNames.beginning(title, bytes: 120, otherwise: "Mingle") + ".zip"
    }

    /// What browsers and many programs do not show.
    private static let becomesJPEG: Set<String> = ["image/heic", "image/heif", "image/avif"]

    private func chosen(_ choice: PhotoChoice, where fits: (ShownPhoto) -> Bool) throws -> [ShownPhoto] {
        var photos: [ShownPhoto] = []
        if let ids = choice.ids {
            for id in Set(ids) {
                // What was deleted after somebody chose it is not in the archive.
                guard let photo = try unlessGone({ try replica.photo(id) }), fits(photo) else { continue }
                if let target = choice.target, photo.moment != target, photo.place != target { continue }
                photos.append(photo)
            }
            return photos
        }
        let isOnMoment = try choice.target.map { try targetKind(of: $0, for: .photo) == .moment } ?? true
        var cursor: Cursor?
        repeat {
            let page = try page(on: choice.target, isOnMoment: isOnMoment, before: cursor)
            photos += page.items.filter(fits)
            guard photos.count <= Self.archiveLimit else { throw Self.tooManyPhotos }
            cursor = page.next
        } while cursor != nil
        return photos
    }

    private func page(on target: Reference?, isOnMoment: Bool, before cursor: Cursor?) throws -> Page<ShownPhoto> {
        if isOnMoment { return try replica.photos(of: target, before: cursor, limit: Self.pageLength) }
        var query = RecordQuery()
        (query.target, query.before, query.limit) = (target, cursor, Self.pageLength)
        let page = try replica.records(of: .photo, query)
        return Page(items: try page.items.compactMap(\.id).map { try replica.photo($0) }, next: page.next)
    }

    static let tooManyPhotos = API.Problem(
        .tooLarge,
        "These are more than \(archiveLimit) photos. Save the photos of one moment at a time."
    )

    /// What is read; nil where it is gone, or not to be seen.
    func unlessGone<Found>(_ read: () throws -> Found) throws -> Found? {
        do { return try read() } catch ReplicaError.notFound { return nil }
    }
}
