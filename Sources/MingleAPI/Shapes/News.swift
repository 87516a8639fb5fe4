// SPDX-License-Identifier: Apache-2.0

package import Foundation

// What happened, and what of it concerns this node's person.
extension API {
    /// Something that others are told of, with what people call it.
    package struct Thing: Codable, Sendable {
        /// The kind of record: `photo`, `moment`, `place`, `deal` `feedback` or `comment`; or `person`.
        package var kind: String
        package var id: String?
        /// A title, the name of a file, place or person, or the first words.
        package var title: String
        /// Who made it; nil where it is a person.
        package var author: Person?

        package init(kind: String, id: String?, title: String, author: Person? = nil) {
            (self.kind, self.id, self.title, self.author) = (kind, id, title, author)
        }
    }

    /// What happened that belongs together.
    package struct NewsItem: Codable, Sendable {
        /// `photo`, `moment`, `check_in`, `rating`; or `comment`, where what the comments are about is not new itself.
        package var type: String
        /// When the newest of it is shown.
        package var at: Date
        /// Who did it, the latest first, up to four.
        package var people: [Person]
        /// How many people did it.
        package var count: Int
        /// What it is about: the photo, the moment, or what was commented on or rated.
        package var thing: Thing?
        /// The moment or place at which the photos are.
        package var context: Thing?
        /// The newest photos, up to six.
        package var photos: [Photo]
        package var photoCount: Int
        /// The newest comments, the latest first, up to three.
        package var comments: [Comment]
        package var commentCount: Int
        /// The moment that was made.
        package var moment: Moment?
        /// The name of the place of a check-in that is at no moment.
        package var place: String?
        /// What the ratings say overall, on average, and the word for it.
        package var rating: Double?
        package var word: String?
        package var hidden: Hidden?

        package init(
            type: String,
            at: Date,
            people: [Person],
            count: Int,
            photos: [Photo],
            photoCount: Int,
            comments: [Comment],
            commentCount: Int
        ) {
            (self.type, self.at, self.people, self.count) = (type, at, people, count)
            (self.photos, self.photoCount) = (photos, photoCount)
            (self.comments, self.commentCount) = (comments, commentCount)
        }
    }

    /// What people did that concerns this node's person: of one kind, at one thing.
    package struct Notification: Codable, Sendable {
        /// The same for as long as it is about the same.
        package var id: String
        /// `comment`, `reply`, `fave`, `rating`, `join`, `check_in`, `invitation`, `request`, `connected`, `hidden`,
        /// `shown`, `report`, `deal`, `feedback`, `claim` or `approval`.
        package var kind: String
        package var thing: Thing
        /// Who did it, the latest first, up to three.
        package var people: [Person]
        /// How many people did it.
        package var count: Int
        /// When the latest of it is shown.
        package var time: Date
        /// Whether the person has read all of it.
        package var read: Bool
        /// Where the page shows it; nil where it does not.
        package var link: String?
        /// How the latest comment begins.
        package var text: String?

        package init(
            id: String,
            kind: String,
            thing: Thing,
            people: [Person],
            count: Int,
            time: Date,
            read: Bool,
            link: String?,
            text: String?
        ) {
            (self.id, self.kind, self.thing, self.people) = (id, kind, thing, people)
            (self.count, self.time, self.read, self.link, self.text) = (count, time, read, link, text)
        }
    }
}

extension API.Envelope {
    /// What happened.
    package struct News: Codable, Sendable {
        package var items: [API.NewsItem]
        package var next: String?
        /// What others said under keys that have not come; on the first page only.
        package var locked: [API.Locked]?

        package init(items: [API.NewsItem], next: String? = nil, locked: [API.Locked]? = nil) {
            (self.items, self.next, self.locked) = (items, next, locked)
        }
    }

    /// What concerns this node's person, the latest first.
    package struct Notifications: Codable, Sendable {
        package var notifications: [API.Notification]
        /// How many there are that the person has not read, those of further pages among them.
        package var unread: Int
        /// Of what the person is told nothing more; on the first page only.
        package var muted: [API.Thing]?
        package var next: String?

        package init(notifications: [API.Notification], unread: Int, muted: [API.Thing]?, next: String?) {
            (self.notifications, self.unread, self.muted, self.next) = (notifications, unread, muted, next)
        }
    }

    /// What was read.
    package struct Read: Codable, Sendable {
        /// The id of the thing; nil: everything.
        package var target: String?
        /// Up to when; nil: up to now.
        package var until: Date?

        package init(target: String? = nil, until: Date? = nil) { (self.target, self.until) = (target, until) }
    }

    /// Whether the person is told of what happens at a thing.
    package struct Muting: Codable, Sendable {
        /// The id of the thing.
        package var target: String
        package var muted: Bool

        package init(target: String, muted: Bool) { (self.target, self.muted) = (target, muted) }
    }
}
