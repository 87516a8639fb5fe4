// SPDX-License-Identifier: Apache-2.0

package import Foundation

// What people share, and what they say of it.
extension API {
    /// A place.
    package struct Place: Codable, Sendable {
        package var id: String?
        package var name: String
        /// Degrees; nil where a moment has no position.
        package var latitude: Double?
        package var longitude: Double?
        /// Metres; nil where check-ins are not held to the position.
        package var radiusM: Int?

        /// Describes a place.
        package init(id: String? = nil, name: String, latitude: Double?, longitude: Double?, radiusM: Int?) {
            (self.id, self.name) = (id, name)
            (self.latitude, self.longitude, self.radiusM) = (latitude, longitude, radiusM)
        }
    }

    /// The place of a moment that is made or changed: one of the event's places by id, or what is known of another.
    package struct NewPlace: Codable, Sendable {
        /// A place that the event has; what else is given here goes before what that place says.
        package var id: String?
        package var name: String?
        /// Degrees.
        package var latitude: Double?
        package var longitude: Double?
        /// Metres; without it check-ins are not held to the position.
        package var radiusM: Int?

        /// Describes a place.
        package init(
            id: String? = nil,
            name: String? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            radiusM: Int? = nil
        ) {
            (self.id, self.name) = (id, name)
            (self.latitude, self.longitude, self.radiusM) = (latitude, longitude, radiusM)
        }

        /// The same place, for a change of some of it.
        package init(_ place: Place) {
            self.init(
                name: place.name,
                latitude: place.latitude,
                longitude: place.longitude,
                radiusM: place.radiusM
            )
        }
    }

    /// A moment.
    package struct Moment: Codable, Sendable {
        package var id: String
        package var title: String
        package var description: String
        package var start: Date
        package var end: Date
        package var status: String
        package var place: Place
        package var author: Person
        /// The photo that stands for it; nil where it has none, or a picture of its own.
        package var cover: String?
        /// Where the cover's picture is served in two sizes, be it a photo's or one of its own.
        package var coverThumbnail: String?
        package var coverPreview: String?
        /// Ids of what kind of moment it is.
        package var categories: [String]
        package var created: Date
        package var photos: Int
        package var joined: Int
        package var checkedIn: Int
        package var comments: Int
        package var faves: Int
        package var faved: Bool
        package var bookmarked: Bool
        package var participation: String?
        package var button: String
        package var mayPost: Bool
        package var mayEdit: Bool
        package var hidden: Hidden?
        /// Whether only those see it whom its creator invited.
        package var `private`: Bool
        /// Whether this node's person is invited.
        package var invited: Bool
        /// When this node's person was invited.
        package var invitedAt: Date?

        package init(
            id: String,
            title: String,
            description: String,
            start: Date,
            end: Date,
            status: String,
            place: Place,
            author: Person,
            cover: String? = nil,
            coverThumbnail: String? = nil,
            coverPreview: String? = nil,
            categories: [String] = [],
            created: Date,
            photos: Int,
            joined: Int,
            checkedIn: Int,
            comments: Int,
            faves: Int,
            faved: Bool,
            bookmarked: Bool,
            participation: String? = nil,
            button: String,
            mayPost: Bool,
            mayEdit: Bool,
            hidden: Hidden? = nil,
            private: Bool,
            invited: Bool,
            invitedAt: Date? = nil
        ) {
            (self.coverThumbnail, self.coverPreview, self.categories) = (coverThumbnail, coverPreview, categories)
            self.invitedAt = invitedAt
            (self.id, self.title, self.description, self.start) = (id, title, description, start)
            (self.end, self.status, self.place, self.author) = (end, status, place, author)
            (self.cover, self.created, self.photos, self.joined) = (cover, created, photos, joined)
            (self.checkedIn, self.comments, self.faves, self.faved) = (checkedIn, comments, faves, faved)
            (self.bookmarked, self.participation, self.button, self.mayPost) = (
                bookmarked, participation, button, mayPost
            )
            (self.mayEdit, self.hidden, self.private, self.invited) = (mayEdit, hidden, `private`, invited)
        }
    }

    /// What somebody said to everybody that this device cannot open, as the key has not come.
    package struct Locked: Codable, Sendable {
        package var author: Person
        package var count: Int
        package var latest: Date
        /// Whose devices can hand the key on, the author among them.
        package var unlockers: [Person]

        package init(author: Person, count: Int, latest: Date, unlockers: [Person]) {
            (self.author, self.count, self.latest, self.unlockers) = (author, count, latest, unlockers)
        }
    }

    /// What a moment is made of, or what of it changes.
    package struct NewMoment: Codable, Sendable {
        package var title: String?
        package var description: String?
        package var start: Date?
        package var end: Date?
        package var place: NewPlace?
        package var cover: String?
        /// Ids of categories, up to three.
        package var categories: [String]?
        /// Whether only those are to see it who are invited; only where a moment is made.
        package var `private`: Bool?
        /// Ids of persons to invite; only where a moment is made.
        package var invite: [String]?

        /// Nothing yet.
        package init() {}
    }

