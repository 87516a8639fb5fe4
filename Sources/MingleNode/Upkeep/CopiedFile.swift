// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleCrypto
import MingleModel
import SystemPackage

/// A file that could not be read or written.
struct FileFailure: Error, CustomStringConvertible {
    let path: String
    let reason: Errno

    var description: String {
        switch reason {
        case .permissionDenied:
            "This user may not read or write \(path). Run the command as the file's owner (sudo -u OWNER mingle …)."
        case .noSpace, .diskQuotaExceeded:
            "The disk that holds \(path) is full. Free some space and try again."
        default: "\(path): \(reason)."
        }
    }
}

/// Copying of files with their sums, on the disk before it ends.
enum CopiedFile {
    private static let partLength = 1 << 20

    /// Copies a plain file to `destination`, where there is none, for the owner's eyes only; what cannot be copied leaves
    /// nothing there.
    ///
    /// - Parameter size: How many bytes it has to have; nil: as many as it has.
    /// - Throws: `FileFailure`. Its reason is `invalidArgument` if `source` is not a regular file or has another size.
    static func copy(_ source: String, to destination: String, size: Int? = nil) throws -> (size: Int, sum: String) {
        // Opens the source first: without a source, no copy must appear.
        let file = try open(source, size: size)
        return try file.closeAfter {
            let target = try at(destination) {
                try FileDescriptor.open(
                    FilePath(destination),
                    .writeOnly,
                    options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: [.ownerRead, .ownerWrite]
                )
            }
            do {
                return try target.closeAfter {
                    let read = try read(file, source, limit: size) { part in
                        _ = try at(destination) { try target.writeAll(part) }
                    }
                    try at(destination) { try synchronize(target) }
                    return read
                }
            } catch {
                try? FileManager.default.removeItem(atPath: destination)
                throw error
            }
        }
    }

    /// A file's size and sum.
    static func sum(of path: String) throws -> (size: Int, sum: String) {
        let file = try open(path)
        return try file.closeAfter { try read(file, path, limit: nil) { _ in } }
    }

    /// A whole file of at most `limit` bytes.
    static func bytes(of path: String, limit: Int) throws -> [UInt8] {
        let file = try open(path)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            _ = try read(file, path, limit: limit) { bytes += $0 }
            return bytes
        }
    }

    /// Has a folder's entries on the disk.
    static func synchronize(folder: String) throws {
        try at(folder) {
            let descriptor = try FileDescriptor.open(FilePath(folder), .readOnly, options: [.directory, .closeOnExec])
            try descriptor.closeAfter { try synchronize(descriptor) }
        }
    }

    // MARK: - Steps

    /// Opens a plain file; a pipe or a device would keep its reader waiting, or never end.
    private static func open(_ path: String, size: Int? = nil) throws -> FileDescriptor {
        try at(path) {
            let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: options)
            var status = stat()
            guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                size == nil || size == Int(status.st_size)
            else {
                try? file.close()
                throw Errno.invalidArgument
            }
            return file
        }
    }

    private static func read(
        _ file: FileDescriptor,
        _ path: String,
        limit: Int?,
        _ body: ([UInt8]) throws -> Void
    ) throws -> (size: Int, sum: String) {
        var hash = Blake2b(.file)
        var size = 0
        while true {
            let part = try at(path) {
                try unsafe [UInt8](unsafeUninitializedCapacity: partLength) { buffer, count in
                    count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
            guard !part.isEmpty else { break }
            size += part.count
            // It may grow while it is read.
            guard size <= limit ?? .max else { throw FileFailure(path: path, reason: .invalidArgument) }
            hash.update(part)
            try body(part)
        }
        return (size, Base32.encode(hash.finalize32().bytes))
    }

    private static func synchronize(_ file: FileDescriptor) throws {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Names the file in what fails about it.
    private static func at<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let reason as Errno {
            throw FileFailure(path: path, reason: reason)
        }
    }
}
