// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The files of a replica that nobody has open.
package enum ReplicaFiles {
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Removes a replica's files.
    package static func remove(_ path: String) {
        for suffix in [""] + companions { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Puts one replica in the place of another, in one step; what belonged to the other's log goes before.
    ///
    /// - Throws: `ReplicaError.invalid` if the disk refuses; then the other is still there.
    package static func replace(_ path: String, by new: String) throws {
        try synchronize(new)
        // A log of the old database would be taken for one of the new.
        for suffix in companions { try? FileManager.default.removeItem(atPath: path + suffix) }
        guard unsafe rename(new, path) == 0 else {
            throw ReplicaError.invalid("\(new) cannot be put in the place of \(path): \(message()).")
        }
        try synchronize(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
    }

    /// Returns when a file or a folder's entries are on the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReplicaError.invalid("\(path) cannot be opened: \(message()).") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw ReplicaError.invalid("\(path) cannot be brought to the disk: \(message()).")
        }
    }

    private static func message() -> String { unsafe String(cString: strerror(errno)) }
}
