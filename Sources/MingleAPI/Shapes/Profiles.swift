// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// What is told of one person, as far as whoever asks may see it.
    package struct Profile: Codable, Sendable {
        package var person: Person
        /// What is between the two: `none`, `asked`, `asks` or `connected`; nil for the person who asks.
        package var connection: String?
        package var counts: Counts
        /// The latest check-in.
        package var lastSeen: LastSeen?
        /// The name and address that only this node has; of the node's own person alone.
        package var own: Contact?

        package init(
            person: Person,
            connection: String?,
            counts: Counts,
            lastSeen: LastSeen? = nil,
            own: Contact? = nil
        ) {
            (self.person, self.connection, self.counts) = (person, connection, counts)
            (self.lastSeen, self.own) = (lastSeen, own)
        }

        /// Numbers of what lists have; 1000 are 1000 or more.
        package struct Counts: Codable, Sendable {
            package var photos: Int
            package var pictures: Int
            /// Moments that the person made.
            package var made: Int
            /// Moments that the person joined.
            package var joined: Int
            /// Moments at which the person checked in.
            package var checkedIn: Int
            /// Moments that both made, joined or are invited to.
            package var commonMoments: Int
            /// Moments at which both checked in.
            package var crossedPaths: Int
            package var commonConnections: Int
            /// Places at which the person checked in.
            package var visited: Int
            /// Places that the person rated.
            package var rated: Int

            package init(
                photos: Int,
                pictures: Int,
                made: Int,
                joined: Int,
                checkedIn: Int,
                commonMoments: Int,
                crossedPaths: Int,
                commonConnections: Int,
                visited: Int,
                rated: Int
            ) {
                (self.photos, self.pictures) = (photos, pictures)
                (self.made, self.joined, self.checkedIn) = (made, joined, checkedIn)
                (self.commonMoments, self.crossedPaths) = (commonMoments, crossedPaths)
                (self.commonConnections, self.visited, self.rated) = (commonConnections, visited, rated)
            }
        }

        /// When and where somebody checked in.
        package struct LastSeen: Codable, Sendable {
            package var at: Date
            /// The id of the moment, if it was at one.
            package var moment: String?
            /// What the moment or the place is called.
            package var title: String?

            package init(at: Date, moment: String? = nil, title: String? = nil) {
                (self.at, self.moment, self.title) = (at, moment, title)
            }
        }
    }

    /// What a person says of oneself to the own node alone.
    package struct Contact: Codable, Hashable, Sendable {
        package var lastName: String?
        package var email: String?

        package init(lastName: String? = nil, email: String? = nil) {
            (self.lastName, self.email) = (lastName, email)
        }
    }

    /// What a contact file says of one person; nothing of it is stored.
    package struct Card: Codable, Sendable {
        package var name: String?
        package var lastName: String?
        package var email: String?
        /// The bytes of the picture, in base64.
        package var picture: String?

        package init(name: String?, lastName: String?, email: String?, picture: String?) {
            (self.name, self.lastName, self.email, self.picture) = (name, lastName, email, picture)
        }
    }

    /// A picture that a person has, or had, in the profile.
    package struct ProfilePicture: Codable, Sendable {
        package var id: String
        package var posted: Date
        /// Whether the person wears it now.
        package var current: Bool
        /// The path of its bytes, small.
        package var thumbnail: String
        /// The path of its bytes, large enough for a screen.
        package var preview: String

        package init(id: String, posted: Date, current: Bool, thumbnail: String, preview: String) {
            (self.id, self.posted, self.current) = (id, posted, current)
            (self.thumbnail, self.preview) = (thumbnail, preview)
        }
    }

    /// What a search found, in groups.
    package struct Search: Codable, Sendable {
        package var people: Found
        package var moments: Found
        package var places: Found
        package var photos: Found

        package init(people: Found, moments: Found, places: Found, photos: Found) {
            (self.people, self.moments, self.places, self.photos) = (people, moments, places, photos)
        }
    }

    /// The best of what a search found of one sort.
    package struct Found: Codable, Sendable {
        package var items: [Hit]
        /// The call that lists more; nil where these are all.
        package var more: String?

        package init(items: [Hit], more: String? = nil) { (self.items, self.more) = (items, more) }
    }

    /// One thing that a search found.
    package struct Hit: Codable, Sendable {
        package var id: String
        package var title: String
        /// Where the page shows it; nil where it has no page.
        package var link: String?
        /// What else tells it apart, as a place's address.
        package var detail: String?
        package var person: Person?
        package var moment: Moment?
        package var photo: Photo?

        package init(
            id: String,
            title: String,
            link: String?,
            detail: String? = nil,
            person: Person? = nil,
            moment: Moment? = nil,
            photo: Photo? = nil
        ) {
            (self.id, self.title, self.link, self.detail) = (id, title, link, detail)
            (self.person, self.moment, self.photo) = (person, moment, photo)
        }
    }
}

extension API.Envelope {
    /// What is to be different in what only the own node knows; an empty text clears.
    package struct ContactChange: Codable, Sendable {
        package var lastName: String?
        package var email: String?

        package init(lastName: String? = nil, email: String? = nil) {
            (self.lastName, self.email) = (lastName, email)
        }
    }

    /// Pictures that a person has had in the profile.
    package struct ProfilePictures: Codable, Sendable {
        package var pictures: [API.ProfilePicture]
        package var next: String?

        package init(pictures: [API.ProfilePicture], next: String?) { (self.pictures, self.next) = (pictures, next) }
    }

    /// Some of the people of an event.
    package struct SomePeople: Codable, Sendable {
        package var people: [API.Person]
        package var next: String?

        package init(people: [API.Person], next: String? = nil) { (self.people, self.next) = (people, next) }
    }
}
