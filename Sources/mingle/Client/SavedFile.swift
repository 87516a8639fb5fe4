// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc
import MingleNode
import NIOCore
import SystemPackage

/// A file that somebody saves: it has its name once it is whole, and until then what had the name stays as it is.
struct SavedFile {
    /// What the person named.
    private let name: String
    /// Where it will be: where a link is named, what that leads to.
    private let path: FilePath
    /// Whether it takes the place of a file that is there.
    private let replaces: Bool
    /// Who may read and write it: who could before, or may by how the process was started.
    private let permissions: FilePermissions?

    private var folder: FilePath { path.removingLastComponent().isEmpty ? "." : path.removingLastComponent() }

    /// Says where to save.
    ///
    /// - Parameters:
    ///   - path: the file's name.
    ///   - replaces: whether it takes the place of a file that is there.
    ///   - isPrivate: whether nobody else may read it, where it is new.
    /// - Throws: `API.Problem` where there is something already that is not to be replaced, as what is no file never is, or
    ///   where no file can be made.
    init(_ path: String, replaces: Bool, isPrivate: Bool = false) throws {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "The name of the file is empty.") }
        guard !path.hasSuffix("/") else {
            throw API.Problem(.conflict, "\(path) is a folder: name the file to write in it.")
        }
        (name, self.replaces) = (path, replaces)
        switch try? Stat(FilePath(path)) {
        case nil where (try? Stat(FilePath(path), followTargetSymlink: false)) != nil:
            throw API.Problem(.conflict, "\(path) is a link that leads nowhere: name another file.")
        case nil: (self.path, permissions) = (FilePath(path), isPrivate ? .ownerReadWrite : nil)
        case let found? where found.type == .directory:
            throw API.Problem(.conflict, "\(path) is a folder: name the file to write in it.")
        case let found? where found.type == .regular:
            guard replaces else {
                throw API.Problem(.conflict, "\(path) is there already: choose another name, or say --force.")
            }
            (self.path, permissions) = (Self.target(of: path), found.permissions)
        default: throw API.Problem(.conflict, "\(path) is no file that can be replaced: name another one.")
        }
        guard (try? Stat(folder))?.type == .directory else {
            throw API.Problem(.notFound, "\(path) cannot be written: there is no such folder. Make it first.")
        }
        guard FileManager.default.isWritableFile(atPath: folder.string) else {
            throw API.Problem(
                .notAllowed,
                "\(path) cannot be written: the folder is not yours to write in. Name another."
            )
        }
    }

    /// Fills the file with what `fill` hands over, and gives it its name.
    func write(_ fill: (_ take: (ByteBuffer) throws -> Void) async throws -> Void) async throws {
        // A name that nothing has.
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

    /// Fills the file with a text, and gives it its name.
    func write(_ text: String) async throws { try await write { take in try take(ByteBuffer(string: text)) } }

    /// One step, which replaces nothing that it is not to.
    private func rename(_ part: FilePath) throws {
        if !replaces {
            if unsafe link(part.string, path.string) == 0 {
                _ = unsafe unlink(part.string)
                return
            }
            guard errno != EEXIST, !FileManager.default.fileExists(atPath: path.string) else {
                throw API.Problem(.conflict, "\(name) has come meanwhile: choose another name, or say --force.")
            }
            // The file system of a memory card has no second names.
        }
        guard unsafe Glibc.rename(part.string, path.string) == 0 else {
            throw API.Problem(.notAllowed, "\(name) cannot be put in its place: \(Errno(rawValue: errno)).")
        }
    }

    private func attempt<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw API.Problem(.noSpace, "The disk that holds \(name) is full. Free some space and try again.")
        } catch let reason as Errno {
            throw API.Problem(.notAllowed, "\(name) cannot be written: \(reason). Check the folder.")
        }
    }

    /// What a name leads to, past all links.
    private static func target(of path: String) -> FilePath {
        guard let real = unsafe realpath(path, nil) else { return FilePath(path) }
        defer { unsafe free(real) }
        return unsafe FilePath(platformString: real)
    }

    /// What somebody stops a command with.
    private static let stopping = [SIGINT, SIGTERM]

    /// Removes a half file where somebody stops the command meanwhile.
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

    /// Lets the command be stopped as any other.
    private static func stop(_ signals: [any DispatchSourceSignal]) {
        for signal in signals { signal.cancel() }
        for number in stopping { signal(number, SIG_DFL) }
    }
}
