// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import SystemPackage

/// One event's data, to be copied while others may use it.
struct BackupSource {
    let event: EventID
    let files: EventFiles
    let secrets: Secrets
    let blobs: BlobStore
    /// Copies the database as it stands to a path.
    let copyDatabase: (String) throws -> Void

    /// The folder of an event in a backup.
    var folder: String { "events/\(event)" }

    /// Bytes that a copy takes.
    var size: Int {
        let blobPaths = blobs.list().filter(\.isComplete).map { files.path(of: $0.name) }
        return ([files.database, files.database + "-wal"] + blobPaths).reduce(0) { sum, file in
            sum + ((try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0)
        }
    }
}

/// Writes a backup: a folder that appears under its name when it is whole and on the disk.
struct BackupWriter {
    /// How much of what was left out is told of.
    private static let skippedLimit = 200

    private let destination: String
    private let temporary: String
    private var files: [BackupManifest.File] = []
    private var events: [BackupSource] = []
    private var skipped: [String]
    private var copying = LongWork(total: 0)

    /// Writes to `destination`, which must not exist yet; `skipped` says which events are left out, and why.
    static func write(
        to destination: String,
        node: DataFolder,
        _ sources: [BackupSource],
        skipped: [String],
        tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> API.Backup {
        var writer = try BackupWriter(to: destination, skipped)
        do {
            return try writer.write(node: node, sources, tell)
        } catch {
            try? FileManager.default.removeItem(atPath: writer.temporary)
            throw error
        }
    }

    private init(to destination: String, _ skipped: [String]) throws {
        guard destination.hasPrefix("/") else {
            throw API.Problem(.badRequest, "The backup's folder must be an absolute path (/…), not \(destination).")
        }
        let destination = URL(fileURLWithPath: destination).standardizedFileURL.path
        if let part = DataFolder.part(holding: destination) {
            throw API.Problem(
                .badRequest,
                "\(destination) lies in \(part), where a node keeps and deletes its own files. Choose another folder, best on "
                    + "another disk."
            )
        }
        guard !SafeFile.isThere(destination) else {
            throw API.Problem(
                .conflict,
                "\(destination) exists already. Choose a new folder, for example one for each day."
            )
        }
        (self.destination, self.skipped) = (destination, skipped)
        temporary = destination + ".unfinished"
        try Self.removeLeftovers(at: temporary)
        do {
            try SafeFile.makeFolder(temporary + "/events")
        } catch {
            throw API.Problem(.badRequest, "The folder \(temporary) was not created: \(SafeFile.phrase(of: error))")
        }
    }

    /// Removes what an earlier try left, which is of no use.
    ///
    /// - Throws: `API.Problem`, if there is something that no backup has made.
    private static func removeLeftovers(at path: String) throws {
        guard SafeFile.isThere(path) else { return }
        let own = Set(["events", "node.json", BackupManifest.name, BackupManifest.name + ".new"])
        let found = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard let found, own.isSuperset(of: found), (try? FileManager.default.removeItem(atPath: path)) != nil else {
            throw API.Problem(
                .conflict,
                "\(path) exists, and a backup did not make it. Move it away, or choose another folder for the backup."
            )
        }
    }

    private mutating func write(
        node: DataFolder,
        _ sources: [BackupSource],
        _ tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> API.Backup {
        let size = sources.reduce(0) { $0 + $1.size }
        try requireRoom(size)
        copying = LongWork(total: size, tell: tell)
        if FileManager.default.fileExists(atPath: node.path + "/node.json") {
            try copy(node.path + "/node.json", to: "node.json")
        }
        for source in sources { try add(source) }
        guard skipped.isEmpty || !events.isEmpty else {
            throw API.Problem(.conflict, "No event can be backed up. \(skipped.joined(separator: " "))")
        }
        let manifest = BackupManifest(
            events: events.map(\.event.description),
            files: files,
            skipped: skipped
        )
        try manifest.write(to: temporary)
        guard unsafe rename(temporary, destination) == 0 else { throw Errno(rawValue: errno) }
        try CopiedFile.synchronize(folder: URL(fileURLWithPath: destination).deletingLastPathComponent().path)
        return API.Backup(manifest, at: destination)
    }

    /// Adds an event; one whose database cannot be copied is left out.
    private mutating func add(_ source: BackupSource) throws {
        let count = files.count
        do {
            try copy(source)
            events.append(source)
        } catch let error as ReplicaError {
            guard API.Problem(error).name != .noSpace else { throw error }
            files.removeSubrange(count...)
            try SafeFile.removeIfThere("\(temporary)/\(source.folder)")
            skip("The event \(source.event): \(error)")
        }
    }

    private mutating func copy(_ source: BackupSource) throws {
        // As the manifest names them, and as they lie there until the backup is whole.
        let (named, copies) = (EventFiles(source.folder), EventFiles("\(temporary)/\(source.folder)"))
        try SafeFile.makeFolder(copies.blobs)
        try source.secrets.write(to: copies.secrets)
        try note(named.secrets, try CopiedFile.sum(of: copies.secrets))
        try source.copyDatabase(copies.database)
        guard unsafe chmod(copies.database, 0o600) == 0 else { throw Errno(rawValue: errno) }
        try note(named.database, try CopiedFile.sum(of: copies.database))
        // After the records that speak of them: what has come since is fetched again.
        for blob in source.blobs.list() where blob.isComplete {
            let path = source.files.path(of: blob.name)
            do {
                try copy(path, to: named.path(of: blob.name))
            } catch let failure as FileFailure where failure.path == path {
                // One that was deleted meanwhile is not missed.
                guard failure.reason != .noSuchFileOrDirectory else { continue }
                skip("\(failure) After a restore this file is fetched again if somebody has it.")
            }
        }
        for part in [copies.blobs, copies.folder, temporary + "/events"] { try CopiedFile.synchronize(folder: part) }
    }

    private mutating func copy(_ source: String, to path: String) throws {
        let size = try? FileManager.default.attributesOfItem(atPath: source)[.size] as? Int
        try requireRoom(size ?? 0)
        try note(path, try CopiedFile.copy(source, to: "\(temporary)/\(path)"))
    }

    /// Refuses what would take the room that people's words need: a node may live on the same disk.
    private func requireRoom(_ size: Int) throws {
        guard let free = SafeFile.freeBytes(at: temporary), free - DiskRoom.reserve < size else { return }
        throw API.Problem(
            .noSpace,
            "The disk that holds \(destination) has no room for the backup: it needs \(size >> 20) MiB, and \(free >> 20) MiB "
                + "are free. Choose a folder on another disk."
        )
    }

    private mutating func note(_ path: String, _ read: (size: Int, sum: String)) throws {
        files.append(BackupManifest.File(path: path, size: read.size, sum: read.sum))
        copying.add(read.size)
    }

    private mutating func skip(_ what: String) { if skipped.count < Self.skippedLimit { skipped.append(what) } }
}
