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
    }

    /// The same at this time.
    var identity: Identity {
        get { Identity(secrets: secrets, written: written) }
        set { (secrets, written) = (newValue.secrets, newValue.written) }
    }

    /// Copies what the node has stored, while it runs.
    func copyFiles(to path: String) throws {
        try blobs.flush()
        try Self.copyFiles(from: self.path, to: path)
    }

    /// Copies a stopped node's files back; what was there is gone.
    func replaceFiles(by path: String) throws {
        for suffix in Self.suffixes { try? FileManager.default.removeItem(atPath: self.path + suffix) }
        try Self.copyFiles(from: path, to: self.path)
    }

    private static let suffixes = ["", ".sqlite", ".sqlite-wal", ".sqlite-shm"]

    static func copyFiles(from source: String, to target: String) throws {
        for suffix in suffixes where suffix != ".sqlite-shm" && FileManager.default.fileExists(atPath: source + suffix)
        {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: target + suffix)
        }
    }
}
