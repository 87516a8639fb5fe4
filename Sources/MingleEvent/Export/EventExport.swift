// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica

/// All that a person takes home of an event: photos with what is known of them, a page, and every record.
///
/// A name, a section and a few numbers of each photo are in memory; everything else is read when its turn comes. The
/// records come last: an export without them is not complete.
package struct EventExport: ArchiveItems {
    /// Comments below a photo or a moment on the page, the latest ones.
    private static let commentLimit = 500
    private static let kinds = Kind.all.filter { $0.calls.contains(.list) }

    /// A moment or a day, with its photos.
    struct Part {
        let moment: Reference?
        var section: AlbumPage.Section
        var photos: [ArchivedPhoto] = []
    }

    /// What comes next.
    private enum Step {
        case head
        case section(Int)
        case figure(Int, Int)
        case photo(Int, Int)
        case records(Int, Cursor?)
        case end
    }

    let service: EventService
    let title: String
    let parts: [Part]
    let zone: TimeZone
    let includesPrivate: Bool
    /// The paths of photos, for the records.
    private let paths: [Reference: String]
    private var step = Step.head
    private var ready: ArraySlice<ArchiveItem> = []

    init(_ service: EventService, title: String, parts: [Part], zone: TimeZone, includesPrivate: Bool) {
        (self.service, self.title, self.parts, self.zone) = (service, title, parts, zone)
        self.includesPrivate = includesPrivate
        paths = Dictionary(parts.flatMap(\.photos).map { ($0.id, $0.path) }) { first, _ in first }
    }

    package mutating func next() throws -> ArchiveItem? {
        while ready.isEmpty {
            if case .end = step { return nil }
            ready = try advance()[...]
        }
        return ready.popFirst()
    }

    /// Works out what comes next and goes on by one step.
    private mutating func advance() throws -> [ArchiveItem] {
        switch step {
        case .head:
            step = .section(0)
            return [text(AlbumPage.style, "album.css"), page(AlbumPage.head(title, parts.map(\.section)))]
        case .section(let part) where part == parts.count:
            step = .photo(0, 0)
            return [page(AlbumPage.foot)]
        case .section(let part):
            step = .figure(part, 0)
            var section = parts[part].section
            if let moment = parts[part].moment { section.comments = try comments(on: moment) }
            return [page(AlbumPage.opening(section))]
        case .figure(let part, let place):
            guard place < parts[part].photos.count else {
                step = .section(part + 1)
                return [page(AlbumPage.closing)]
            }
            step = .figure(part, place + 1)
            return try figure(of: parts[part].photos[place])
        case .photo(let part, let place):
            guard part < parts.count else {
                step = .records(0, nil)
                return []
            }
            guard place < parts[part].photos.count else {
                step = .photo(part + 1, 0)
                return []
            }
            step = .photo(part, place + 1)
            return try files(of: parts[part].photos[place])
        case .records(let place, let cursor): return try records(place, cursor)
        case .end: return []
        }
    }

    // MARK: - Files

    private func text(_ piece: String, _ path: String) -> ArchiveItem {
        let now = service.now.milliseconds
        let time = LocalTime(milliseconds: now, in: zone)
        return .text(piece, of: ArchivedText(path: path, milliseconds: now, time: time))
    }

    private func page(_ piece: String) -> ArchiveItem { text(piece, "index.html") }

    /// A photo that is still there for everybody to see who can open it.
    private func shown(_ file: ArchivedPhoto) throws -> ShownPhoto? {
        let photo = try service.unlessGone { try service.replica.photo(file.id) }
        return photo.flatMap { $0.hiding == nil && !$0.isHeldBack && !$0.author.isMuted ? $0 : nil }
    }

    private func thumbnailPath(_ file: ArchivedPhoto) -> String {
        "thumbs/\(file.path.split(separator: "/").last ?? "").jpg"
    }

    private func figure(of file: ArchivedPhoto) throws -> [ArchiveItem] {
        guard let photo = try shown(file) else { return [] }
        let isHeld = service.blobs.isComplete(photo.thumbnail.name(owner: photo.author.id))
        let figure = AlbumPage.Figure(
            path: file.path,
            thumbnail: isHeld ? thumbnailPath(file) : nil,
            title: photo.title,
            author: photo.author.name,
            time: file.time,
            width: photo.width,
            height: photo.height,
            comments: photo.comments > 0 ? try comments(on: photo.id) : []
        )
        return [page(AlbumPage.figure(figure))]
    }

    private func files(of file: ArchivedPhoto) throws -> [ArchiveItem] {
        guard let photo = try shown(file) else { return [] }
        let thumbnail = ArchivedPhoto(
            id: file.id,
            path: thumbnailPath(file),
            milliseconds: file.milliseconds,
            time: file.time,
            form: .thumbnail,
            size: photo.thumbnail.size
        )
        var sidecar = XMPSidecar(caption: photo.title, author: photo.author.name, type: photo.original.type)
        sidecar.taken = photo.taken.map { API.text(of: Date(milliseconds: $0)) }
        if let latitude = photo.latitude, let longitude = photo.longitude {
            sidecar.position = (latitude, longitude)
        }
        return [text(sidecar.text, "\(file.path).xmp"), .photo(file), .photo(thumbnail)]
    }

    private func comments(on target: Reference) throws -> [AlbumPage.Comment] {
        var query = service.exported(.comment, includesPrivate: includesPrivate)
        (query.target, query.limit) = (target, Self.commentLimit)
        let found = try service.unlessGone { try service.replica.records(of: .comment, query).items } ?? []
        return try found.reversed().map { comment in
            AlbumPage.Comment(
                author: try service.replica.person(comment.author).name,
                text: comment.text("text"),
                time: LocalTime(milliseconds: comment.made, in: zone)
            )
        }
    }

    // MARK: - Records

    /// One page of the records of a kind, and where they go on.
    private mutating func records(_ place: Int, _ cursor: Cursor?) throws -> [ArchiveItem] {
        guard place < Self.kinds.count else {
            step = .end
            // The file is there without records, too.
            return [text("", "records.jsonl")]
        }
        let kind = Self.kinds[place]
        var query = service.exported(kind, includesPrivate: includesPrivate)
        query.before = cursor
        let page = try service.page(of: kind, query)
        step = page.next.map { .records(place, $0) } ?? .records(place + 1, nil)
        let lines = try page.items.compactMap(line)
        return lines.isEmpty ? [] : [text(lines.joined(), "records.jsonl")]
    }

    private func line(of record: ShownRecord) throws -> String? {
        let name = record.kind.name
        guard let id = record.id, [.photo, .moment].contains(record.kind) else {
            return try ExportedRecord(value: service.shown(record), kind: name).line
        }
        return try service.unlessGone {
            // What a person marks is nobody else's business.
            if record.kind == .photo {
                var photo = try service.photo(id)
                photo.bookmarked = photo.bookmarked && includesPrivate
                return try ExportedRecord(value: photo, kind: name, file: paths[id]).line
            }
            var moment = try service.moment(id)
            moment.bookmarked = moment.bookmarked && includesPrivate
            return try ExportedRecord(value: moment, kind: name).line
        }
    }
}
