// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What a look at all that events have stored found.
    package struct Verification: Codable, Sendable {
        package var sound: Bool
        package var events: [EventVerification]

        package init(sound: Bool, events: [EventVerification]) {
            (self.sound, self.events) = (sound, events)
        }
    }

    /// What a look at one event's files found.
    package struct EventVerification: Codable, Sendable {
        package var id: String
        package var sound: Bool
        package var headers: Int
        package var signatures: Int
        package var blobs: Int
        package var damages: [Damage]
        /// What was not looked at, and why.
        package var skipped: [String]

        package init(
            id: String,
            sound: Bool,
            headers: Int,
            signatures: Int,
            blobs: Int,
            damages: [Damage],
            skipped: [String]
        ) {
            (self.id, self.sound, self.headers, self.signatures) = (id, sound, headers, signatures)
            (self.blobs, self.damages, self.skipped) = (blobs, damages, skipped)
        }
    }

    /// Something that is not as it was written.
    package struct Damage: Codable, Sendable {
        /// `keys`, `database`, `journal`, `device`, `epoch`, `records` or `blob`.
        package var part: String
        /// Which one, if there are several.
        package var name: String?
        package var detail: String

        package init(part: String, name: String? = nil, detail: String) {
            (self.part, self.name, self.detail) = (part, name, detail)
        }
    }

    /// What became of damaged events.
    package struct Repair: Codable, Sendable {
        package var events: [EventRepair]

        package init(events: [EventRepair]) {
            self.events = events
        }
    }

    /// What became of one event's files.
    package struct EventRepair: Codable, Sendable {
        package var id: String
        /// `sound`, `rebuilt` from what could be saved, `empty`: nothing could be, or `failed`: see ``problem``.
        package var database: String
        /// Why the event could not be repaired; the others were.
        package var problem: String?
        package var deltasSaved: Int
        /// Of which there were traces.
        package var deltasLost: Int
        /// How many of these this device wrote: what nobody else holds of them is gone.
        package var ownDeltasLost: Int
        /// Whether the node goes on as another device of its person, as not all is certain that this one wrote.
        package var newDevice: Bool
        /// Whether somebody may not be muted any more who was.
        package var mutedLost: Bool
        /// Where the damaged database is kept, if not all of it could be saved.
        package var kept: String?
        package var blobsMended: Int
        package var blobsDropped: Int
        package var chunksDropped: Int
        /// What is yet to be fetched; nil where no node runs that could tell.
        package var missing: Missing?

        package init(
            id: String,
            database: String,
            problem: String? = nil,
            deltasSaved: Int,
            deltasLost: Int,
            ownDeltasLost: Int,
            newDevice: Bool,
            mutedLost: Bool,
            kept: String? = nil,
            blobsMended: Int,
            blobsDropped: Int,
            chunksDropped: Int,
            missing: Missing? = nil
        ) {
            (self.id, self.database, self.problem, self.deltasSaved) = (id, database, problem, deltasSaved)
            (self.deltasLost, self.ownDeltasLost, self.newDevice, self.mutedLost) = (
                deltasLost, ownDeltasLost, newDevice, mutedLost
            )
            (self.kept, self.blobsMended, self.blobsDropped, self.chunksDropped) = (
                kept, blobsMended, blobsDropped, chunksDropped
            )
            self.missing = missing
        }
    }

    /// What an event lacks, as far as this node has heard.
    package struct Missing: Codable, Sendable {
        package var deltas: Int
        package var payloads: Int
        package var blobs: Int
        package var bytes: Int
        package var peers: [Holder]

        package init(deltas: Int, payloads: Int, blobs: Int, bytes: Int, peers: [Holder]) {
            (self.deltas, self.payloads, self.blobs, self.bytes) = (deltas, payloads, blobs, bytes)
            self.peers = peers
        }
    }

    /// What a connected node has that this one lacks.
    package struct Holder: Codable, Sendable {
        package var person: Person?
        package var address: String
        package var deltas: Int
        package var blobs: Int

        package init(person: Person? = nil, address: String, deltas: Int, blobs: Int) {
            (self.person, self.address, self.deltas, self.blobs) = (person, address, deltas, blobs)
        }
    }
}
