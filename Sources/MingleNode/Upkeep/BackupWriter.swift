// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import MingleAPI
import MingleModel
import MingleReplica
import SystemPackage

/// Where and how a backup is made.
package struct BackupTerms: Sendable {
    /// The folder in which backups lie.
    let folder: String
    /// How many backups stay, this one included; nil: all.
    let keep: Int?
    /// Encrypts the backup.
    let passphrase: Passphrase?

    /// Sets the terms.
    ///
    /// - Throws: `API.Problem` if none would stay.
    package init(folder: String, keep: Int? = nil, passphrase: Passphrase? = nil) throws(API.Problem) {
        guard keep ?? 1 >= 1 else {
            throw API.Problem(.badRequest, "At least 1 backup must be kept: the one that is made now.")
        }
        (self.folder, self.keep, self.passphrase) = (folder, keep, passphrase)
    }

    /// Reads the terms of a request.
    package init(_ new: API.Envelope.NewBackup) throws(API.Problem) {
        let passphrase: Passphrase? = if let text = new.passphrase { try Passphrase(text) } else { nil }
        try self.init(folder: new.path, keep: new.keep, passphrase: passphrase)
    }
}

/// Writes a backup: a folder that has its name when it is whole and on the disk.
struct BackupWriter {
    /// How much of what was left out is told of.
    static let skippedLimit = 200

    private let node: DataFolder
    private let temporary: String
    private var files: BackupFiles
    private var events: [EventID] = []
    private var skipped: [String]
    private var copying = LongWork(total: 0)

