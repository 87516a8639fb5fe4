// SPDX-License-Identifier: Apache-2.0

package import Foundation

// Photos, as the API tells of them.
extension API {
    /// A photo or a clip.
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
        /// How many milliseconds a clip runs; only said of clips.
        package var durationMs: Int?
        /// The id of what a clip is about.
        package var theme: String?
        /// What that cost, in the smallest unit of the event's currency.
        package var price: Int?
        package var latitude: Double?
        package var longitude: Double?
        package var held: Held
        package var faves: Int
        package var faved: Bool
        package var bookmarked: Bool
        package var comments: Int
        /// What people say for and against it; only told to its author and to people who voted.
        package var votes: Votes?
        /// Whole metres from the position that was asked for; only said then.
        package var distanceM: Int?
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
            durationMs: Int? = nil,
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
            (self.hidden, self.alreadyShared, self.durationMs) = (hidden, alreadyShared, durationMs)
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

    /// How many people are for a photo and against it.
    package struct Votes: Codable, Sendable {
        package var up: Int
        package var down: Int
        /// Whether this person is for it; only said where this person voted.
        package var mine: Bool?

        package init(up: Int, down: Int, mine: Bool?) { (self.up, self.down, self.mine) = (up, down, mine) }
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
}
