// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MingleAPI

/// A folder of an earlier export; nothing is read that lies elsewhere, whatever names and links in it say.
struct ImportFolder {
    private static let photos = "photos"

    private let path: String
    private let root: FileHandle
    private let folder: FileHandle

    /// Opens the folder.
    ///
    /// - Throws: `API.Problem` if it cannot be read, or has no photos.
    init(_ path: String) throws {
        guard !path.isEmpty, let root = Self.open(path, in: AT_FDCWD, O_DIRECTORY) else {
            throw API.Problem(.notFound, "Cannot read the folder \(path). Check its name and permissions.")
        }
        guard let folder = Self.open(Self.photos, in: root.fileDescriptor, O_DIRECTORY | O_NOFOLLOW) else {
            throw API.Problem(.notFound, "\(path) has no folder photos. Name a folder that mingle export made.")
        }
        (self.path, self.root, self.folder) = (path, root, folder)
    }

    /// The file with the records; nil where there is none.
    ///
    /// - Throws: `API.Problem` if it is a link or a folder.
    func records() throws -> FileHandle? {
        do {
            return try Self.file(ExportFolder.records, in: root, as: ExportFolder.records).file
        } catch let problem as API.Problem where problem.name == .notFound {
            return nil
        }
    }

    /// Opens a photo by its path in the folder, and returns its size in bytes.
    func photo(_ path: String) throws -> (file: FileHandle, size: Int) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Self.photos, !["", ".", ".."].contains(parts[1]), !path.utf8.contains(0)
        else {
            throw API.Problem(.notAllowed, "\(path) is not a file of the folder photos.")
        }
        return try Self.file(String(parts[1]), in: folder, as: path)
    }

    /// The paths of all photos, in order.
    func photoPaths() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(folder.fileDescriptor)")
        let others = [".xmp", ".part"]
        return names.filter { name in !name.hasPrefix(".") && !others.contains { name.hasSuffix($0) } }.sorted()
            .map { "\(Self.photos)/\($0)" }
    }

    private static func file(_ name: String, in folder: FileHandle, as path: String) throws -> (
        file: FileHandle, size: Int
    ) {
        guard let file = open(name, in: folder.fileDescriptor, O_NOFOLLOW | O_NONBLOCK) else {
            switch errno {
            case ENOENT: throw API.Problem(.notFound, "\(path) is missing.")
            case ELOOP: throw API.Problem(.notAllowed, "\(path) is a symbolic link.")
            default: throw API.Problem(.notAllowed, "Cannot read \(path).")
            }
        }
        var status = stat()
        guard unsafe fstat(file.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw API.Problem(.notAllowed, "\(path) is not a regular file.")
        }
        return (file, Int(status.st_size))
    }

    private static func open(_ name: String, in folder: Int32, _ flags: Int32) -> FileHandle? {
        let descriptor = unsafe openat(folder, name, O_RDONLY | O_CLOEXEC | flags)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
