// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel
import MingleNode

/// News and notifications as rows for people.
enum NewsText {
    /// A row for each entry, and for each comment beneath: when, who and what; with ids also the id of the post.
    static func rows(_ news: API.Envelope.News, showsIDs: Bool) -> [[String]] {
        let locked = (news.locked ?? []).map { ([When.text($0.latest), $0.author.name, words(for: $0)], "") }
        return (locked + news.items.flatMap(rows)).map { row, id in showsIDs ? row + [id] : row }
    }

    static func subject(_ photo: API.Photo) -> String { API.subject("photo", of: photo.author, named: photo.label) }

    static func subject(_ moment: API.Moment) -> String {
        API.subject("moment", of: moment.author, named: moment.title)
    }

    static func subject(_ thing: API.Thing) -> String {
        thing.kind == "person" ? thing.title : API.subject(thing.kind, of: thing.author, named: thing.title)
    }

    /// What people did that concerns the person, as a sentence.
    static func words(for notification: API.Notification) -> String {
        let thing = notification.thing.kind == "person" ? "" : subject(notification.thing)
        let text = notification.text.map { $0.isEmpty ? "" : ": \($0)" } ?? ""
        let who = names(notification.people, of: notification.count)
        return switch notification.kind {
        case "comment": "\(who) commented on \(thing)\(text)"
        case "reply": "\(who) also commented on \(thing)\(text)"
        case "fave": "\(who) faved \(thing)"
        case "rating": "\(who) rated \(thing)"
        case "join": "\(who) joined \(thing)"
        case "check_in": "\(who) checked in at \(thing)"
        case "invitation": "\(who) invited you to the moment “\(notification.thing.title)”"
        case "request": "\(who) would like to connect with you"
        case "connected": "\(who) is connected with you now"
        case "hidden": "A moderator hid \(thing)"
        case "shown": "A moderator showed \(thing) again"
        case "report": "\(notification.count.counted("person", "people")) reported \(thing): mingle reports"
        case "deal": "\(who) offers the deal “\(notification.thing.title)”"
        case "feedback": "\(who) tells those who run the event: “\(notification.thing.title)”"
        case "claim": "\(who) would like to own \(thing): mingle claim list --filter open=true"
        case "owner": "\(who) made you the owner of \(thing)"
        case "declined": "\(who) does not see you as the owner of \(thing)"
        case "approval": "\(who) added \(thing), which is not approved yet"
        default: "\(who): \(notification.kind) \(thing)"
        }
    }

    /// Some people by name, and how many others: "Bob, Ana and 2 others".
    private static func names(_ people: [API.Person], of count: Int) -> String {
        let names = people.map { $0.me ? "You" : $0.name }
        guard count <= names.count || names.isEmpty else {
            let shown = names.prefix(2)
            return "\(shown.joined(separator: ", ")) and \((count - shown.count).counted("other"))"
        }
        guard names.count > 1 else { return names.first ?? "Somebody" }
        return "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }

    private static func words(for locked: API.Locked) -> String {
        let people = locked.unlockers.map { $0.here ? "\($0.name) (here)" : $0.name }.joined(separator: ", ")
        let posts = locked.count.counted("locked post")
        return "\(posts): readable once one of these people is on your network: \(people)"
    }

    private static func rows(_ item: API.NewsItem) -> [(row: [String], id: String)] {
        let comments = item.comments.map { comment in
            let about = item.thing?.id == comment.target ? item.thing.map(subject) : nil
            let subject = about ?? photo(comment.target, item) ?? "a \(comment.targetKind)"
            let words = "commented on \(subject): \(comment.text ?? "")"
            return (row: [When.text(comment.posted), comment.author.name, words], id: comment.id)
        }
        let earlier = item.commentCount - item.comments.count
        let rest = earlier > 0 ? [(row: ["", "", "and \(earlier.counted("earlier comment"))"], id: "")] : []
        guard item.type != "comment" else { return comments + rest }
        let first = [When.text(item.at), names(item.people, of: item.count), words(for: item)]
        return [(row: first, id: item.thing?.id ?? "")] + comments + rest
    }

    private static func photo(_ id: String, _ item: API.NewsItem) -> String? {
        item.photos.first { $0.id == id }.map(subject)
    }

    private static func words(for item: API.NewsItem) -> String {
        let context = item.context.map { " at “\($0.title)”" } ?? ""
        switch item.type {
        case "photo" where item.photoCount > 1: return "shared \(item.photoCount.counted("photo"))\(context)"
        case "photo": return "shared \(item.photos.first.map { "“\($0.label)”" } ?? "a photo")\(context)"
        case "moment": return "created the moment “\(item.thing?.title ?? "")”"
        case "rating":
            return "rated \(item.thing.map { "“\($0.title)”" } ?? "a place")\(item.word.map { ": \($0)" } ?? "")"
        case "check_in": return "checked in at \(item.thing.map { "“\($0.title)”" } ?? item.place ?? "a place")"
        default: return item.type
        }
    }
}

extension API.Photo {
    /// What people call the photo: its title, or the name of its file.
    var label: String { title.isEmpty ? name : title }
}
