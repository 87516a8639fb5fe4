// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleCrypto
import MingleModel
import MinglePeering
import SystemPackage

/// Puts a backup in the place of a data folder that is not there or empty.
///
/// In each event the node goes on as a new device of its person: the device of the backup may have written since, and may
/// still be in use.
package struct Restoring {
    private let backup: String
    private let folder: String
    private let temporary: String
    private let isThere: Bool

    /// Restores `backup` to the data folder `folder`, and returns how much that was.
    ///
    /// - Throws: `API.Problem` for what is no backup, for one that is of a newer version, damaged or cut short, and for a
    ///   folder that is in use or not empty; nothing has changed then.
    package static func restore(_ backup: String, to folder: String) throws -> API.Backup {
        let restoring = Restoring(
            backup: URL(fileURLWithPath: backup).standardizedFileURL.path,
            folder: URL(fileURLWithPath: folder).standardizedFileURL.path
        )
        let manifest = try BackupManifest(of: restoring.backup)
        // No node starts in the folder meanwhile.
        let locked = try restoring.lockEmpty()
        defer { locked?.unlock() }
        do {
            try restoring.copy(manifest)
            return try restoring.finish(manifest)
        } catch {
            try? FileManager.default.removeItem(atPath: restoring.temporary)
            throw API.Problem(error)
        }
    }

    private init(backup: String, folder: String) {
        (self.backup, self.folder) = (backup, folder)
        // In a folder that is there, as its parent may be somebody else's.
        isThere = FileManager.default.fileExists(atPath: folder)
        temporary = isThere ? folder + "/.restoring" : folder + ".restoring"
    }

    /// What a folder may hold that nothing was ever kept in, or that an earlier try was to fill.
    private static let empty: Set = ["node.lock", "node.json", "node.sock", "events", "uploads", ".restoring"]

    /// Locks a folder that is there, and refuses one that a node uses or that holds anything; nil if there is none.
    private func lockEmpty() throws -> DataFolder? {
        guard isThere else {
            try? FileManager.default.removeItem(atPath: temporary)
            return nil
        }
        let isEmpty = names(in: folder).isSubset(of: Self.empty) && names(in: folder + "/events").isEmpty
        // Opening it says better than its content that it is in use.
        let locked = isEmpty || names(in: folder).contains("node.lock") ? try DataFolder(folder) : nil
        guard isEmpty else {
            locked?.unlock()
            throw API.Problem(
                .conflict,
                "The data folder \(folder) is not empty. Restore to another one (--data DIR), or move this one away first."
            )
        }
        try? FileManager.default.removeItem(atPath: temporary)
        return locked
    }

    private func names(in folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// Copies the backup's files beside the folder, each as the manifest says.
    private func copy(_ manifest: BackupManifest) throws {
        try SafeFile.makeFolder(temporary + "/events")
        for event in manifest.events {
            guard EventID(text: event) != nil else { throw damaged(BackupManifest.name, "it names no event") }
            try SafeFile.makeFolder("\(temporary)/events/\(event)/blobs")
        }
        for file in manifest.files {
            guard Self.isPlain(file.path) else { throw damaged(file.path, "a backup has no such file") }
            let copied: (size: Int, sum: String)
            do {
                copied = try CopiedFile.copy("\(backup)/\(file.path)", to: "\(temporary)/\(file.path)")
            } catch Errno.noSuchFileOrDirectory {
                throw damaged(file.path, "it is missing")
            }
            guard copied.size == file.size else {
                throw damaged(file.path, "it has \(copied.size) bytes instead of \(file.size)")
            }
            guard copied.sum == file.sum else { throw damaged(file.path, "it is not what was written") }
        }
    }

    /// Gives every event another device, and puts the folder in its place.
    private func finish(_ manifest: BackupManifest) throws -> API.Backup {
        for event in manifest.events {
            let path = "\(temporary)/events/\(event)"
            var secrets = try Secrets(contentsOf: path + "/secrets.json")
            secrets.replaceDevice(.system)
            try secrets.write(to: path + "/secrets.json")
            for part in [path + "/blobs", path] { try CopiedFile.synchronize(folder: part) }
        }
        for part in [temporary + "/events", temporary] { try CopiedFile.synchronize(folder: part) }
        try putInPlace()
        return API.Backup(
            path: folder,
            events: manifest.events.count,
            files: manifest.files.count,
            bytes: manifest.files.reduce(0) { $0 + $1.size }
        )
    }

    private func putInPlace() throws {
        if isThere {
            // The events last: without them nothing was restored, and another try begins anew.
            for part in ["node.json", "events"] where FileManager.default.fileExists(atPath: "\(temporary)/\(part)") {
                try move("\(temporary)/\(part)", to: "\(folder)/\(part)")
            }
            try FileManager.default.removeItem(atPath: temporary)
            try CopiedFile.synchronize(folder: folder)
        } else {
            try move(temporary, to: folder)
            try CopiedFile.synchronize(folder: URL(fileURLWithPath: folder).deletingLastPathComponent().path)
        }
    }

    private func move(_ source: String, to destination: String) throws {
        guard unsafe rename(source, destination) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Whether a path stays in the folder and names what backups have.
    private static func isPlain(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else { return false }
        return switch parts.count {
        case 1: path == "node.json"
        case 3: parts[0] == "events" && ["secrets.json", "replica.sqlite"].contains(parts[2])
        case 4: parts[0] == "events" && parts[2] == "blobs" && BlobName(text: parts[3]) != nil
        default: false
        }
    }

    private func damaged(_ file: String, _ what: String) -> API.Problem {
        API.Problem(
            .badRequest,
            "The backup \(backup) is not whole: \(file): \(what). Take another backup, or fetch the events anew from others."
        )
    }
}
