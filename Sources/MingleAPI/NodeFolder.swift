// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A data folder as programs see it that speak to the node on it.
package enum NodeFolder {
    /// The socket of the node that runs on a folder.
    package static func socketPath(in folder: String) -> String { folder + "/node.sock" }

    /// The user that a file belongs to; nil if that cannot be told.
    package static func owner(of path: String) -> uid_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The name of the other user that a folder belongs to; nil if it is this one's, or not there.
    package static func otherOwner(of path: String) -> String? {
        guard let owner = owner(of: path), owner != geteuid() else { return nil }
        guard let entry = unsafe getpwuid(owner) else { return "\(owner)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}

/// The error for a data folder of another user of the machine.
package struct ForeignFolderError: Error, CustomStringConvertible {
    /// The folder.
    package let path: String
    /// The name of its owner.
    package let owner: String

    /// Describes the folder.
    package init(path: String, owner: String) { (self.path, self.owner) = (path, owner) }

    package var description: String {
        "The data folder \(path) belongs to the user \(owner). Run this as that user (sudo -u \(owner) mingle …), or choose "
            + "another folder with --data DIR."
    }
}
