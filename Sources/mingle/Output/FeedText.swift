// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleNode

/// The feed as rows for people.
enum FeedText {
    /// A row for each entry: when, who and what; with ids also the id of the post.
    ///
    /// - Parameter subjects: the names of what comments are about, by id.
    static func rows(_ feed: API.Envelope.Feed, _ subjects: [String: String], showsIDs: Bool) -> [[String]] {
        let locked = (feed.locked ?? []).map { ([When.text($0.latest), $0.author.name, words(for: $0)], "") }
        let items = feed.items.map { ([When.text($0.at), $0.author.name, words(for: $0, subjects)], id(of: $0)) }
        return (locked + items).map { row, id in showsIDs ? row + [id] : row }
    }

    /// The names of the photos and moments of a feed, by id.
    static func subjects(_ items: [API.FeedItem]) -> [String: String] {
        var subjects: [String: String] = [:]
        for item in items {
            if let photo = item.photo { subjects[photo.id] = subject(photo) }
            if let moment = item.moment { subjects[moment.id] = subject(moment) }
        }
        return subjects
    }

    static func subject(_ photo: API.Photo) -> String { API.subject("photo", of: photo.author, named: photo.label) }

    static func subject(_ moment: API.Moment) -> String {
        API.subject("moment", of: moment.author, named: moment.title)
    }

    private static func words(for locked: API.Locked) -> String {
        let people = locked.unlockers.map { $0.here ? "\($0.name) (here)" : $0.name }.joined(separator: ", ")
        let posts = locked.count.counted("locked post")
        return "\(posts): readable once one of these people is on your network: \(people)"
    }

    private static func words(for item: API.FeedItem, _ subjects: [String: String]) -> String {
        switch item.type {
        case "photo": "shared \(item.photo.map { "“\($0.label)”" } ?? "a photo")"
        case "comment":
            item.comment.map { "commented on \(subjects[$0.target] ?? "a \($0.targetKind)"): \($0.text ?? "")" }
                ?? "commented"
        case "moment": "created the moment \(item.moment.map { "“\($0.title)”" } ?? "")"
        case "check_in": "checked in at \(item.moment.map { "“\($0.title)”" } ?? item.place ?? "a place")"
        default: item.type
        }
    }

    /// The id for other commands, such as fave or comment; for a check-in the id of its moment.
    private static func id(of item: API.FeedItem) -> String {
        item.comment?.id ?? item.photo?.id ?? item.moment?.id ?? ""
    }
}

extension API.Photo {
    /// What people call the photo: its title, or the name of its file.
    var label: String { title.isEmpty ? name : title }
}
