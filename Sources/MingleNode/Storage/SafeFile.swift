// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SystemPackage

/// Small files that a crash leaves either as they were or as they shall be.
enum SafeFile {
    /// What follows the name of a file that is being written.
    static let newSuffix = ".new"

    /// Writes `bytes` to `path` for the owner's eyes only, and has them on the disk before it returns.
    ///
    /// - Throws: `FileFailure`.
    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try write(bytes, by: path + newSuffix, to: path)
        } catch let reason as Errno {
            try? FileManager.default.removeItem(atPath: path + newSuffix)
            throw FileFailure(path: path, reason: reason)
        }
    }

    private static func write(_ bytes: [UInt8], by temporary: String, to path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(temporary),
            .writeOnly,
            options: [.create, .truncate],
            permissions: [.ownerRead, .ownerWrite]
        )
        try file.closeAfter {
            try file.writeAll(bytes)
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        guard unsafe rename(temporary, path) == 0 else { throw Errno(rawValue: errno) }
        try syncFolder(of: path)
    }

    /// Has a folder's entries on the disk.
    private static func syncFolder(of path: String) throws {
        let folder = FilePath(path).removingLastComponent()
        let descriptor = try FileDescriptor.open(folder, .readOnly, options: [.directory])
        try descriptor.closeAfter {
            guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    /// Makes a folder for the owner's eyes only, with the folders above it.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Whether there is anything of that name, be it a link that leads nowhere.
    static func isThere(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// Removes a file, or a folder with all that is in it, if there is one.
    static func removeIfThere(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
    }

    /// A path without links in it, as far as it leads anywhere.
    static func resolved(_ path: String) -> String {
        var (there, rest) = (FilePath(path), FilePath())
        while true {
            if let real = unsafe realpath(there.string, nil) {
                defer { unsafe free(real) }
                return FilePath(unsafe String(cString: real)).appending(rest.components).string
            }
            guard let last = there.lastComponent else { return path }
            rest = FilePath(root: nil, [last] + rest.components)
            there.removeLastComponent()
        }
    }

    /// What a failure is, in a few words.
    static func phrase(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        // Foundation's own words leave out what the system said, or name a number alone.
        if let cause = error.underlying as? POSIXError { return "\(Errno(rawValue: cause.code.rawValue))" }
        let description = error.localizedDescription
        return description.hasSuffix(".") ? String(description.dropLast()) : description
    }

    /// Bytes that are free for this user on the disk that holds `path`; nil if that cannot be told.
    static func freeBytes(at path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    }
}
