// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleCrypto
import MingleModel
import SystemPackage

/// Copying of files with their sums, on the disk before it ends.
enum CopiedFile {
    private static let partLength = 1 << 20

    /// Copies a file to `destination`, where there is none, for the owner's eyes only.
    static func copy(_ source: String, to destination: String) throws -> (size: Int, sum: String) {
        let target = try FileDescriptor.open(
            FilePath(destination),
            .writeOnly,
            options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerRead, .ownerWrite]
        )
        return try target.closeAfter {
            let read = try read(source) { try target.writeAll($0) }
            guard fsync(target.rawValue) == 0 else { throw Errno(rawValue: errno) }
            return read
        }
    }

    /// A file's size and sum.
    static func sum(of path: String) throws -> (size: Int, sum: String) { try read(path) { _ in } }

    private static func read(_ path: String, _ body: ([UInt8]) throws -> Void) throws -> (size: Int, sum: String) {
        let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
        return try file.closeAfter {
            var hash = Blake2b(.file)
            var size = 0
            while true {
                let part = try unsafe [UInt8](unsafeUninitializedCapacity: partLength) { buffer, count in
                    count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard !part.isEmpty else { break }
                size += part.count
                hash.update(part)
                try body(part)
            }
            return (size, Base32.encode(hash.finalize32().bytes))
        }
    }

    /// Has a folder's entries on the disk.
    static func synchronize(folder: String) throws {
        let descriptor = try FileDescriptor.open(FilePath(folder), .readOnly, options: [.directory, .closeOnExec])
        try descriptor.closeAfter {
            guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
    }
}
