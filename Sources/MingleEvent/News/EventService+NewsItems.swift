// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MingleReplica

/// Entries of the news, as the API tells of them.
extension EventService {
    /// People, photos and comments of an entry that are told of; the rest is counted.
    private static let (toldPeople, toldPhotos, toldComments) = (4, 6, 3)

    func item(_ entry: NewsEntry, _ reader: NewsReader) throws -> API.NewsItem {
        let authors = entry.records.map(\.author).reduce(into: [Int64]()) { all, author in
            if !all.contains(author) { all.append(author) }
        }
        let talk = entry.kind == .comment ? entry.records : entry.comments
        let comments = try talk.prefix(Self.toldComments).map { try reader.comment($0.row) }
        var item = API.NewsItem(
            type: entry.kind.name,
            at: Date(milliseconds: entry.newest.at),
            people: try authors.prefix(Self.toldPeople).map { person(try reader.person($0)) },
            count: authors.count,
            photos: [],
            photoCount: 0,
            comments: comments.map { API.Comment($0, here: present) },
            commentCount: talk.count
        )
        item.hidden = comments.lazy.compactMap(\.hiding).first.map { API.Hidden($0, here: present) }
        try tell(of: entry, in: &item, reader)
        return item
    }

    private func tell(of entry: NewsEntry, in item: inout API.NewsItem, _ reader: NewsReader) throws {
        let first = entry.records[0]
        switch entry.kind {
        case .photo:
            item.photos = try entry.records.prefix(Self.toldPhotos).map { photo(try reader.photo($0.row)) }
            item.photoCount = entry.records.count
            item.thing = try reader.named(first.row, among: [.photo]).map(thing)
            item.context = try reader.named(first.target).map(thing)
            item.hidden = item.photos.lazy.compactMap(\.hidden).first ?? item.hidden
        case .moment:
            let moment = API.Moment(try reader.moment(first.row), now: now, here: present)
            (item.moment, item.thing) = (moment, try reader.named(first.row, among: [.moment]).map(thing))
            item.hidden = moment.hidden ?? item.hidden
        case .checkIn:
            let checkIn = try reader.checkIn(first.row)
            item.thing = try reader.named(first.target).map(thing)
            item.place = checkIn.placeName
            item.hidden = checkIn.hiding.map { API.Hidden($0, here: present) }
        case .rating:
            item.thing = try reader.named(first.target).map(thing)
            item.hidden = try reader.hiding(ofRating: first.row).map { API.Hidden($0, here: present) }
            item.rating = try reader.mean(of: entry.records.map(\.row))
            item.word = item.rating.flatMap { RatingWords.word(of: $0, in: RatingWords.quality) }
        default: item.thing = try reader.named(entry.thing?.row ?? first.target).map(thing)
        }
    }

    /// What something is called, and whose it is.
    func thing(_ thing: ShownThing) -> API.Thing {
        API.Thing(kind: thing.kind.name, id: thing.id?.description, title: thing.title, author: person(thing.author))
    }
}