    /// A photo.
    package struct Photo: Codable, Sendable {
        package var id: String
        package var moment: String?
        /// The place that it is of; nil where it is of a moment or of neither.
        package var place: String?
        package var author: Person
        package var title: String
        package var name: String
        package var taken: Date?
        package var posted: Date
        package var width: Int
        package var height: Int
        package var mime: String
        package var size: Int
        package var latitude: Double?
        package var longitude: Double?
        package var held: Held
        package var faves: Int
        package var faved: Bool
        package var bookmarked: Bool
        package var comments: Int
        /// Whether only those see it who were invited to its moment.
        package var `private`: Bool
        package var mine: Bool
        package var hidden: Hidden?
        /// Whether a moderator has to look at it before others see it; only said where it is so.
        package var heldBack: Bool?
        /// How it stands outside of its moment: `before`, `after` or `elsewhere`; only said where it does.
        package var outside: [String]?
        /// Whether it was there already when this person's node was to share it; only said then.
        package var alreadyShared: Bool?

        package init(
            id: String,
            moment: String? = nil,
            place: String? = nil,
            author: Person,
            title: String,
            name: String,
            taken: Date? = nil,
            posted: Date,
            width: Int,
            height: Int,
            mime: String,
            size: Int,
            latitude: Double? = nil,
            longitude: Double? = nil,
            held: Held,
            faves: Int,
            faved: Bool,
            bookmarked: Bool,
            comments: Int,
            private: Bool,
            mine: Bool,
            hidden: Hidden? = nil,
            heldBack: Bool? = nil,
            outside: [String]? = nil,
            alreadyShared: Bool? = nil
        ) {
            (self.place, self.heldBack, self.outside) = (place, heldBack, outside)
            (self.id, self.moment, self.author, self.title) = (id, moment, author, title)
            (self.name, self.taken, self.posted, self.width) = (name, taken, posted, width)
            (self.height, self.mime, self.size, self.latitude) = (height, mime, size, latitude)
            (self.longitude, self.held, self.faves, self.faved) = (longitude, held, faves, faved)
            (self.bookmarked, self.comments, self.private, self.mine) = (bookmarked, comments, `private`, mine)
            (self.hidden, self.alreadyShared) = (hidden, alreadyShared)
        }

        /// What of its media this node holds.
        package struct Held: Codable, Sendable {
            package var thumbnail: Bool
            package var preview: Bool
            package var original: Bool
            package var bytes: Int

            package init(thumbnail: Bool, preview: Bool, original: Bool, bytes: Int) {
                (self.thumbnail, self.preview, self.original, self.bytes) = (thumbnail, preview, original, bytes)
            }
        }
    }

    /// How many photos a list has in a step of time.
    package struct PhotoTime: Codable, Sendable {
        package var start: Date
        package var count: Int
        /// The cursor with which the list goes on at the first of them.
        package var before: String

        package init(start: Date, count: Int, before: String) {
            (self.start, self.count, self.before) = (start, count, before)
        }
    }

    /// The photos of an archive.
    package struct ArchivedPhotos: Codable, Sendable {
        /// Ids of the photos, up to ``limit``.
        package var ids: [String]

        /// Ids in one request.
        package static let limit = 5000

        package init(ids: [String]) { self.ids = ids }
    }

    /// A comment.
    package struct Comment: Codable, Sendable {
        package var id: String
        package var target: String
        /// `photo`, `moment`, `place` or `deal`.
        package var targetKind: String
        package var author: Person
        /// Nothing where it is a picture alone.
        package var text: String?
        /// Where the comment's own picture is served in two sizes.
        package var thumbnail: String?
        package var preview: String?
        package var posted: Date
        package var mine: Bool
        package var hidden: Hidden?

        package init(
            id: String,
            target: String,
            targetKind: String,
            author: Person,
            text: String?,
            posted: Date,
            mine: Bool,
            hidden: Hidden? = nil
        ) {
            (self.id, self.target, self.targetKind, self.author) = (id, target, targetKind, author)
            (self.text, self.posted, self.mine, self.hidden) = (text, posted, mine, hidden)
        }
    }

    /// A comment to be made.
    package struct NewComment: Codable, Sendable {
        package var target: String
        package var text: String

        package init(target: String, text: String) { (self.target, self.text) = (target, text) }
    }

    /// A photo or a moment that this person marked.
    package struct Bookmark: Codable, Sendable {
        /// `photo` or `moment`.
        package var type: String
        package var at: Date
        package var author: Person
        package var photo: Photo?
        package var moment: Moment?
        package var hidden: Hidden?

        package init(photo: Photo, at: Date) {
            (type, self.at, author, self.photo, hidden) = ("photo", at, photo.author, photo, photo.hidden)
        }

        package init(moment: Moment, at: Date) {
            (type, self.at, author, self.moment, hidden) = ("moment", at, moment.author, moment, moment.hidden)
        }
    }

    /// Faves of one record.
    package struct Faves: Codable, Sendable {
        package var faves: Int
        package var faved: Bool

        package init(faves: Int, faved: Bool) {
            (self.faves, self.faved) = (faves, faved)
        }
    }
}
