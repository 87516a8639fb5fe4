// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleModel

/// A folder of its own for one import, with names that nobody outside chose.
struct ImportWorkspace: Sendable {
    private static let prefix = "import-"
    private let folder: Folder

    /// Where the folder is.
    var path: String { folder.path }

    init(in parent: String, _ randomness: Randomness) throws {
        let parent = try Folder(creating: parent)
        folder = try Folder(creating: parent.path(of: Self.prefix + Base32.encode(randomness.bytes(15))))
    }

    /// Removes what imports that were killed left in `parent`.
    static func removeAll(in parent: String) throws {
        let parent = try Folder(creating: parent)
        for name in try parent.names() where name.hasPrefix(prefix) {
            try FileManager.default.removeItem(atPath: parent.path(of: name))
        }
    }

    /// Writes a file and returns its path.
    func write(_ bytes: [UInt8], as name: String) throws -> String {
        let path = folder.path(of: name)
        try File(path, for: .creating).write(bytes, at: 0)
        return path
    }

    /// Writes a picture's file and returns its path.
    func write(_ picture: StrippedPicture) throws -> String {
        try write(picture.bytes, as: "original.\(picture.format.fileExtension)")
    }

    /// Removes the folder; failing leaves it to ``removeAll(in:)`` of the next start.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