    /// Writes a backup to a folder of backups, and removes those beyond the number to keep.
    ///
    /// - Parameter skipped: Which events are left out, and why.
    static func write(
        _ terms: BackupTerms,
        node: DataFolder,
        _ sources: [BackupSource],
        skipped: [String],
        tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> API.Backup {
        guard node.keysKey == nil || terms.passphrase != nil else {
            throw API.Problem(
                .conflict,
                "The keys of this node are encrypted, and this backup would hold them as plain text. Encrypt the backup too: "
                    + "--passphrase-file FILE, or --encrypt in a terminal."
            )
        }
        let folder = try BackupFolder(terms.folder)
        return try folder.locked {
            var record = try node.makeBackupRecord()
            let shelf = try BackupShelf(folder, record.node, terms.passphrase)
            let leftovers = folder.removeLeftovers()
            let created = Date()
            let path = "\(folder.path)/\(try folder.newName(at: created))"
            var backup = try write(to: path, created, shelf, node: node, sources, skipped: skipped, tell)
            if backup.skipped.isEmpty {
                record.last = created
                try node.save(record)
                if let keep = terms.keep { shelf.remove(allBut: keep, &backup) }
            }
            backup.skipped += leftovers
            return backup
        }
    }

    private static func write(
        to path: String,
        _ created: Date,
        _ shelf: BackupShelf,
        node: DataFolder,
        _ sources: [BackupSource],
        skipped: [String],
        _ tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> API.Backup {
        let temporary = path + BackupFolder.unfinished
        do {
            var writer = try BackupWriter(temporary, shelf, node, skipped)
            let manifest = try writer.write(sources, created, shelf.node, tell)
            guard unsafe rename(temporary, path) == 0 else {
                throw FileFailure(path: path, reason: Errno(rawValue: errno))
            }
            try CopiedFile.synchronize(folder: shelf.folder.path)
            return API.Backup(manifest, at: path, newBytes: writer.files.newBytes)
        } catch {
            try? SafeFile.removeIfThere(temporary)
            throw error
        }
    }

    private init(_ temporary: String, _ shelf: BackupShelf, _ node: DataFolder, _ skipped: [String]) throws {
        (self.temporary, self.node, self.skipped) = (temporary, node, skipped)
        files = try BackupFiles(in: temporary, key: shelf.key, earlier: shelf.earlier)
    }

    private mutating func write(
        _ sources: [BackupSource],
        _ created: Date,
        _ id: String,
        _ tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> BackupManifest {
        var (total, new) = (0, 0)
        for source in sources {
            let blobs = source.blobs
            total += source.databaseSize + blobs.reduce(0) { $0 + $1.size }
            new += source.databaseSize + blobs.reduce(0) { $0 + (files.earlier?.file(of: $1) == nil ? $1.size : 0) }
        }
        try Self.requireRoom(new, at: temporary)
        copying = LongWork(total: total, tell: tell)
        let settings = node.path + "/node.json"
        if FileManager.default.fileExists(atPath: settings) {
            try files.add(copyOf: settings, as: "node.json")
            copying.add(files.files.last?.size ?? 0)
        }
        for source in sources { try add(source) }
        guard skipped.isEmpty || !events.isEmpty else {
            throw API.Problem(.conflict, "No event can be backed up. \(skipped.joined(separator: " "))")
        }
        return try finish(id, created)
    }

    private func finish(_ id: String, _ created: Date) throws -> BackupManifest {
        let manifest = BackupManifest(
            node: id,
            created: created,
            events: events.map(\.description),
            files: files.files,
            skipped: skipped
        )
        try files.synchronize()
        try manifest.write(to: temporary, files.key)
        try CopiedFile.synchronize(folder: temporary)
        return manifest
    }

    /// Adds an event; one whose database cannot be copied is left out.
    private mutating func add(_ source: BackupSource) throws {
        let count = files.files.count
        do {
            try copy(source)
            events.append(source.event)
        } catch let error as ReplicaError {
            guard API.Problem(error).name != .noSpace else { throw error }
            try files.remove(after: count)
            if files.key == nil { try SafeFile.removeIfThere("\(temporary)/\(source.folder)") }
            skip("The event \(source.event): \(error)")
        }
    }

    private mutating func copy(_ source: BackupSource) throws {
        let (named, copies) = (EventFiles(source.folder), EventFiles("\(temporary)/\(source.folder)"))
        if files.key == nil { try SafeFile.makeFolder(copies.blobs) }
        try files.add(source.secrets.encoded(), as: named.secrets)
        let doorFiles = source.files.doorFiles
        if files.key == nil, !doorFiles.isEmpty { try SafeFile.makeFolder(copies.guests) }
        for file in doorFiles {
            try files.add(copyOf: file, as: named.folder + file.dropFirst(source.files.folder.count))
        }
        try copyDatabase(of: source, as: named.database)
        // After the records that speak of them: what has come since is fetched again.
        for blob in source.blobs {
            defer { copying.add(blob.size) }
            do {
                try files.add(blob) { [temporary] in try Self.requireRoom($0, at: temporary) }
            } catch let failure as FileFailure where failure.path == blob.file {
                // One that was deleted meanwhile is not missed.
                guard failure.reason != .noSuchFileOrDirectory else { continue }
                skip("\(failure) After a restore this file is fetched again if somebody has it.")
            }
        }
        guard files.key == nil else { return }
        for part in [copies.blobs, copies.folder] { try CopiedFile.synchronize(folder: part) }
    }

    /// Copies the database, for an encrypted backup by way of the data folder.
    ///
    /// So it never lies on the backup's disk as plain text. The next start clears the data folder of what a crash
    /// leaves.
    private mutating func copyDatabase(of source: BackupSource, as path: String) throws {
        let size = source.databaseSize
        defer { copying.add(size) }
        try Self.requireRoom(size, at: temporary)
        guard files.key != nil else { return try files.add(path, writtenBy: source.copyDatabase) }
        let copy = "\(node.path)/uploads/backup.sqlite"
        defer { ReplicaFiles.remove(copy) }
        ReplicaFiles.remove(copy)
        try Self.requireRoom(
            size,
            at: node.path,
            advice: "An encrypted backup first copies the database there. Free some space."
        )
        try source.copyDatabase(copy)
        try Self.requireRoom(size, at: temporary)
        try files.add(copyOf: copy, as: path)
    }

    /// Refuses what would take the room that people's words need: a node may live on the same disk.
    private static func requireRoom(
        _ size: Int,
        at place: String,
        advice: String = "Free some space, or choose a folder on another disk."
    ) throws {
        guard let free = SafeFile.freeBytes(at: place), free - DiskRoom.reserve < size else { return }
        throw API.Problem(
            .noSpace,
            "The disk that holds \(place) has no room for the backup: it needs \(size >> 20) MiB, and \(free >> 20) MiB "
                + "are free. \(advice)"
        )
    }

    private mutating func skip(_ what: String) { if skipped.count < Self.skippedLimit { skipped.append(what) } }
}
