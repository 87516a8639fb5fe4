// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleNode

/// A file that is about to be sent to the node.
enum Upload {
    /// Opens a file and says how long it is.
    ///
    /// - Throws: `API.Problem` for what cannot be read, and for a folder, which opens as a file does and never ends.
    static func open(_ path: String) throws -> (file: FileHandle, size: Int) {
        if (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true {
            throw API.Problem(.notAPicture, "\(path) is a folder: name the pictures in it.")
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw API.Problem(.notFound, "\(path) cannot be read: check its name and permissions.")
        }
        let size = try file.seekToEnd()
        try file.seek(toOffset: 0)
        return (file, Int(size))
    }
}
