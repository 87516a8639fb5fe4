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
        package var cover: String?
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
    }

    /// What somebody said to everybody that this device cannot open, as the key has not come.
    package struct Locked: Codable, Sendable {
        package var author: Person
        package var count: Int
        package var latest: Date
        /// Whose devices can hand the key on, the author among them.
        package var unlockers: [Person]
    }

    /// What a moment is made of, or what of it changes.
    package struct NewMoment: Codable, Sendable {
        package var title: String?
        package var description: String?
        package var start: Date?
        package var end: Date?
        package var place: Place?
        package var cover: String?
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
        /// Whether it was there already when this person's node was to share it; only said then.
        package var alreadyShared: Bool?

        /// What of its media this node holds.
        package struct Held: Codable, Sendable {
            package var thumbnail: Bool
            package var preview: Bool
            package var original: Bool
            package var bytes: Int
        }
    }

    /// A comment.
    package struct Comment: Codable, Sendable {
        package var id: String
        package var target: String
        /// `photo` or `moment`.
        package var targetKind: String
        package var author: Person
        package var text: String
        package var posted: Date
        package var mine: Bool
        package var hidden: Hidden?
    }

    /// One thing that happened.
    package struct FeedItem: Codable, Sendable {
        package var type: String
        package var at: Date
        package var author: Person
        package var photo: Photo?
        package var comment: Comment?
        package var moment: Moment?
        /// The name of the place of a check-in that is at no moment.
        package var place: String?
        package var hidden: Hidden?
    }

    /// Faves of one record.
    package struct Faves: Codable, Sendable {
        package var faves: Int
        package var faved: Bool
    }
}
