// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica

/// One event's files, which no session has open.
struct EventFolder {
    let event: EventID
    let path: String

    /// An event's files in a data folder.
    init(_ event: EventID, in folder: DataFolder) { (self.event, path) = (event, folder.eventPath(event)) }

    private var database: String { path + "/replica.sqlite" }

    /// Looks at everything that is stored.
    func verify() throws -> API.EventVerification {
        var verification = API.EventVerification(event)
        let secrets: Secrets
        do {
            secrets = try Secrets(contentsOf: path + "/secrets.json")
        } catch {
            verification.note(API.Damage(part: "keys", name: nil, detail: "\(error)"))
            return verification
        }
        do {
            let replica = try Replica(path: database, event: event, own: secrets.ownDevice(in: event))
            defer { try? replica.close() }
            try verification.look(at: replica, path: path)
        } catch ReplicaError.damaged(_, let detail) {
            verification.note(API.Damage(part: "database", name: nil, detail: detail))
        }
        try verification.look(at: BlobStore(path: path + "/blobs"))
        return verification
    }

    /// Keeps what is as it was written, and drops the rest, so that it is fetched again from others.
    func repair() throws -> API.EventRepair {
        var repair = API.EventRepair(event)
        var secrets = try Secrets(contentsOf: path + "/secrets.json")
        if try !isDatabaseSound(secrets) {
            let new = database + ".new"
            ReplicaFiles.remove(new)
            let own = secrets.ownDevice(in: event)
            let rebuild = try Replica.rebuild(from: database, into: new, event: event, own: own)
            repair.take(rebuild, by: own.name)
            if !rebuild.ownIsWhole {
                // First: with these keys nothing can be written behind what is lost.
                secrets.replaceDevice(.system)
                try secrets.write(to: path + "/secrets.json")
            }
            if !rebuild.isWhole {
                // The only copy of what was lost may be in it, for whoever has better tools.
                repair.kept = try ReplicaFiles.keepAside(database)
            }
            try ReplicaFiles.replace(database, by: new)
        }
        let blobs = try BlobStore(path: path + "/blobs")
        for blob in blobs.list() { repair.take(try blobs.heal(blob.name)) }
        return repair
    }

    /// Where a database in the folder `path` can be copied to be looked at; nil if the disk has no room for that.
    fileprivate static func copy(in path: String) -> String? {
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "/replica.sqlite")[.size] as? Int) ?? 0
        let hasRoom = (SafeFile.freeBytes(at: path) ?? .max) > 2 * size + DiskRoom.reserve
        return hasRoom ? path + "/inspection.sqlite" : nil
    }

    private func isDatabaseSound(_ secrets: Secrets) throws -> Bool {
        do {
            let replica = try Replica(path: database, event: event, own: secrets.ownDevice(in: event))
            defer { try? replica.close() }
            return try replica.inspect(copyingTo: Self.copy(in: path)).isSound
        } catch ReplicaError.damaged {
            return false
        }
    }
}

extension API.EventVerification {
    /// Damages that are told of.
    private static let limit = 200

    init(_ event: EventID) {
        self.init(
            id: event.description,
            sound: true,
            headers: 0,
            signatures: 0,
            blobs: 0,
            damages: [],
            skipped: []
        )
    }

    mutating func note(_ damage: API.Damage) {
        sound = false
        if damages.count < Self.limit { damages.append(damage) }
    }

    /// Looks at a replica, which others may use meanwhile; `path` is the folder that has room for a copy.
    mutating func look(at replica: Replica, path: String) throws {
        let copy = EventFolder.copy(in: path)
        if copy == nil {
            skipped.append("whether the records follow from the journals: the disk has no room for a copy")
        }
        let inspection = try replica.inspect(copyingTo: copy)
        (headers, signatures) = (inspection.headers, inspection.signatures)
        for damage in inspection.damages { note(API.Damage(damage)) }
    }

    /// Looks at all blobs, which others may use meanwhile.
    mutating func look(at store: BlobStore) throws {
        for blob in store.list() {
            blobs += 1
            guard let detail = try store.condition(of: blob.name)?.phrase else { continue }
            note(API.Damage(part: "blob", name: blob.name.description, detail: detail))
        }
    }
}

extension API.Damage {
    fileprivate init(_ damage: ReplicaDamage) {
        switch damage.place {
        case .database: self.init(part: "database", name: nil, detail: damage.detail)
        case .journal(let device, let journal, let from):
            let name = "\(device) \(journal == .fabric ? "fabric" : "content") \(from)"
            self.init(part: "journal", name: name, detail: damage.detail)
        case .device(let device): self.init(part: "device", name: device.description, detail: damage.detail)
        case .key(let epoch): self.init(part: "epoch", name: epoch.description, detail: damage.detail)
        case .derived: self.init(part: "records", name: nil, detail: damage.detail)
        }
    }
}

extension BlobCondition {
    /// What is wrong, for people; nil if nothing is.
    fileprivate var phrase: String? {
        switch self {
        case .sound: nil
        case .damaged(let chunks): "\(chunks.count) of its parts are not what was written"
        case .unproved: "the hashes that prove its parts were altered"
        case .lost: "its file does not say what it holds"
        }
    }
}

extension API.EventRepair {
    fileprivate init(_ event: EventID) {
        self.init(
            id: event.description,
            database: "sound",
            deltasSaved: 0,
            deltasLost: 0,
            ownDeltasLost: 0,
            newDevice: false,
            blobsMended: 0,
            blobsDropped: 0,
            chunksDropped: 0,
            missing: nil
        )
    }

    fileprivate mutating func take(_ rebuild: Rebuild, by own: DeviceName) {
        database = rebuild.isReadable ? "rebuilt" : "empty"
        (deltasSaved, deltasLost, newDevice) = (rebuild.saved, rebuild.lost, !rebuild.ownIsWhole)
        ownDeltasLost = rebuild.lost(of: own)
    }

    fileprivate mutating func take(_ condition: BlobCondition?) {
        switch condition {
        case .sound, nil: break
        case .unproved: blobsMended += 1
        case .lost: blobsDropped += 1
        case .damaged(let chunks):
            blobsMended += 1
            chunksDropped += chunks.count
        }
    }
}
