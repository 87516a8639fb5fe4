// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleNode
import NIOCore
import SystemPackage

/// A file that somebody saves: it has its name once it is whole, and until then what had the name stays as it is.
struct SavedFile {
    private let path: String
    /// Whether it takes the place of a file that is there.
    private let replaces: Bool
    private var part: String { path + ".part" }

    /// Says where to save.
    ///
    /// - Throws: `API.Problem` where there is something already that is not to be replaced; a folder never is.
    init(_ path: String, replaces: Bool) throws {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "The name of the file is empty.") }
        var isFolder = ObjCBool(false)
        let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            throw API.Problem(.conflict, "\(path) is a folder: name the file to write in it.")
        }
        guard replaces || !isThere else {
            throw API.Problem(.conflict, "\(path) is there already: choose another name, or say --force.")
        }
        (self.path, self.replaces) = (path, replaces)
    }

    /// Fills the file with what `fill` hands over, and gives it its name.
    func write(_ fill: (_ take: (ByteBuffer) throws -> Void) async throws -> Void) async throws {
        let file = try attempt {
            try FileDescriptor.open(
                FilePath(part),
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666)
            )
        }
        do {
            defer { try? file.close() }
            try await fill { buffer in _ = try attempt { try file.writeAll(buffer.readableBytesView) } }
            try name()
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
    }

    /// One step; it fails where there is a folder by now.
    private func name() throws {
        guard replaces || !FileManager.default.fileExists(atPath: path) else {
            throw API.Problem(.conflict, "\(path) has come meanwhile: choose another name, or say --force.")
        }
        guard unsafe rename(part, path) == 0 else {
            throw API.Problem(.notAllowed, "\(path) cannot be put in its place: \(Errno(rawValue: errno)).")
        }
    }

    private func attempt<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw API.Problem(.noSpace, "The disk that holds \(path) is full. Free some space and try again.")
        } catch let reason as Errno {
            throw API.Problem(.notAllowed, "\(part) cannot be written: \(reason). Check the folder.")
        }
    }
}
