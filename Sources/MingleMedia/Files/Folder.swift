// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A folder that only this user may enter.
struct Folder: Sendable {
    /// Where the folder is.
    let path: String

    /// Makes the folder with mode 0700 if there is none.
    init(creating path: String) throws {
        self.path = path
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let code = errno
        guard code == EEXIST else { throw BlobStoreError.system(operation: "create", path: path, code: code) }
        guard unsafe chmod(path, 0o700) == 0 else {
            throw BlobStoreError.system(operation: "restrict", path: path, code: errno)
        }
    }

    /// The path of something in the folder.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The names of all that the folder holds, in order.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Returns when renamed and removed files would stay so after a power cut.
    func synchronize() throws { try File(path, for: .reading).synchronize() }
}
