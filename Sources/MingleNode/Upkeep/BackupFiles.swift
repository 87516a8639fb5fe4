// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI
import MingleCrypto
import MingleModel
import SystemPackage

/// An earlier backup, whose files a new one shares as far as they are the same.
struct EarlierBackup {
    let path: String
    private let files: [String: BackupManifest.File]

    /// Reads a backup's manifest.
    init(_ path: String, _ manifest: BackupManifest) {
        self.path = path
        files = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
    }

    /// The file of a blob that was not written since; nil if there is none.
    func file(of blob: BackupSource.Blob) -> BackupManifest.File? {
        files[blob.named].flatMap { $0.size == blob.size && $0.modified == blob.modified ? $0 : nil }
    }
}

/// The files of a backup that is being written.
///
/// Each is read again before it counts.
struct BackupFiles {
    /// Where the backup is written.
    let folder: String
    let key: BackupKey?
    let earlier: EarlierBackup?
    private(set) var files: [BackupManifest.File] = []
    /// Bytes that were copied, and not shared with an earlier backup.
    private(set) var newBytes = 0

    init(in folder: String, key: BackupKey?, earlier: EarlierBackup?) throws {
        (self.folder, self.key, self.earlier) = (folder, key, earlier)
        try SafeFile.makeFolder(part)
        try key?.write(to: folder)
    }

    /// The folder that has the files.
    private var part: String { "\(folder)/\(key == nil ? "events" : BackupManifest.storedFolder)" }

    /// Has the folder's entries on the disk.
    func synchronize() throws { try CopiedFile.synchronize(folder: part) }

    /// Adds a copy of a file.
    ///
    /// `path` is its place in a data folder.
    mutating func add(copyOf source: String, as path: String) throws {
        try add(path, modified: nil) { try CopiedFile.copy(source, to: $0, sealing: $1) }
    }

    /// Adds a file with these bytes.
    mutating func add(_ bytes: [UInt8], as path: String) throws {
        try add(path, modified: nil) { try CopiedFile.write(bytes, to: $0, sealing: $1) }
    }

    /// Adds a file that `write` writes to its place, which must not be an encrypted backup's.
    mutating func add(_ path: String, writtenBy write: (_ place: String) throws -> Void) throws {
        try add(path, modified: nil) { place, _ in
            try write(place)
            guard unsafe chmod(place, 0o600) == 0 else {
                throw FileFailure(path: place, reason: Errno(rawValue: errno))
            }
            return try CopiedFile.sum(of: place)
        }
    }

    /// Adds a blob: a link to the file of the earlier backup if that is still as it was written, else a copy.
    ///
    /// - Parameter requireRoom: Refuses a copy for which the disk has no room.
    mutating func add(_ blob: BackupSource.Blob, _ requireRoom: (_ size: Int) throws -> Void) throws {
        if let file = earlier?.file(of: blob), share(file) {
            files.append(file)
        } else {
            try requireRoom(blob.size)
            try add(blob.named, modified: blob.modified) { try CopiedFile.copy(blob.file, to: $0, sealing: $1) }
        }
    }

    /// Forgets the files that were added after the first `count`, and removes them.
    mutating func remove(after count: Int) throws {
        for file in files[count...] { try SafeFile.removeIfThere("\(folder)/\(file.place)") }
        files.removeSubrange(count...)
    }

    private mutating func add(
        _ path: String,
        modified: Int64?,
        _ write: (_ place: String, _ key: StreamKey?) throws -> (size: Int, sum: String)
    ) throws {
        let stored = key.map { _ in Base32.encode(Randomness.system.bytes(16)) }
        var file = BackupManifest.File(path: path, size: 0, sum: "", modified: modified, stored: stored)
        let written = try write("\(folder)/\(file.place)", key?.files)
        file = BackupManifest.File(
            path: path,
            size: written.size,
            sum: written.sum,
            modified: modified,
            stored: stored
        )
        guard isWhole(file) else {
            throw API.Problem(
                .damaged,
                "The disk that holds \(folder) did not give back what was written to it. Choose another disk for backups."
            )
        }
        files.append(file)
        newBytes += written.size
    }

    /// Links to a file of the earlier backup.
    ///
    /// - Returns: Whether it is linked and as it was written. A disk without hard links has copies.
    private func share(_ file: BackupManifest.File) -> Bool {
        guard let earlier, key == nil || file.stored != nil else { return false }
        let place = "\(folder)/\(file.place)"
        guard unsafe link("\(earlier.path)/\(file.place)", place) == 0 else { return false }
        if isWhole(file) { return true }
        try? SafeFile.removeIfThere(place)
        return false
    }

    private func isWhole(_ file: BackupManifest.File) -> Bool {
        let read = try? CopiedFile.sum(of: "\(folder)/\(file.place)", size: file.size, opening: key?.files)
        return read?.sum == file.sum
    }
}
