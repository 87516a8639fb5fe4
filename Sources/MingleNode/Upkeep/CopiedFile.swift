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

/// A key for encrypted files, and what they are: the file of another purpose does not open.
struct StreamKey {
    let key: Secret
    let purpose: [UInt8]
}

/// Copying of files with their sums, on the disk before it ends.
///
/// Sizes and sums are those of the content, also where a file is encrypted.
enum CopiedFile {
    /// Copies a regular file to `destination`, where there is none, readable by the owner only.
    ///
    /// A file that cannot be copied leaves nothing there.
    ///
    /// - Parameters:
    ///   - size: How many bytes of content it has to have; nil: as many as it has.
    ///   - opening: The key of an encrypted source.
    ///   - sealing: The key to encrypt the copy with.
    /// - Throws: `FileFailure`. Its reason is `invalidArgument` if `source` is not a regular file or has another
    ///   size, and `badMessage` if it does not decrypt.
    static func copy(
        _ source: String,
        to destination: String,
        size: Int? = nil,
        opening: StreamKey? = nil,
        sealing: StreamKey? = nil
    ) throws -> (size: Int, sum: String) {
        // Opens the source first: without a source, no copy must appear.
        let file = try open(source, size: size, opening)
        return try file.closeAfter {
            try write(destination, sealing) { add in try read(file, source, limit: size, opening, add) }
        }
    }

    /// Writes bytes to a new file.
    static func write(
        _ bytes: [UInt8],
        to destination: String,
        sealing: StreamKey? = nil
    ) throws -> (size: Int, sum: String) {
        try write(destination, sealing) { add in
            for start in stride(from: 0, to: bytes.count, by: SealedStream.partLength) {
                try add([UInt8](bytes[start..<min(start + SealedStream.partLength, bytes.count)]))
            }
            return (bytes.count, sum(of: bytes))
        }
    }

    /// A file's size and sum.
    ///
    /// - Parameter size: How many bytes of content it has to have; nil: as many as it has.
    static func sum(
        of path: String,
        size: Int? = nil,
        opening: StreamKey? = nil
    ) throws -> (size: Int, sum: String) {
        let file = try open(path, size: size, opening)
        return try file.closeAfter { try read(file, path, limit: size, opening) { _ in } }
    }

    /// A whole file with at most `limit` bytes of content.
    static func bytes(of path: String, limit: Int, opening: StreamKey? = nil) throws -> [UInt8] {
        let file = try open(path, opening)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            _ = try read(file, path, limit: limit, opening) { bytes += $0 }
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

    // MARK: - Reading

    /// Opens a plain file; a pipe or a device would keep its reader waiting, or never end.
    private static func open(_ path: String, size: Int? = nil, _ key: StreamKey?) throws -> FileDescriptor {
        let length = size.map { key == nil ? $0 : SealedStream.length(of: $0) }
        return try at(path) {
            let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: options)
            var status = stat()
            guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                length == nil || length == Int(status.st_size)
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
        _ key: StreamKey?,
        _ body: ([UInt8]) throws -> Void
    ) throws -> (size: Int, sum: String) {
        var hash = Blake2b(.file)
        var size = 0
        let parts = try at(path) { try PartReader(file, key) }
        while let part = try at(path, { try parts.next() }) {
            size += part.count
            // It may grow while it is read.
            guard size <= limit ?? .max else { throw FileFailure(path: path, reason: .invalidArgument) }
            hash.update(part)
            try body(part)
        }
        return (size, Base32.encode(hash.finalize32().bytes))
    }

    private static func sum(of bytes: [UInt8]) -> String { Base32.encode(Blake2b.hash(.file, bytes).bytes) }

    // MARK: - Writing

    private static func write<Result>(
        _ destination: String,
        _ key: StreamKey?,
        _ body: (_ add: ([UInt8]) throws -> Void) throws -> Result
    ) throws -> Result {
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
                let parts = PartWriter(target, key)
                let result = try body { part in try at(destination) { try parts.add(part) } }
                try at(destination) {
                    try parts.finish()
                    try synchronize(target)
                }
                // So that a check of the copy reads the disk, where the system allows that.
                _ = posix_fadvise(target.rawValue, 0, 0, POSIX_FADV_DONTNEED)
                return result
            }
        } catch {
            try? FileManager.default.removeItem(atPath: destination)
            throw error
        }
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
        } catch is CryptoError {
            throw FileFailure(path: path, reason: .badMessage)
        }
    }
}
