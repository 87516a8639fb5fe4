// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode

/// A file that is about to be sent to the node.
enum Upload {
    /// Opens a file and says how long it is.
    ///
    /// - Throws: `API.Problem` for what cannot be read, and for what is no file: a folder and many a device open as one does, and never end.
    static func open(_ path: String) throws -> (file: FileHandle, size: Int) {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "The name of a file is empty.") }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        switch try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType {
        case .typeDirectory?: throw API.Problem(.notAPicture, "\(path) is a folder: name the pictures in it.")
        case .typeCharacterSpecial?, .typeBlockSpecial?, .typeSocket?, .typeUnknown?: throw noFile(path)
        default: break
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw API.Problem(.notFound, "\(path) cannot be read: check its name and permissions.")
        }
        // What has no name, as a pipe of the shell's, shows itself here.
        guard let size = try? file.seekToEnd(), (try? file.seek(toOffset: 0)) != nil else { throw noFile(path) }
        return (file, Int(size))
    }

    private static func noFile(_ path: String) -> API.Problem {
        API.Problem(.notAPicture, "\(path) is a device or a pipe: save the picture to a file, and name that.")
    }
}
