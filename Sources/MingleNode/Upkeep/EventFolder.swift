// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica

/// One event's files, which no session has open.
struct EventFolder {
    let event: EventID
    let files: EventFiles

    /// An event's files in a data folder.
    init(_ event: EventID, in folder: DataFolder) { (self.event, files) = (event, folder.files(of: event)) }

    private var database: String { files.database }

    /// Whether there is a database: a disk that lost power may have none left, a file without a byte, or one whose tables
    /// stood in a log that is gone.
    var hasDatabase: Bool {
        // A file that is damaged, or that another version made, is there.
        byteCount(of: database) > 0 && (try? StoredReplica(path: database).isEmpty) != true
    }

    private func byteCount(of file: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
    }

    /// Removes what a stop in the midst of a look or a repair has left.
    func removeLeftovers() {
        for name in ["inspection.sqlite", "replica.sqlite.new"] { ReplicaFiles.remove("\(files.folder)/\(name)") }
    }

    /// Looks at everything that is stored.
    ///
    /// A database of another version cannot be checked and counts as a failure.
    func verify(_ work: LongWork) -> API.EventVerification {
        do {
            return try look(work)
        } catch {
            return API.EventVerification(event, failedBy: error)
        }
    }

    private func look(_ work: LongWork) throws -> API.EventVerification {
        removeLeftovers()
        var verification = API.EventVerification(event)
        let secrets: Secrets
        do {
            secrets = try files.readSecrets()
        } catch {
            verification.note(API.Damage(part: "keys", name: nil, detail: "\(error)"))
            return verification
        }
        do {
            if hasDatabase {
                try look(at: secrets.ownDevice(in: event), &verification, work)
            } else {
                verification.note(API.Damage(part: "database", name: nil, detail: "it is missing"))
            }
        } catch ReplicaError.damaged(_, let detail) {
            verification.note(API.Damage(part: "database", name: nil, detail: detail))
        }
        try verification.look(at: BlobStore(path: files.blobs), work)
        return verification
    }

    private func look(at own: OwnDevice, _ verification: inout API.EventVerification, _ work: LongWork) throws {
        let replica = try Replica(path: database, event: event, own: own)
        defer { try? replica.close() }
        try verification.look(at: replica, of: files, work)
    }

    /// Keeps what is as it was written, and drops the rest, so that it is fetched again from others.
    func repair(_ work: LongWork) throws -> API.EventRepair {
        removeLeftovers()
        let worth = files.databaseWorth
        var repair = API.EventRepair(event)
        let secrets = try files.readSecrets()
        if !hasDatabase {
            try beginAnew(&repair)
            (repair.database, repair.newDevice, repair.mutedLost) = ("empty", true, true)
        } else if try !isDatabaseSound(secrets) {
            try rebuild(secrets, &repair)
        }
        work.add(worth)
        let blobs = try BlobStore(path: files.blobs)
        for blob in blobs.list() {
            let bytes = Int(blobs.storedBytes(of: blob.name))
            repair.take(try blobs.heal(blob.name))
            work.add(bytes)
        }
        return repair
    }

    /// Looks whether a stop came while this device waited for a certificate from another one of its person's.
    ///
    /// - Returns: whether it has none: nothing here is of use then. One that came is noted.
    func lacksCertificate() throws -> Bool {
        var secrets = try files.readSecrets()
        guard secrets.isUncertified else { return false }
        guard hasDatabase else { return true }
        let replica = try Replica(path: database, event: event, own: secrets.ownDevice(in: event))
        defer { try? replica.close() }
        guard try !replica.tips(of: replica.own.name, .fabric).isEmpty else { return true }
        secrets.noteCertificate(by: nil)
        try files.write(secrets)
        return false
    }

    /// Goes on as a new device of the same person.
    ///
    /// - Returns: its keys, which are on the disk.
    @discardableResult
    func replaceDevice() throws -> Secrets {
        var secrets = try files.readSecrets()
        try secrets.replaceDevice(.system)
        try files.write(secrets)
        return secrets
    }

    /// Makes an empty database where there is none any more.
    private func beginAnew(_ repair: inout API.EventRepair) throws {
        let (secrets, kept) = try forgetDatabase()
        repair.kept = kept
        try Replica(path: database, event: event, own: secrets.ownDevice(in: event)).close()
    }

    /// Goes on without a database, as a new device.
    ///
    /// - Returns: the new device's keys, and where the log is kept that the database had, if it is there: all may be in it.
    @discardableResult
    func forgetDatabase() throws -> (secrets: Secrets, kept: String?) {
        // First: others hold what these keys wrote, and the journal would begin a second time.
        let secrets = try replaceDevice()
        let kept = byteCount(of: database + "-wal") > 0 ? try ReplicaFiles.keepAside(database) + "-wal" : nil
        ReplicaFiles.remove(database)
        return (secrets, kept)
    }

    /// Puts what can be saved of the database in its place.
    private func rebuild(_ secrets: Secrets, _ repair: inout API.EventRepair) throws {
        let new = database + ".new"
        // On a full disk what there is of it would keep that full.
        defer { ReplicaFiles.remove(new) }
        let own = secrets.ownDevice(in: event)
        let rebuild = try Replica.rebuild(from: database, into: new, event: event, own: own)
        repair.take(rebuild, by: own.name)
        // First: with these keys nothing can be written behind what is lost.
        // A door writes for its guests too, whose devices go with its own.
        if !rebuild.ownIsWhole || secrets.isDoor && !rebuild.isWhole { try replaceDevice() }
        // The only copy of what was lost may be in it, for whoever has better tools.
        if !rebuild.isWhole { repair.kept = try ReplicaFiles.keepAside(database) }
        try ReplicaFiles.replace(database, by: new)
    }

    /// Where a database in the folder `path` can be copied to be looked at; nil if the disk has no room for that.
    static func copy(in path: String) -> String? {
        let size = (try? FileManager.default.attributesOfItem(atPath: EventFiles(path).database)[.size] as? Int) ?? 0
        let hasRoom = (SafeFile.freeBytes(at: path) ?? .max) > 2 * size + DiskRoom.reserve
        return hasRoom ? path + "/inspection.sqlite" : nil
    }

    private func isDatabaseSound(_ secrets: Secrets) throws -> Bool {
        do {
            let replica = try Replica(path: database, event: event, own: secrets.ownDevice(in: event))
            defer { try? replica.close() }
            return try replica.inspect(copyingTo: Self.copy(in: files.folder)).isSound
        } catch ReplicaError.damaged {
            return false
        }
    }
}
