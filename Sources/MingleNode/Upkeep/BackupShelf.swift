// SPDX-License-Identifier: Apache-2.0

import MingleAPI

/// The backups of one node that lie in a folder, all encrypted under one key, or none of them.
struct BackupShelf {
    let folder: BackupFolder
    /// The node whose backups they are.
    let node: String
    /// The key of all of them; nil if they are not encrypted.
    let key: BackupKey?
    /// The newest one; nil if there is none.
    let earlier: EarlierBackup?

    /// Reads what is in a folder.
    ///
    /// - Throws: `API.Problem` if backups of another node are there, and for the wrong passphrase, none, or an
    ///   unneeded one.
    init(_ folder: BackupFolder, _ node: String, _ passphrase: Passphrase?) throws {
        (self.folder, self.node) = (folder, node)
        guard let newest = folder.backups.last else {
            (key, earlier) = (try passphrase.map(BackupKey.init(new:)), nil)
            return
        }
        let path = "\(folder.path)/\(newest)"
        key = try BackupKey(of: path, passphrase)
        guard key != nil || passphrase == nil else {
            throw API.Problem(
                .conflict,
                "The backups in \(folder.path) are not encrypted. Choose another folder for encrypted backups."
            )
        }
        earlier = try Self.newest(folder, node, key)
    }

    /// The newest backup that can be read: a damaged one, or one of another version, stays where it is.
    ///
    /// - Throws: `API.Problem` if one is another node's.
    private static func newest(_ folder: BackupFolder, _ node: String, _ key: BackupKey?) throws -> EarlierBackup? {
        for name in folder.backups.reversed() {
            let path = "\(folder.path)/\(name)"
            guard BackupKey.isSame(key, in: path), let manifest = try? BackupManifest(of: path, key) else { continue }
            guard manifest.node == node else {
                throw API.Problem(
                    .conflict,
                    "The backups in \(folder.path) are those of another node. Choose a folder for each node."
                )
            }
            return EarlierBackup(path, manifest)
        }
        return nil
    }

    /// Removes the oldest backups of this node beyond a number.
    ///
    /// What cannot be removed is noted.
    func remove(allBut count: Int, _ backup: inout API.Backup) {
        for name in folder.backups.dropLast(count) where isOwn(name) {
            do {
                try folder.remove(name)
                backup.removed += 1
            } catch {
                backup.skipped.append("The backup \(name) is not needed any more and could not be removed: \(error)")
            }
        }
    }

    /// Whether a backup is whole and of this kind.
    ///
    /// Others are not for this node to remove.
    private func isOwn(_ name: String) -> Bool {
        let path = "\(folder.path)/\(name)"
        return BackupKey.isSame(key, in: path) && (try? BackupManifest(of: path, key))?.node == node
    }
}
