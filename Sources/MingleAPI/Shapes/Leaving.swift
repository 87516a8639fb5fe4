// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// The link by which one further device of this person's may come, told like an invitation.
    package struct DeviceLink: Codable, Sendable {
        package var id: String
        package var link: String
        /// `device`.
        package var level: String
        package var expires: Date
        package var uses: Int
        package var used: Int

        package init(id: String, link: String, level: String, expires: Date, uses: Int, used: Int) {
            (self.id, self.link, self.level, self.expires) = (id, link, level, expires)
            (self.uses, self.used) = (uses, used)
        }
    }

    /// How leaving an event went.
    package struct Farewell: Codable, Sendable {
        /// How far it is.
        package enum State: String, Codable, Sendable, CaseIterable {
            /// Somebody knows, and this node's copy is deleted.
            case told
            /// Nobody does yet, and this node keeps what it takes to tell; or somebody does, and the copy is being deleted.
            case leaving
            /// This node's copy is deleted, and nobody was told.
            case forgotten
        }

        /// The event.
        package var id: String
        /// What it is called.
        package var title: String
        /// How far leaving is.
        package var state: State
        /// How many nodes have said that they know.
        package var told: Int
        /// When this node gives up telling; nil unless it is `leaving`.
        package var until: Date?
        /// Why nobody was told, where that was not asked for, and that something stays which was to be deleted.
        package var detail: String?

        package init(
            id: String,
            title: String,
            state: State,
            told: Int,
            until: Date? = nil,
            detail: String? = nil
        ) {
            (self.id, self.title, self.state, self.told) = (id, title, state, told)
            (self.until, self.detail) = (until, detail)
        }
    }

    /// A device of this node's person.
    package struct Device: Codable, Sendable {
        package var id: String
        /// The first letters of its id.
        package var name: String
        /// Whether it is this one.
        package var this: Bool
        /// `active`, `retired`, or `linked`: certified by this device, and not heard of yet.
        package var state: String
        /// Whether it is connected now.
        package var here: Bool
        /// When it came to the event, by its own clock; nil if nothing of it has come.
        package var since: Date?
        /// When it wrote what came last of it, by its own clock; nil if nothing has come.
        package var lastWrote: Date?

        package init(
            id: String,
            name: String,
            this: Bool,
            state: String,
            here: Bool,
            since: Date? = nil,
            lastWrote: Date? = nil
        ) {
            (self.id, self.name, self.this, self.state) = (id, name, this, state)
            (self.here, self.since, self.lastWrote) = (here, since, lastWrote)
        }
    }

    /// A device that is not to be used any more.
    package struct RetiredDevice: Codable, Sendable {
        package var device: Device
        /// Links that may be on it and still let people in, as only hosts close them.
        package var openLinks: Int
        /// Links that may be on it and are closed now, as a host retired it: also those that hang on a wall.
        package var closedLinks: Int

        package init(device: Device, openLinks: Int, closedLinks: Int) {
            (self.device, self.openLinks, self.closedLinks) = (device, openLinks, closedLinks)
        }
    }
}

extension API.Envelope {
    package struct Devices: Codable, Sendable {
        package var devices: [API.Device]
        package init(devices: [API.Device]) {
            self.devices = devices
        }
    }
}
