// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import MingleAPI
import MingleCrypto
import MingleModel
import MinglePeering
import SystemPackage

/// Puts a backup in the place of a data folder that is not there or empty.
///
/// In each event the node goes on as a new device of its person: the device of the backup may have written since, and may
/// still be in use. An event in which it was a linked device is left out, because it cannot certify a new device. A
/// blob that is damaged is left out too: others may have it, and one file is in many backups.
package struct Restoring {
    private let backup: String
    private let folder: String
    /// Of an encrypted backup.
    private let key: BackupKey?
    /// In the folder, under its lock, as its parent may be somebody else's.
    private var temporary: String { DataFolder.restoringPath(in: folder) }

    /// Restores a backup to the data folder `folder`, and returns how much that was; `tell` hears how far it is.
    ///
    /// - Parameters:
    ///   - backup: The backup, or a folder of backups: its newest one.
    ///   - passphrase: That of an encrypted backup.
    /// - Returns: What was restored; `skipped` names what is not in the backup, or could not be restored.
    /// - Throws: `API.Problem` if `backup` is not a backup, is of another version, has damaged or lost files other than
    ///   blobs, for a wrong passphrase, and if `folder` is in use or not empty. Nothing has changed then.
    package static func restore(
        _ backup: String,
        to folder: String,
        passphrase: Passphrase? = nil,
        tell: @escaping @Sendable (API.HowFar) -> Void = { _ in }
    ) throws -> API.Backup {
        let place = URL(fileURLWithPath: backup).standardizedFileURL.path
        let backup = newest(in: place)
        let key = try BackupKey(of: backup, passphrase)
        if backup != place, key == nil { try requirePlainBackups(place, backup) }
        // An encrypted backup that somebody has replaced must not pass as one.
        guard key != nil || passphrase == nil else {
            throw API.Problem(.conflict, "\(backup) is not encrypted. Restore it without a passphrase if you trust it.")
        }
        let restoring = Restoring(
            backup: backup,
            folder: URL(fileURLWithPath: folder).standardizedFileURL.path,
            key: key
        )
        return try restoring.restore(try BackupManifest(of: backup, key), tell)
    }

    /// Whether a passphrase is needed for a backup, or for the newest one of a folder.
    package static func isEncrypted(_ backup: String) -> Bool { BackupKey.isThere(in: newest(in: backup)) }

    /// Refuses the newest backup of a folder if it is plain and others are encrypted.
    ///
    /// Whoever can write there, and has no passphrase, can add such a one.
    private static func requirePlainBackups(_ folder: String, _ newest: String) throws(API.Problem) {
        guard BackupFolder.backups(in: folder).contains(where: { BackupKey.isThere(in: "\(folder)/\($0)") }) else {
            return
        }
        throw API.Problem(
            .conflict,
            "The newest backup in \(folder) is not encrypted, and others there are. Somebody else may have put it there. "
                + "Name the backup that you trust; the newest one is \(newest)."
        )
    }

    /// A backup itself, or the newest one of a folder.
    private static func newest(in path: String) -> String {
        guard !BackupManifest.isThere(in: path), let newest = BackupFolder.backups(in: path).last else { return path }
        return "\(path)/\(newest)"
    }

    private func restore(
        _ manifest: BackupManifest,
        _ tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> API.Backup {
        let wasThere = FileManager.default.fileExists(atPath: folder)
        // Before anything is made in a folder of somebody's; of one that is in use opening it says so.
        guard isEmpty || names(in: folder).contains("node.lock") else { throw notEmpty }
        // No node starts in the folder meanwhile, and nobody else restores to it.
        let locked = try DataFolder(folder)
        defer { locked.unlock() }
        guard isEmpty else { throw notEmpty }
        do {
            try requireRoom(manifest.bytes)
            let lost = try copy(manifest, tell)
            let skipped = try replaceDevices(manifest)
            try putInPlace()
            // With it a folder that was made goes to the disk.
            if !wasThere { try CopiedFile.synchronize(folder: (folder as NSString).deletingLastPathComponent) }
            var restored = API.Backup(manifest, at: folder, newBytes: manifest.bytes)
            restored.events -= skipped.count
            restored.files -= lost.count
            restored.bytes -= lost.reduce(0) { $0 + $1.size }
            restored.newBytes = restored.bytes
            restored.skipped += skipped + lost.prefix(BackupWriter.skippedLimit).map(\.loss)
            return restored
        } catch {
            try? FileManager.default.removeItem(atPath: wasThere ? temporary : folder)
            throw error
        }
    }

    /// What a folder may hold that nothing was ever kept in, though a node ran there, or that an earlier try was to fill.
    private static let empty: Set = [
        "node.lock", "node.json", "node.json.new", "backup.json", "backup.json.new", "node.sock", "events", "uploads",
        "importing", "unfinished", ".restoring",
    ]
    /// What SQLite calls temporary files.
    private static let temporaryPrefix = "etilqs_"

    private var isEmpty: Bool {
        names(in: folder).allSatisfy { Self.empty.contains($0) || $0.hasPrefix(Self.temporaryPrefix) }
            && names(in: folder + "/events").isEmpty
    }

    private var notEmpty: API.Problem {
        API.Problem(
            .conflict,
            "The data folder \(folder) is not empty. Restore to another folder (--data DIR), or move this one away first."
        )
    }

    private func requireRoom(_ size: Int) throws {
        guard let free = SafeFile.freeBytes(at: folder), free - DiskRoom.reserve < size else { return }
        throw API.Problem(
            .noSpace,
            "The disk that holds \(folder) has no room for the backup: it needs \(size >> 20) MiB. \(free >> 20) MiB are "
                + "free, and \(DiskRoom.reserve >> 20) MiB of these must stay free."
        )
    }

    private func names(in folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// Copies the backup's files to a part of the folder of their own, each as the manifest says.
    ///
    /// - Returns: The blobs that are damaged or lost in the backup.
    private func copy(
        _ manifest: BackupManifest,
        _ tell: @escaping @Sendable (API.HowFar) -> Void
    ) throws -> [BackupManifest.File] {
        try SafeFile.makeFolder(temporary + "/events")
        for event in manifest.events {
            guard EventID(text: event) != nil else { throw damaged(BackupManifest.name, "it lists an invalid event") }
            let files = EventFiles("\(temporary)/events/\(event)")
            try SafeFile.makeFolder(files.blobs)
            let guests = EventFiles("events/\(event)").guests + "/"
            if manifest.files.contains(where: { $0.path.hasPrefix(guests) }) { try SafeFile.makeFolder(files.guests) }
        }
        let copying = LongWork(total: manifest.bytes, tell: tell)
        // Goes on with the backups of the node that was.
        try DataFolder.write(BackupRecord(node: manifest.node), in: temporary)
        var lost: [BackupManifest.File] = []
        for file in manifest.files {
            guard file.isPlain(isEncrypted: key != nil) else { throw damaged(file.path, "a backup has no such file") }
            if try !copy(file) { lost.append(file) }
            copying.add(file.size)
        }
        return lost
    }

    /// Copies a file.
    ///
    /// - Returns: False for a blob that is not as it was written; nothing is there then.
    /// - Throws: `API.Problem` for another such file.
    private func copy(_ file: BackupManifest.File) throws -> Bool {
        let source = "\(backup)/\(file.place)"
        let place = "\(temporary)/\(file.path)"
        do {
            let copied = try CopiedFile.copy(source, to: place, size: file.size, opening: key?.files)
            if copied.sum == file.sum { return true }
            guard file.isBlob else { throw damaged(file.path, "its content has changed") }
            try SafeFile.removeIfThere(place)
            return false
        } catch let failure as FileFailure where failure.path == source {
            if file.isBlob { return false }
            switch failure.reason {
            case .noSuchFileOrDirectory: throw damaged(file.path, "it is missing")
            case .badMessage: throw damaged(file.path, "its content has changed")
            case .invalidArgument, .tooManySymbolicLinkLevels:
                throw damaged(file.path, "it is not a regular file of \(file.size) bytes")
            default: throw failure
            }
        }
    }

    /// Gives every event another device, and says which are left out, as this one cannot certify another.
    private func replaceDevices(_ manifest: BackupManifest) throws -> [String] {
        var skipped: [String] = []
        for event in manifest.events {
            let path = "\(temporary)/events/\(event)"
            var secrets = try Secrets(contentsOf: EventFiles(path).secrets)
            guard secrets.identity != nil else {
                try FileManager.default.removeItem(atPath: path)
                skipped.append(
                    "The event \(event) was not restored because another device of yours linked this device. Make a new link there "
                        + "(mingle devices link)."
                )
                continue
            }
            try secrets.replaceDevice(.system)
            try secrets.write(to: EventFiles(path).secrets)
            for part in [EventFiles(path).blobs, path] { try CopiedFile.synchronize(folder: part) }
        }
        for part in [temporary + "/events", temporary] { try CopiedFile.synchronize(folder: part) }
        return skipped
    }

    private func putInPlace() throws {
        // The events last: without them nothing was restored, and another try begins anew.
        for part in ["node.json", DataFolder.backupRecordName, "events"]
        where FileManager.default.fileExists(atPath: "\(temporary)/\(part)") {
            let place = "\(folder)/\(part)"
            guard unsafe rename("\(temporary)/\(part)", place) == 0 else {
                throw FileFailure(path: place, reason: Errno(rawValue: errno))
            }
        }
        try FileManager.default.removeItem(atPath: temporary)
        try CopiedFile.synchronize(folder: folder)
    }

    private func damaged(_ file: String, _ what: String) -> API.Problem {
        API.Problem(
            .damaged,
            "The backup \(backup) is damaged: \(file): \(what). Use another backup, or join the events again to fetch them "
                + "from others."
        )
    }
}
