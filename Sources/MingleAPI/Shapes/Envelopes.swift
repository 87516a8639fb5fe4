// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// The answers and requests that wrap other values, one for each path that has one.
    package enum Envelope {
        package struct Events: Codable, Sendable {
            package var events: [Event]
            package init(events: [Event]) {
                self.events = events
            }
        }
        package struct People: Codable, Sendable {
            package var people: [Person]
            /// Machines that carry everything and read nothing, apart from people.
            package var relays: [Person]

            package init(people: [Person], relays: [Person]) {
                (self.people, self.relays) = (people, relays)
            }
        }
        package struct Invitations: Codable, Sendable {
            package var invitations: [ListedInvitation]
            package init(invitations: [ListedInvitation]) {
                self.invitations = invitations
            }
        }
        package struct Level: Codable, Sendable {
            package var level: String
            package init(level: String) { self.level = level }
        }
        package struct Until: Codable, Sendable {
            package var until: Date
            package init(until: Date) { self.until = until }
        }
        /// What letting more of a removed person's words count has come to, or would come to.
        package struct Rescue: Codable, Sendable {
            /// The person, who stays removed.
            package var person: Person
            /// How many more records of each kind others see: `{"photo": 2}`.
            package var records: [String: Int]

            package init(person: Person, records: [String: Int]) {
                (self.person, self.records) = (person, records)
            }
        }
        package struct Peers: Codable, Sendable {
            package var peers: [Peer]
            package init(peers: [Peer]) {
                self.peers = peers
            }
        }
        package struct Moments: Codable, Sendable {
            package var moments: [Moment]
            /// The cursor of a list that was narrowed or ordered; the whole list has no pages.
            package var next: String?
            package init(moments: [Moment], next: String? = nil) {
                (self.moments, self.next) = (moments, next)
            }
        }
        package struct Photos: Codable, Sendable {
            package var photos: [Photo]
            package var next: String?

            package init(photos: [Photo], next: String? = nil) {
                (self.photos, self.next) = (photos, next)
            }
        }
        /// How many photos a list has, by time.
        package struct PhotoTimes: Codable, Sendable {
            package var times: [PhotoTime]
            /// How long each of the times is.
            package var seconds: Int

            package init(times: [PhotoTime], seconds: Int) { (self.times, self.seconds) = (times, seconds) }
        }
        package struct Comments: Codable, Sendable {
            package var comments: [Comment]
            package var next: String?

            package init(comments: [Comment], next: String? = nil) {
                (self.comments, self.next) = (comments, next)
            }
        }
        /// What is to be said of a photo from now on.
        package struct PhotoChange: Codable, Sendable {
            package var title: String?
            /// False shows everybody what was held back; moderators can.
            package var heldBack: Bool?
            /// The id of what a clip is about; empty: of nothing.
            package var theme: String?
            /// What that cost, in the smallest unit of the event's currency, where the theme has prices.
            package var price: Int?

            package init(title: String? = nil, heldBack: Bool? = nil) {
                (self.title, self.heldBack) = (title, heldBack)
            }
        }
        /// What one marked oneself, each with when that was.
        package struct Bookmarks: Codable, Sendable {
            package var items: [Bookmark]
            package var next: String?

            package init(items: [Bookmark], next: String? = nil) {
                (self.items, self.next) = (items, next)
            }
        }
        package struct Bookmarked: Codable, Sendable {
            package var bookmarked: Bool
            package init(bookmarked: Bool) {
                self.bookmarked = bookmarked
            }
        }
        package struct Connections: Codable, Sendable {
            package var connections: [Connection]
            package init(connections: [Connection]) {
                self.connections = connections
            }
        }
        /// What is between this node's person and another one now.
        package struct Connected: Codable, Sendable {
            package var connection: String
            package init(connection: String) {
                self.connection = connection
            }
        }
        package struct Participants: Codable, Sendable {
            package var joined: [Person]
            package var checkedIn: [Person]
            /// Whom the creator invited, whether they joined or not.
            package var invited: [Person]

            package init(joined: [Person], checkedIn: [Person], invited: [Person]) {
                (self.joined, self.checkedIn, self.invited) = (joined, checkedIn, invited)
            }
        }
        /// Whom to invite to a moment, by their ids.
        package struct Guests: Codable, Sendable {
            package var people: [String]
            package init(people: [String]) { self.people = people }
        }
        /// For whom a moment is to be from now on.
        package struct Visibility: Codable, Sendable {
            package var `private`: Bool
            package var invite: [String]?
            package init(private: Bool, invite: [String]?) { (self.private, self.invite) = (`private`, invite) }
        }
        package struct Doctor: Codable, Sendable {
            package var checks: [Check]
            package init(checks: [Check]) {
                self.checks = checks
            }
        }
        package struct Name: Codable, Sendable {
            package var name: String
            package init(name: String) { self.name = name }
        }
        /// What is to be different in an event; nothing is said of what stays.
        package struct EventChange: Codable, Sendable {
            package var title: String?
            package var reportThreshold: Int?
            /// Whether anyone nearby may come.
            package var nearby: Bool?
            /// The areas that are on; see ``Area``.
            package var areas: [String]?
            /// A name of the IANA time zone database, such as `Europe/Copenhagen`; empty: none.
            package var timeZone: String?
            /// Three letters of ISO 4217, such as `DKK`; empty: none.
            package var currency: String?
            /// Whom attendees may invite to moments: `anybody` or `connections`.
            package var whoInvites: String?

            package init(title: String? = nil, reportThreshold: Int? = nil, nearby: Bool? = nil) {
                (self.title, self.reportThreshold, self.nearby) = (title, reportThreshold, nearby)
            }
        }
        /// What a new event is called, and with which areas it begins.
        package struct NewEvent: Codable, Sendable {
            package var title: String
            /// `party`, `festival` or `fair`.
            package var preset: String?
            /// The areas that are on; those of the preset, where nothing is said.
            package var areas: [String]?

            package init(title: String, preset: String? = nil, areas: [String]? = nil) {
                (self.title, self.preset, self.areas) = (title, preset, areas)
            }
        }
        package struct Link: Codable, Sendable {
            package var link: String
            /// Whether it may be one that makes this node a device of its maker's.
            package var device: Bool?
            package init(link: String, device: Bool? = nil) { (self.link, self.device) = (link, device) }
        }
        package struct Identifier: Codable, Sendable {
            package var id: String
            package init(id: String) { self.id = id }
        }
        /// Where and how a backup is made.
        package struct NewBackup: Codable, Sendable {
            /// The folder for backups, as an absolute path on the node's machine.
            package var path: String
            /// How many backups stay in the folder; none: all.
            package var keep: Int?
            /// Encrypts the backup.
            package var passphrase: String?
            package init(path: String, keep: Int? = nil, passphrase: String? = nil) {
                (self.path, self.keep, self.passphrase) = (path, keep, passphrase)
            }
        }
        package struct InvitationTerms: Codable, Sendable {
            package var level: String?
            package var expiresInSeconds: Int?
            package var uses: Int?
            package var approval: Bool?
            /// Whether it is for a door, which lets phones take part.
            package var door: Bool?
            package init(
                level: String? = nil,
                expiresInSeconds: Int?,
                uses: Int?,
                approval: Bool? = nil,
                door: Bool? = nil
            ) {
                (self.level, self.expiresInSeconds) = (level, expiresInSeconds)
                (self.uses, self.approval, self.door) = (uses, approval, door)
            }
        }
        package struct HidingLog: Codable, Sendable {
            package var log: [LoggedHiding]
            package init(log: [LoggedHiding]) {
                self.log = log
            }
        }
        package struct Reported: Codable, Sendable {
            package var reported: [API.Reported]
            package init(reported: [API.Reported]) {
                self.reported = reported
            }
        }
        package struct Reason: Codable, Sendable {
            package var reason: String?
            package init(reason: String?) { self.reason = reason }
        }
        /// Where somebody is; without degrees only that somebody is there, for moments without a position.
        package struct Position: Codable, Sendable {
            package var latitude: Double?
            package var longitude: Double?
            package var accuracyM: Double?
            package init(latitude: Double?, longitude: Double?, accuracyM: Double?) {
                (self.latitude, self.longitude, self.accuracyM) = (latitude, longitude, accuracyM)
            }
        }
    }
}
