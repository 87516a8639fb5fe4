// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc
import MingleAPI
import MingleNode
import NIOCore
import SystemPackage

/// A file to save: it gets its name only when it is complete.
///
/// Until then, a file that already has the name stays unchanged.
struct SavedFile {
    /// The path as given.
    private let name: String
    /// Where to write: the target of `name` if that is a symbolic link.
    private let path: FilePath
    /// Whether to replace an existing file.
    private let replaces: Bool
    /// Permissions of the existing file, or those of a new private file; nil: the process default.
    private let permissions: FilePermissions?

    private var folder: FilePath { path.removingLastComponent().isEmpty ? "." : path.removingLastComponent() }

    /// Checks that a file can be saved at a path.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - replaces: whether to replace an existing file.
    ///   - isPrivate: whether only the owner may read a new file.
    /// - Throws: `API.Problem` if the path exists and may not be replaced, or cannot be written. Only a regular
    ///   file can be replaced.
    init(_ path: String, replaces: Bool, isPrivate: Bool = false) throws {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "The file name is empty.") }
        guard !path.hasSuffix("/") else {
            throw API.Problem(.conflict, "\(path) is a folder. Give the name of a file in it.")
        }
        (name, self.replaces) = (path, replaces)
        switch try? Stat(FilePath(path)) {
        case nil where (try? Stat(FilePath(path), followTargetSymlink: false)) != nil:
            throw API.Problem(.conflict, "\(path) is a broken link. Choose another file name.")
        case nil: (self.path, permissions) = (FilePath(path), isPrivate ? .ownerReadWrite : nil)
        case let found? where found.type == .directory:
            throw API.Problem(.conflict, "\(path) is a folder. Give the name of a file in it.")
        case let found? where found.type == .regular:
            guard replaces else {
                throw API.Problem(.conflict, "\(path) already exists. Choose another name, or replace it with --force.")
            }
            (self.path, permissions) = (Self.target(of: path), found.permissions)
        default: throw API.Problem(.conflict, "\(path) is not a regular file. Choose another file name.")
        }
        guard (try? Stat(folder))?.type == .directory else {
            throw API.Problem(.notFound, "Cannot write \(path): its folder does not exist. Create the folder first.")
        }
        guard FileManager.default.isWritableFile(atPath: folder.string) else {
            throw API.Problem(
                .notAllowed,
                "Cannot write \(path): you have no write permission for its folder. Choose another folder."
            )
        }
    }

    /// Writes what `fill` passes to `take`, then renames the file to its name.
    func write(_ fill: (_ take: (ByteBuffer) throws -> Void) async throws -> Void) async throws {
        // A name that no other file has.
        let part = folder.appending(".mingle-\(UUID().uuidString)")
        let signals = Self.removing(part)
        defer { Self.stop(signals) }
        let file = try attempt {
            try SystemPackage.FileDescriptor.open(
                part,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666)
            )
        }
        do {
            defer { try? file.close() }
            if let permissions { _ = fchmod(file.rawValue, permissions.rawValue) }
            try await fill { buffer in _ = try attempt { try file.writeAll(buffer.readableBytesView) } }
            try rename(part)
        } catch {
            _ = unsafe unlink(part.string)
            throw error
        }
    }

    /// Renames the complete file atomically; an existing file is replaced only if `replaces` is set.
    private func rename(_ part: FilePath) throws {
        if !replaces {
            if unsafe link(part.string, path.string) == 0 {
                _ = unsafe unlink(part.string)
                return
            }
            guard errno != EEXIST, !FileManager.default.fileExists(atPath: path.string) else {
                throw API.Problem(
                    .conflict,
                    "\(name) was created in the meantime. Choose another name, or replace it with --force."
                )
            }
            // FAT file systems, as on memory cards, have no hard links.
        }
        guard unsafe Glibc.rename(part.string, path.string) == 0 else {
            throw API.Problem(.notAllowed, "Cannot rename a file to \(name): \(Errno(rawValue: errno)).")
        }
    }

    private func attempt<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw API.Problem(.noSpace, "The disk that holds \(name) is full. Free some space and try again.")
        } catch let reason as Errno {
            throw API.Problem(.notAllowed, "Cannot write \(name): \(reason). Check the folder.")
        }
    }

    /// Resolves all symbolic links of a path.
    private static func target(of path: String) -> FilePath {
        guard let real = unsafe realpath(path, nil) else { return FilePath(path) }
        defer { unsafe free(real) }
        return unsafe FilePath(platformString: real)
    }

    /// The signals that stop a command.
    private static let stopping = [SIGINT, SIGTERM]

    /// Removes the incomplete file when a signal stops the command.
    private static func removing(_ part: FilePath) -> [any DispatchSourceSignal] {
        stopping.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                _ = unsafe unlink(part.string)
                Foundation.exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Restores the default handling of the signals.
    private static func stop(_ signals: [any DispatchSourceSignal]) {
        for signal in signals { signal.cancel() }
        for number in stopping { signal(number, SIG_DFL) }
    }
}
