// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// The answers and requests that wrap other values, one for each path that has one.
    package enum Envelope {
        package struct Events: Codable, Sendable { package var events: [Event] }
        package struct People: Codable, Sendable {
            package var people: [Person]
            /// Machines that carry everything and read nothing, apart from people.
            package var relays: [Person]
        }
        package struct Invitations: Codable, Sendable { package var invitations: [ListedInvitation] }
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
        }
        package struct Peers: Codable, Sendable { package var peers: [Peer] }
        package struct Moments: Codable, Sendable { package var moments: [Moment] }
        package struct Photos: Codable, Sendable {
            package var photos: [Photo]
            package var next: String?
        }
        package struct Comments: Codable, Sendable {
            package var comments: [Comment]
            package var previous: String?
        }
        package struct Feed: Codable, Sendable {
            package var items: [FeedItem]
            package var next: String?
            /// What others said under keys that have not come; on the first page only.
            package var locked: [Locked]?
        }
        /// What one marked oneself, each with when that was.
        package struct Bookmarks: Codable, Sendable {
            package var items: [FeedItem]
            package var next: String?
        }
        package struct Bookmarked: Codable, Sendable { package var bookmarked: Bool }
        package struct Connections: Codable, Sendable { package var connections: [Connection] }
        /// What is between this node's person and another one now.
        package struct Connected: Codable, Sendable { package var connection: String }
        package struct Participants: Codable, Sendable {
            package var joined: [Person]
            package var checkedIn: [Person]
            /// Whom the creator invited, whether they joined or not.
            package var invited: [Person]
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
        package struct Doctor: Codable, Sendable { package var checks: [Check] }
        package struct Name: Codable, Sendable {
            package var name: String
            package init(name: String) { self.name = name }
        }
        package struct Title: Codable, Sendable {
            package var title: String
            package init(title: String) { self.title = title }
        }
        /// What is to be otherwise in an event; nothing is said of what stays.
        package struct EventChange: Codable, Sendable {
            package var title: String?
            package var reportThreshold: Int?
            /// Whether anyone nearby may come.
            package var nearby: Bool?
            package init(title: String? = nil, reportThreshold: Int? = nil, nearby: Bool? = nil) {
                (self.title, self.reportThreshold, self.nearby) = (title, reportThreshold, nearby)
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
        package struct Path: Codable, Sendable {
            package var path: String
            package init(path: String) { self.path = path }
        }
        package struct Text: Codable, Sendable {
            package var text: String
            package init(text: String) { self.text = text }
        }
        package struct InvitationTerms: Codable, Sendable {
            package var level: String?
            package var expiresInSeconds: Int?
            package var uses: Int?
            package var approval: Bool?
            package init(level: String? = nil, expiresInSeconds: Int?, uses: Int?, approval: Bool? = nil) {
                (self.level, self.expiresInSeconds) = (level, expiresInSeconds)
                (self.uses, self.approval) = (uses, approval)
            }
        }
        package struct HidingLog: Codable, Sendable { package var log: [LoggedHiding] }
        package struct Reported: Codable, Sendable { package var reported: [API.Reported] }
        package struct Reason: Codable, Sendable {
            package var reason: String?
            package init(reason: String?) { self.reason = reason }
        }
        package struct Position: Codable, Sendable {
            package var latitude: Double
            package var longitude: Double
            package var accuracyM: Double?
            package init(latitude: Double, longitude: Double, accuracyM: Double?) {
                (self.latitude, self.longitude, self.accuracyM) = (latitude, longitude, accuracyM)
            }
        }
    }
}
