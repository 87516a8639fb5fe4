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
