// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The files of a replica that nobody has open.
package enum ReplicaFiles {
    /// Damaged databases that are kept of one event.
    private static let keptAside = 9
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Removes a replica's files.
    package static func remove(_ path: String) {
        for suffix in [""] + companions { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Keeps a replica's files under another name besides their own, and returns that name.
    ///
    /// It is the first free one of `PATH.damaged`, `PATH.damaged-2`, …; what it names is on the disk then.
    ///
    /// - Throws: `ReplicaError.invalid` where many are kept already, and what the disk says.
    package static func keepAside(_ path: String) throws -> String {
        let names = [path + ".damaged"] + (2...keptAside).map { "\(path).damaged-\($0)" }
        guard let name = names.first(where: { !isTaken($0) }) else {
            throw ReplicaError.invalid(
                "\(names.count) damaged databases are kept beside \(path). Move them away first."
            )
        }
        // The index of a log is made anew by whoever opens it.
        for suffix in [""] + companions where suffix != "-shm" && FileManager.default.fileExists(atPath: path + suffix)
        {
            do {
                try FileManager.default.linkItem(atPath: path + suffix, toPath: name + suffix)
            } catch {
                // Some disks know no second names.
                try FileManager.default.copyItem(atPath: path + suffix, toPath: name + suffix)
                try synchronize(name + suffix)
            }
        }
        try synchronize(folder(of: path))
        return name
    }

    /// Whether a database or the log of one is kept under a name.
    private static func isTaken(_ name: String) -> Bool {
        [name, name + "-wal"].contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// Puts one replica in the place of another, in one step; what belonged to the other's log goes before.
    ///
    /// - Throws: `ReplicaError.invalid` if the disk refuses; then the other is still there.
    package static func replace(_ path: String, by new: String) throws {
        try synchronize(new)
        // A log of the old database would be taken for one of the new.
        for suffix in companions { try? FileManager.default.removeItem(atPath: path + suffix) }
        guard unsafe rename(new, path) == 0 else {
            throw ReplicaError.invalid("\(new) could not replace \(path): \(message()).")
        }
        try synchronize(folder(of: path))
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    /// Returns when a file or a folder's entries are on the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReplicaError.invalid("\(path) cannot be opened: \(message()).") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw ReplicaError.invalid("\(path) could not be written to the disk: \(message()).")
        }
    }

    private static func message() -> String { unsafe String(cString: strerror(errno)) }
}
