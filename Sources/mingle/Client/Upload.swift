// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleNode

/// Opens files to send to the node.
enum Upload {
    /// Opens a file and returns its size in bytes.
    ///
    /// - Throws: `API.Problem` if the path cannot be read or is not a file. Folders and devices are refused:
    ///   they can be opened like files, and a device may never end.
    static func open(_ path: String) throws -> (file: FileHandle, size: Int) {
        guard !path.isEmpty else { throw API.Problem(.badRequest, "A file name is empty.") }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        switch try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType {
        case .typeDirectory?:
            throw API.Problem(.notAPicture, "\(path) is a folder. Give the names of the pictures in it.")
        case .typeCharacterSpecial?, .typeBlockSpecial?, .typeSocket?, .typeUnknown?: throw noFile(path)
        default: break
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw API.Problem(.notFound, "Cannot read \(path). Check its name and permissions.")
        }
        // Detects pipes that have no type above, such as a shell's process substitution.
        guard let size = try? file.seekToEnd(), (try? file.seek(toOffset: 0)) != nil else { throw noFile(path) }
        return (file, Int(size))
    }

    private static func noFile(_ path: String) -> API.Problem {
        API.Problem(
            .notAPicture,
            "\(path) is a device or a pipe. Save the picture to a file and give the name of that file."
        )
    }
}
