// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// How the node is.
    package struct Status: Codable, Sendable {
        package var version: String
        package var name: String?
        package var person: String?
        package var current: Event?
        package var events: [Event]
        /// Ids of events that this node takes part in and could not open; `warnings` says why.
        package var unopened: [String]
        package var discovery: Discovery
        package var sync: Sync
        package var disk: Disk
        package var warnings: [String]
        /// How the node is as a relay; none for a node of a person's.
        package var relay: Relay?
        /// When the last complete backup was begun; none if there was none.
        package var lastBackup: Date?
        /// The door beside this node, by which phones take part; none if there is none.
        package var door: OwnDoor?

        package init(
            version: String,
            name: String? = nil,
            person: String? = nil,
            current: Event? = nil,
            events: [Event],
            unopened: [String],
            discovery: Discovery,
            sync: Sync,
            disk: Disk,
            warnings: [String],
            relay: Relay? = nil,
            lastBackup: Date? = nil
        ) {
            (self.version, self.name, self.person, self.current) = (version, name, person, current)
            (self.events, self.unopened, self.discovery, self.sync) = (events, unopened, discovery, sync)
            (self.disk, self.warnings, self.relay, self.lastBackup) = (disk, warnings, relay, lastBackup)
        }

        /// Whether Avahi answers.
        package struct Discovery: Codable, Sendable {
            package var state: String
            package var detail: String

            package init(state: String, detail: String) {
                (self.state, self.detail) = (state, detail)
            }
        }

        /// How far the current event is held.
        package struct Sync: Codable, Sendable {
            package var peers: Int
            package var records: Int
            package var blobsWaiting: Int
            package var bytesWaiting: Int
            /// What is wanted and nobody who is connected holds.
            package var shortage: Shortage

            package init(peers: Int, records: Int, blobsWaiting: Int, bytesWaiting: Int, shortage: Shortage) {
                (self.peers, self.records, self.blobsWaiting, self.bytesWaiting) = (
                    peers, records, blobsWaiting, bytesWaiting
                )
                self.shortage = shortage
            }
        }

        /// The disk that holds the data.
        package struct Disk: Codable, Sendable {
            package var freeBytes: Int

            package init(freeBytes: Int) {
                self.freeBytes = freeBytes
            }
        }
    }

    /// An event that this node takes part in.
    package struct Event: Codable, Sendable {
        /// What stands for the title where nobody who was met knows it.
        package static let untitled = "…"

        package var id: String
        package var title: String
        /// What this node's person may do: `founder`, `host`, `attendee`, `guest`, `waiting` for a host to let in, or
        /// `removed`, or `left` on another device.
        package var level: String
        package var founder: Bool
        package var current: Bool
        package var people: Int
        package var photos: Int
        package var moments: Int
        /// Reported records that wait for this person's decision; 0 unless this person moderates.
        package var reports: Int
        /// People who ask this node's person to connect.
        package var requests: Int
        /// People who wait for this person to let them in, by open invitations; 0 unless this person may.
        package var waiting: Int
        /// How many people's reports hide a record until a moderator decides; 0: no number does.
        package var reportThreshold: Int
        /// Whether anyone may come who is on a network with a member, and sees the title.
        package var nearby: Bool
        /// When that ends by itself.
        package var nearbyUntil: Date?
        /// The areas that are on.
        package var areas: [String]
        package var timeZone: String?
        package var currency: String?
        /// Whom attendees may invite to moments: `anybody` or `connections`.
        package var whoInvites: String
        package var created: Date

        package init(
            id: String,
            title: String,
            level: String,
            founder: Bool,
            current: Bool,
            people: Int,
            photos: Int,
            moments: Int,
            reports: Int,
            requests: Int,
            waiting: Int,
            reportThreshold: Int,
            nearby: Bool,
            nearbyUntil: Date? = nil,
            areas: [String],
            timeZone: String? = nil,
            currency: String? = nil,
            whoInvites: String,
            created: Date
        ) {
            (self.id, self.title, self.level, self.founder) = (id, title, level, founder)
            (self.current, self.people, self.photos, self.moments) = (current, people, photos, moments)
            (self.reports, self.requests, self.waiting, self.reportThreshold) = (
                reports, requests, waiting, reportThreshold
            )
            (self.nearby, self.nearbyUntil, self.created) = (nearby, nearbyUntil, created)
            (self.areas, self.timeZone, self.currency, self.whoInvites) = (areas, timeZone, currency, whoInvites)
        }
    }

    /// A link that lets people in.
    package struct Invitation: Codable, Sendable {
        package var id: String
        package var link: String
        /// What whoever comes by it becomes.
        package var level: String
        package var expires: Date?
        package var uses: Int?
        package var used: Int
        /// Whether who comes by it waits for a host to let them in.
        package var approval: Bool
        /// Whether it is for a door.
        package var door: Bool

        package init(
            id: String,
            link: String,
            level: String,
            expires: Date? = nil,
            uses: Int? = nil,
            used: Int,
            approval: Bool,
            door: Bool = false
        ) {
            (self.id, self.link, self.level, self.expires) = (id, link, level, expires)
            (self.uses, self.used, self.approval, self.door) = (uses, used, approval, door)
        }
    }

    /// One of an event's invitations.
    package struct ListedInvitation: Codable, Sendable {
        package var id: String
        /// The link, where this node has it.
        package var link: String?
        package var level: String
        package var expires: Date?
        package var uses: Int?
        package var used: Int
        package var closed: Bool
        /// Whether who comes by it waits for a host to let them in.
        package var approval: Bool
        /// Whether it is the one that anyone nearby may come by.
        package var nearby: Bool
        /// Whether it is for a door.
        package var door: Bool
        package var maker: Person

        package init(
            id: String,
            link: String? = nil,
            level: String,
            expires: Date? = nil,
            uses: Int? = nil,
            used: Int,
            closed: Bool,
            approval: Bool,
            nearby: Bool,
            door: Bool = false,
            maker: Person
        ) {
            (self.id, self.link, self.level, self.expires) = (id, link, level, expires)
            (self.uses, self.used, self.closed, self.approval) = (uses, used, closed, approval)
            (self.nearby, self.door, self.maker) = (nearby, door, maker)
        }
    }

    /// Somebody taking part.
    package struct Person: Codable, Sendable {
        /// The level of a person whom a host has to let in: the invitation asks for that, was closed or is unknown.
        package static let waiting = "waiting"
        /// The level of somebody who was taken out of the event.
        package static let removed = "removed"
        /// The level of somebody who waited to be let in, and was not.
        package static let declined = "declined"
        /// The level of somebody who has left the event.
        package static let left = "left"

        package var id: String
        package var name: String
        package var picture: String?
        package var me: Bool
        package var level: String
        /// The level of a person who waits, or who was declined, once let in; nil where nobody knows the invitation.
        package var invitedTo: String?
        package var fingerprint: String
        package var here: Bool
        package var joined: Date?
        /// When somebody removed or declined the person; shown only to people who can change that.
        package var removed: Date?
        /// Whether this node's person does not want to see what the person shares.
        package var muted: Bool
        /// Whether it is a door: a machine that lets phones take part.
        package var door: Bool?
        /// What the door is called by which the person takes part with a phone.
        package var byDoor: String?
        /// In a search: moments that this person and the node's person made, joined or are invited to; 1000 are 1000 or
        /// more.
        package var commonMoments: Int?

        package init(
            id: String,
            name: String,
            picture: String? = nil,
            me: Bool,
            level: String,
            invitedTo: String? = nil,
            fingerprint: String,
            here: Bool,
            joined: Date? = nil,
            removed: Date? = nil,
            muted: Bool = false,
            door: Bool? = nil,
            byDoor: String? = nil,
            commonMoments: Int? = nil
        ) {
            (self.id, self.name, self.picture, self.me) = (id, name, picture, me)
            (self.level, self.invitedTo, self.fingerprint, self.here) = (level, invitedTo, fingerprint, here)
            (self.joined, self.removed) = (joined, removed)
            (self.muted, self.door, self.byDoor) = (muted, door, byDoor)
            self.commonMoments = commonMoments
        }
    }

    /// Somebody with whom this node's person is connected, or one of the two would like to be.
    package struct Connection: Codable, Sendable {
        package var person: Person
        /// `asks`, `asked` or `connected`.
        package var state: String
        package var at: Date

        package init(person: Person, state: String, at: Date) {
            (self.person, self.state, self.at) = (person, state, at)
        }
    }

    /// Another node, as this one sees it.
    package struct Peer: Codable, Sendable {
        package var person: Person?
        package var address: String
        package var direction: String
        /// `greeting`, `being_let_in`, `syncing`, `in_sync`, `withholds_journal`, `withholds_payloads` or `stalled`.
        package var state: String
        package var since: Date
        package var bytesIn: Int
        package var bytesOut: Int

        package init(
            person: Person? = nil,
            address: String,
            direction: String,
            state: String,
            since: Date,
            bytesIn: Int,
            bytesOut: Int
        ) {
            (self.person, self.address, self.direction, self.state) = (person, address, direction, state)
            (self.since, self.bytesIn, self.bytesOut) = (since, bytesIn, bytesOut)
        }
    }

    /// One thing that `doctor` looked at.
    package struct Check: Codable, Sendable {
        package var id: String
        package var status: String
        package var detail: String
        package var fix: String?

        package init(id: String, status: String, detail: String, fix: String? = nil) {
            (self.id, self.status, self.detail, self.fix) = (id, status, detail, fix)
        }
    }
}
