// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering

extension SimulatedNode {
    /// What of a node is in its folder besides the replica and the blobs, and what its device knows to have written.
    struct Identity {
        let secrets: Secrets
        let written: Set<Reference>
        let guests: [String: StoredGuest]
    }

    /// The same at this time.
    var identity: Identity {
        get { Identity(secrets: secrets, written: written, guests: guests) }
        set { (secrets, written, guests) = (newValue.secrets, newValue.written, newValue.guests) }
    }

    /// Where what it stores lies.
    var files: StoredFiles { StoredFiles(path: path, disk: disk) }

    /// Copies what the node has stored, while it runs.
    func copyFiles(to copy: StoredFiles) throws {
        try blobs.flush()
        try files.copy(to: copy)
    }

    /// Copies a stopped node's files back; what was there is gone.
    func replaceFiles(by copy: StoredFiles) throws {
        files.remove()
        try copy.copy(to: files)
        // What came once more meanwhile stands again where it stood in the copy.
        places = [:]
    }
}

/// What one node stores: blobs in a folder, and the replica on a disk in memory or in files beside the folder.
struct StoredFiles {
    private static let suffixes = ["", ".sqlite", ".sqlite-wal"]

    let path: String
    let disk: SimulatedDisk?

    /// Makes `other` hold the same; it must hold nothing yet, but for its disk.
    func copy(to other: StoredFiles) throws {
        for suffix in Self.suffixes where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: other.path + suffix)
        }
        if let disk { other.disk?.hold(whatIsOn: disk) }
    }

    /// Leaves nothing.
    func clear() {
        remove()
        disk?.hold(whatIsOn: SimulatedDisk())
    }

    fileprivate func remove() {
        for suffix in Self.suffixes + [".sqlite-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}
