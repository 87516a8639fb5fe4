// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica

/// Taking an event home.
extension EventService {
    /// All that this person sees of the event, as files.
    ///
    /// Nothing is among them that is hidden, held back, or of a muted person.
    ///
    /// - Parameters:
    ///   - includesPrivate: whether to export what not everybody in the event sees.
    ///   - timeZone: Where the event says no time zone, the times in names are of this one.
    /// - Throws: `API.Problem` named `tooLarge` where there are more than 20 000 photos.
    package func export(includingPrivate includesPrivate: Bool, assuming timeZone: TimeZone) throws -> EventExport {
        let zone = try self.timeZone(otherwise: timeZone)
        let photos = Self.files(of: try exportedPhotos(includesPrivate), folder: "photos/", in: zone)
        let grouped = Dictionary(grouping: photos) { $0.photo.moment }
        let moments = try grouped.keys.compactMap(\.self).compactMap { id in
            try unlessGone { try replica.moment(id) }
        }.filter { $0.hiding == nil && !$0.author.isMuted && (includesPrivate || !$0.isPrivate) }
        let known = Set(moments.map(\.id))
        let others = photos.filter { photo in photo.photo.moment.map { !known.contains($0) } ?? true }
        var parts = moments.map { moment in
            (moment.start, part(of: moment, grouped[moment.id]?.map(\.file) ?? [], in: zone))
        }
        parts += Self.days(of: others.map(\.file)).map { ($0.photos[0].milliseconds, $0) }
        return EventExport(
            self,
            title: try replica.title() ?? "Mingle",
            parts: parts.sorted { ($0.0, $0.1.section.anchor) < ($1.0, $1.1.section.anchor) }.map(\.1),
            zone: zone,
            includesPrivate: includesPrivate
        )
    }

    /// What of a kind is exported, in pages.
    func exported(_ kind: Kind, includesPrivate: Bool) -> RecordQuery {
        var query = RecordQuery()
        (query.isShown, query.isPublic, query.limit) = (true, !includesPrivate, Self.pageLength)
        // What others told the moderators is nothing to take home.
        if kind.audience == .moderators { query.author = me }
        return query
    }

    private func exportedPhotos(_ includesPrivate: Bool) throws -> [ChosenPhoto] {
        var query = exported(.photo, includesPrivate: includesPrivate)
        var photos: [ChosenPhoto] = []
        repeat {
            let page = try page(of: .photo, query)
            photos += try page.items.compactMap(\.id).compactMap { id in
                try unlessGone { try replica.photo(id) }.map(ChosenPhoto.init)
            }
            guard photos.count <= Self.archiveLimit else { throw Self.tooManyPhotos }
            query.before = page.next
        } while query.before != nil
        return photos
    }

    private func part(of moment: ShownMoment, _ photos: [ArchivedPhoto], in zone: TimeZone) -> EventExport.Part {
        let times = [moment.start, moment.end].map { LocalTime(milliseconds: $0, in: zone).text }
        let lines = [times.joined(separator: " – "), moment.place.name, moment.description].filter { !$0.isEmpty }
        let section = AlbumPage.Section(anchor: "moment-\(moment.id)", title: moment.title, lines: lines)
        return EventExport.Part(moment: moment.id, section: section, photos: photos)
    }

    /// Photos of no moment, by the day; they stand in the order of time.
    private static func days(of photos: [ArchivedPhoto]) -> [EventExport.Part] {
        photos.reduce(into: []) { days, photo in
            let day = photo.time.dayText
            if days.last?.section.title == day {
                days[days.count - 1].photos.append(photo)
            } else {
                let section = AlbumPage.Section(anchor: "day-\(day)", title: day)
                days.append(EventExport.Part(moment: nil, section: section, photos: [photo]))
            }
        }
    }
}
