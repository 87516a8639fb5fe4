// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleMedia
import MingleModel
import MingleReplica

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

    /// An event that could not be looked at.
    init(_ event: EventID, failedBy error: any Error) {
        self.init(event)
        sound = false
        skipped = [API.Problem(error).detail]
    }

    mutating func note(_ damage: API.Damage) {
        sound = false
        if damages.count < Self.limit { damages.append(damage) }
    }

    /// Looks at the replica of some files, which others may use meanwhile.
    mutating func look(at replica: Replica, of files: EventFiles, _ work: LongWork) throws {
        let copy = EventFolder.copy(in: files.folder)
        if copy == nil {
            skipped.append("whether the records match the journals, because the disk has no room for a copy")
        }
        let worth = files.databaseWorth
        take(try replica.inspect(copyingTo: copy) { work.add(worth / 2) })
        work.add(worth / 2)
    }

    mutating func take(_ inspection: ReplicaInspection) {
        (headers, signatures) = (inspection.headers, inspection.signatures)
        for damage in inspection.damages { note(API.Damage(damage)) }
    }

    /// Looks at all blobs, which others may use meanwhile.
    mutating func look(at store: BlobStore, _ work: LongWork) throws {
        for blob in store.list() {
            blobs += 1
            defer { work.add(Int(store.storedBytes(of: blob.name))) }
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
        case .damaged(let chunks): "\(chunks.count.counted("chunk of it is", "chunks of it are")) damaged"
        case .unproved: "the hashes that prove its chunks are damaged"
        case .lost: "the header of its file is damaged"
        }
    }
}

extension API.EventRepair {
    /// An event that could not be repaired.
    init(_ event: EventID, failedBy error: any Error) {
        self.init(event)
        (database, problem) = ("failed", API.Problem(error).detail)
    }

    /// An event in which nothing had to be mended.
    init(_ event: EventID) {
        self.init(
            id: event.description,
            database: "sound",
            deltasSaved: 0,
            deltasLost: 0,
            ownDeltasLost: 0,
            newDevice: false,
            mutedLost: false,
            blobsMended: 0,
            blobsDropped: 0,
            chunksDropped: 0,
            missing: nil
        )
    }

    mutating func take(_ rebuild: Rebuild, by own: DeviceName) {
        database = rebuild.isReadable ? "rebuilt" : "empty"
        (deltasSaved, deltasLost, newDevice) = (rebuild.saved, rebuild.lost, !rebuild.ownIsWhole)
        ownDeltasLost = rebuild.lost(of: own)
        mutedLost = !rebuild.mutedAreWhole
    }

    mutating func take(_ condition: BlobCondition?) {
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
