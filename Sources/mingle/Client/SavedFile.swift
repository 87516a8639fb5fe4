// SPDX-License-Identifier: Apache-2.0

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
    private let path: String
    /// Whether it takes the place of a file that is there.
    private let replaces: Bool

    /// Says where to save.
    ///
    /// - Throws: `API.Problem` where there is something already that is not to be replaced; what is no file never is.
    init(_ path: String, replaces: Bool) throws {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "The name of the file is empty.") }
        (name, self.replaces) = (path, replaces)
        switch Self.type(of: path) {
        case nil where Self.isLink(path):
            throw API.Problem(.conflict, "\(path) is a link that leads nowhere: name another file.")
        case nil: self.path = path
        case .typeDirectory?: throw API.Problem(.conflict, "\(path) is a folder: name the file to write in it.")
        case .typeRegular?:
            guard replaces else {
                throw API.Problem(.conflict, "\(path) is there already: choose another name, or say --force.")
            }
            self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        default: throw API.Problem(.conflict, "\(path) is no file that can be replaced: name another one.")
        }
    }

    /// Fills the file with what `fill` hands over, and gives it its name.
    func write(_ fill: (_ take: (ByteBuffer) throws -> Void) async throws -> Void) async throws {
        let (file, part) = try makePart()
        do {
            defer { try? file.close() }
            try await fill { buffer in _ = try attempt { try file.writeAll(buffer.readableBytesView) } }
            try rename(part)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
    }

    /// Fills the file with a text, and gives it its name.
    func write(_ text: String) async throws { try await write { take in try take(ByteBuffer(string: text)) } }

    /// A new file beside the one to come, of a name that nothing has.
    private func makePart() throws -> (file: SystemPackage.FileDescriptor, path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let part = "\(folder)/.mingle-\(UUID().uuidString)"
        let file = try attempt {
            try SystemPackage.FileDescriptor.open(
                FilePath(part),
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666)
            )
        }
        return (file, part)
    }

    /// One step; it fails where there is a folder by now.
    private func rename(_ part: String) throws {
        guard replaces || !FileManager.default.fileExists(atPath: path) else {
            throw API.Problem(.conflict, "\(name) has come meanwhile: choose another name, or say --force.")
        }
        guard unsafe Glibc.rename(part, path) == 0 else {
            throw API.Problem(.notAllowed, "\(name) cannot be put in its place: \(Errno(rawValue: errno)).")
        }
    }

    private func attempt<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch Errno.noSpace, Errno.diskQuotaExceeded {
            throw API.Problem(.noSpace, "The disk that holds \(name) is full. Free some space and try again.")
        } catch Errno.noSuchFileOrDirectory {
            throw API.Problem(.notFound, "\(name) cannot be written: there is no such folder. Make it first.")
        } catch let reason as Errno {
            throw API.Problem(.notAllowed, "\(name) cannot be written: \(reason). Check the folder.")
        }
    }

    /// What a name leads to, past links; nil if to nothing.
    private static func type(of path: String) -> FileAttributeType? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
    }

    private static func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }
}
